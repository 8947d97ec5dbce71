// The elements <vitrine-plans> and <vitrine-download>, for any site. They ask their Vitrine only, without cookies, and again
// while somebody looks: what it no longer confirms is not shown.
import type { LatestReleaseResponse, PlanNames, Platform, PlansResponse } from "../../snapshots/schema.ts";
import { element, language, ownPlatform, plansPart, releasePart, STYLE, WORD_NAMES, type Look } from "./parts.ts";

/** Where the script is from. A module, or a script that stands in the page, does not say it. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

const SECOND_MS = 1_000;
/** A resource is asked again after its `max-age`, but not more often or more rarely than this. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** What is known of an address, with times in ms. */
interface Asked {
  /** Undefined before the first answer; null while it is unavailable. */
  text: string | null | undefined;
  /** When `text` was asked for, and for how long it may be shown since then. */
  since: number;
  lifetime: number;
  /** When it was last asked, and for how long it is not asked again. */
  askedAt: number;
  pause: number;
}
const asked = new Map<string, Asked>();

/** The text at an address, which is asked when it is time. */
function textAt(url: string): Asked["text"] {
  const one = asked.get(url) ?? { text: undefined, since: 0, lifetime: Infinity, askedAt: -Infinity, pause: 0 };
  asked.set(url, one);
  const now = Date.now();
  // A clock that was set back makes nothing younger.
  const isWithin = (start: number, length: number) => now >= start && now - start < length;
  if (one.text !== undefined && !isWithin(one.since, one.lifetime)) one.text = null;
  const isWanted = !document.hidden || one.text === undefined;
  if (isWanted && !isWithin(one.askedAt, one.pause)) void ask(url, one, now);
  return one.text;
}

async function ask(url: string, one: Asked, now: number): Promise<void> {
  const isFirst = one.text === undefined;
  Object.assign(one, { askedAt: now, pause: MAX_PAUSE_MS });
  let text: Asked["text"] = null;
  let control = "";
  try {
    const response = await fetch(url, {
      credentials: "omit",
      cache: isFirst ? "default" : "no-cache",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    control = response.headers.get("cache-control") ?? "";
    if (response.ok) text = await response.text();
  } catch {
    // Not answered is unavailable, too.
  }
  const seconds = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(control)?.[1] ?? 0);
  const maxAge = seconds("max-age") * SECOND_MS;
  const lifetime = maxAge + seconds("stale-if-error") * SECOND_MS || MAX_PAUSE_MS;
  const pause = Math.min(Math.max(maxAge || MAX_PAUSE_MS, MIN_PAUSE_MS), MAX_PAUSE_MS);
  Object.assign(one, { text, since: now, lifetime, pause });
  update();
}

const connected = new Set<Facts>();
let timer: ReturnType<typeof setInterval> | undefined;

function update(): void {
  for (const one of connected) one.update();
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

abstract class Facts extends HTMLElement {
  static observedAttributes = ["src", "lang", "cycle", "heading", "platform", ...WORD_NAMES];
  readonly #root = this.attachShadow({ mode: "open" });
  /** What the element shows: language and texts. */
  #shown: unknown[] = [];

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
    // What stands inside the element, until the facts have arrived.
    this.#root.append(element("slot", ""));
  }

  connectedCallback(): void {
    connected.add(this);
    // By the clock, each second: a timer of an hour stops while the computer sleeps.
    timer ??= setInterval(update, SECOND_MS);
    this.update();
  }

  disconnectedCallback(): void {
    connected.delete(this);
  }

  attributeChangedCallback(): void {
    this.#shown = [];
    if (this.isConnected) this.update();
  }

  /** Shows what is known now, unless it is shown already. */
  update(): void {
    const base = this.#base();
    const lang = this.closest("[lang]")?.getAttribute("lang") ?? undefined;
    const texts = this.paths().map((path) => (base === undefined ? null : textAt(base + path)));
    const state = [lang, ...texts];
    if (texts.includes(undefined) || state.every((one, index) => one === this.#shown[index])) return;
    this.#shown = state;
    const look = { language: language(lang, (word) => this.getAttribute(word)) };
    this.#replace(look, this.#parts(texts, look));
  }

  #base(): string | undefined {
    try {
      const src = this.getAttribute("src");
      const url = src === null ? new URL(".", SCRIPT) : new URL(src, document.baseURI);
      return /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname.replace(/\/*$/, "/")}` : undefined;
    } catch {
      return undefined;
    }
  }

  #parts(texts: readonly (string | null | undefined)[], look: Look): Node[] | undefined {
    try {
      return this.parts(
        texts.map((text): unknown => text && JSON.parse(text)),
        look,
      );
    } catch {
      // Another answer than Vitrine's, such as a hotel's.
      return undefined;
    }
  }

  #replace({ language }: Look, parts: Node[] | undefined): void {
    const focused = targetOf(this.#root.activeElement);
    const words = element("slot", "", language.say("unavailable"));
    words.name = "unavailable";
    const all = element("div", "all", ...(parts ?? [element("p", "unavailable", words)]));
    all.lang = language.of;
    this.#root.replaceChildren(all);
    if (focused === undefined) return;
    [...all.querySelectorAll<HTMLElement>("a,input")].find((one) => targetOf(one) === focused)?.focus();
  }

  /** What the element asks for, below the base. */
  protected abstract paths(): string[];
  /** `values`: in the order of `paths`; null for what is unavailable. Undefined if nothing can be shown. */
  protected abstract parts(values: readonly unknown[], look: Look): Node[] | undefined;
}

/** What tells a control from the others, before and after a change. */
function targetOf(control: Element | null): string | undefined {
  if (control instanceof HTMLInputElement) return control.value;
  return control instanceof HTMLAnchorElement ? control.href : undefined;
}

class Plans extends Facts {
  #cycle: string | undefined;

  override attributeChangedCallback(name?: string): void {
    if (name === "cycle") this.#cycle = undefined;
    super.attributeChangedCallback();
  }

  protected paths(): string[] {
    return ["api/v1/plans", "embed.json"];
  }

  protected parts([plans, beside]: readonly unknown[], look: Look): Node[] | undefined {
    if (!plans) return undefined;
    const { names } = (beside ?? {}) as { names?: PlanNames | null };
    const cycle = this.#cycle ?? this.getAttribute("cycle") ?? "";
    const level = Number(/^[1-6]$/.exec(this.getAttribute("heading") ?? "") ?? 3);
    const onCycle = (key: string) => (this.#cycle = key);
    return plansPart(plans as PlansResponse, names ?? {}, { ...look, cycle, level, onCycle });
  }
}

class Download extends Facts {
  #platforms(): Platform[] {
    const all: Platform[] = ownPlatform() === "windows" ? ["windows", "macos"] : ["macos", "windows"];
    const wanted = all.filter((one) => one === this.getAttribute("platform"));
    return wanted.length > 0 ? wanted : all;
  }

  protected paths(): string[] {
    return this.#platforms().map((platform) => `api/v1/releases/latest?platform=${platform}`);
  }

  protected parts(releases: readonly unknown[], look: Look): Node[] | undefined {
    if (releases.every((release) => release === null)) return undefined;
    const items = this.#platforms().map((platform, index) =>
      releasePart(platform, (releases[index] ?? undefined) as LatestReleaseResponse | undefined, look),
    );
    return [element("ul", "downloads", ...items)];
  }
}

for (const [name, constructor] of Object.entries({ "vitrine-plans": Plans, "vitrine-download": Download })) {
  // A second script line does no harm.
  if (!customElements.get(name)) customElements.define(name, constructor);
}
