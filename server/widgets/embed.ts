// The elements <vitrine-plans> and <vitrine-download>, for any site. They ask their own Vitrine only, without cookies, and again
// while somebody looks: what it no longer confirms is not shown.
import type { LatestReleaseResponse, PlanNames, Platform, PlansResponse } from "../../snapshots/schema.ts";
import { element, language, ownPlatform, plansPart, releasePart, STYLE, WORD_NAMES, type Look } from "./parts.ts";

/** Where the script is from. A module, or a script that stands in the page, does not say it. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

const SECOND_MS = 1_000;
/** An address is asked again when its text ends, but neither sooner nor later than this. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5_000, 60_000];
const TIMEOUT_MS = 10_000;

/** Undefined before the first answer; null while it is unavailable. */
type Text = string | null | undefined;

/** What is known of an address. Times are in ms; `text` may be shown for `lifetime` from `since`. */
class Address {
  readonly #url: string;
  #text: Text;
  #since = 0;
  #lifetime = Infinity;
  #askedAt = 0;
  #pause = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** The text, which is asked for if it is time. */
  get text(): Text {
    const now = Date.now();
    // A clock that was set back makes nothing younger.
    const isWithin = (start: number, length: number) => now >= start && now - start < length;
    if (this.#text !== undefined && !isWithin(this.#since, this.#lifetime)) this.#text = null;
    const isWanted = !document.hidden || this.#text === undefined;
    if (isWanted && !isWithin(this.#askedAt, this.#pause)) void this.#ask(now);
    return this.#text;
  }

  async #ask(now: number): Promise<void> {
    [this.#askedAt, this.#pause] = [now, MAX_PAUSE_MS];
    const [text, control] = await this.#answer().catch(() => [null, ""] as const);
    const times = control.match(/(?<=(?:max-age|stale-if-error)=)\d+/g)?.map(Number);
    this.#lifetime = times ? times.reduce((sum, time) => sum + time * SECOND_MS, 0) : 2 * MAX_PAUSE_MS;
    this.#pause = Math.min(Math.max(this.#lifetime, MIN_PAUSE_MS), MAX_PAUSE_MS);
    [this.#text, this.#since] = [text, now];
    updateAll();
  }

  async #answer(): Promise<[text: string | null, cacheControl: string]> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A copy in the browser's cache may be older than `#since`.
    const response = await fetch(this.#url, { credentials: "omit", cache: "no-cache", signal });
    return [response.ok ? await response.text() : null, response.headers.get("cache-control") ?? ""];
  }
}

/** All elements of a page share them. */
const addresses = new Map<string, Address>();

function textAt(url: string): Text {
  const address = addresses.get(url) ?? new Address(url);
  addresses.set(url, address);
  return address.text;
}

interface Kind {
  /** What the element asks for, below the base. */
  paths(host: Element): string[];
  /** `values`: in the order of `paths`; null for what is unavailable. Undefined if there is nothing to show. */
  parts(values: readonly unknown[], look: Look, host: Element): Node[] | undefined;
}

const PLANS: Kind = {
  paths: () => ["api/v1/plans", "embed.json"],
  parts([plans, beside], look, host) {
    const { names } = (beside ?? {}) as { names?: PlanNames | null };
    const level = Number(/^[1-6]$/.exec(host.getAttribute("heading") ?? "") ?? 3);
    return plans ? plansPart(plans as PlansResponse, names ?? {}, { ...look, level }) : undefined;
  },
};

const DOWNLOAD: Kind = {
  paths: (host) => platformsOf(host).map((platform) => `api/v1/releases/latest?platform=${platform}`),
  parts(releases, look, host) {
    if (!releases.some(Boolean)) return undefined;
    const items = platformsOf(host).map((platform, index) =>
      releasePart(platform, releases[index] as LatestReleaseResponse | null, look),
    );
    return [element("ul", "downloads", ...items)];
  },
};

/** The visitor's first, unless the page wants one only. */
function platformsOf(host: Element): Platform[] {
  const all: Platform[] = ownPlatform() === "windows" ? ["windows", "macos"] : ["macos", "windows"];
  const wanted = all.filter((one) => one === host.getAttribute("platform"));
  return wanted.length > 0 ? wanted : all;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

const connected = new Set<Facts>();

function updateAll(): void {
  for (const one of connected) one.update();
}

class Facts extends HTMLElement {
  static observedAttributes = ["src", "lang", "cycle", "heading", "platform", ...WORD_NAMES];
  readonly #kind = this.localName === "vitrine-plans" ? PLANS : DOWNLOAD;
  readonly #root = this.attachShadow({ mode: "open" });
  /** What the element shows: language and texts. */
  #shown: unknown[] = [];
  #cycle: string | null = null;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
    // Shows what stands inside the element, until the facts have arrived.
    this.#root.append(element("slot", ""));
  }

  connectedCallback(): void {
    connected.add(this);
    this.update();
  }

  disconnectedCallback(): void {
    connected.delete(this);
  }

  attributeChangedCallback(name: string): void {
    if (name === "cycle") this.#cycle = null;
    this.#shown = [];
    if (this.isConnected) this.update();
  }

  /** Shows what is known now, unless it is shown already. */
  update(): void {
    const base = this.#base();
    const lang = this.closest("[lang]")?.getAttribute("lang") ?? "";
    const texts = this.#kind.paths(this).map((path) => (base === undefined ? null : textAt(base + path)));
    const state = [lang, ...texts];
    if (texts.includes(undefined) || state.every((one, index) => one === this.#shown[index])) return;
    this.#shown = state;
    const words = language(lang, (word) => this.getAttribute(word));
    const onCycle = (key: string) => (this.#cycle = key);
    const look = { language: words, cycle: this.#cycle ?? this.getAttribute("cycle"), onCycle };
    let parts: Node[] | undefined;
    try {
      const values = texts.map((text): unknown => text && JSON.parse(text));
      parts = this.#kind.parts(values, look, this);
    } catch {
      // It is not Vitrine that has answered, but a hotel, for example.
    }
    const unavailable = element("slot", "", words.say("unavailable"));
    unavailable.name = "unavailable";
    const all = element("div", "all", ...(parts ?? [element("p", "unavailable", unavailable)]));
    all.lang = words.of;
    this.#replace(all);
  }

  #base(): string | undefined {
    try {
      const src = this.getAttribute("src");
      const { protocol, origin, pathname } = src === null ? new URL(".", SCRIPT) : new URL(src, document.baseURI);
      return /^https?:$/.test(protocol) ? origin + pathname.replace(/\/*$/, "/") : undefined;
    } catch {
      return undefined;
    }
  }

  /** The control that has the focus keeps it. */
  #replace(all: HTMLElement): void {
    const target = (one: Element | null) => one?.getAttribute("href") ?? one?.getAttribute("value");
    const focused = target(this.#root.activeElement);
    this.#root.replaceChildren(all);
    const controls = focused ? [...all.querySelectorAll<HTMLElement>("a,input")] : [];
    controls.find((one) => target(one) === focused)?.focus();
  }
}

for (const name of ["vitrine-plans", "vitrine-download"]) {
  // A second script line does no harm.
  if (!customElements.get(name)) customElements.define(name, class extends Facts {});
}
// By the clock, each second: a long timer stands still while the computer sleeps.
setInterval(updateAll, SECOND_MS);
