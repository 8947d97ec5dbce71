// The elements <vitrine-plans> and <vitrine-download>, for any site. They ask their own Vitrine only, without cookies, and again
// while somebody looks: what it no longer confirms is not shown.
import type { Platform, PlansResponse } from "../../snapshots/schema.ts";
import {
  element,
  isRelease,
  language,
  plansPart,
  releasePart,
  replace,
  STYLE,
  WORD_NAMES,
  type Look,
} from "./parts.ts";

/** Where the script is from. A module, or a script that stands in the page, does not say it. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

const SECOND_MS = 1_000;
/** An address is asked again when its text ends, and after failures at growing intervals, within these limits. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5_000, 60_000];
const TIMEOUT_MS = 10_000;

/** JSON. Undefined before the first answer; null while it is unavailable. */
type Text = string | null | undefined;

/** What is known of an address. Times are in ms. */
class Address {
  readonly #url: string;
  #text: Text;
  /** When the last request that has ended was sent. */
  #since = 0;
  /** Of the text. */
  #lifetime = 0;
  /** Until the next request; endless during one. */
  #pause = 0;
  /** After the next failure. */
  #retry = MIN_PAUSE_MS;

  constructor(url: string) {
    this.#url = url;
  }

  /** The text, which is asked for if it is time. */
  get text(): Text {
    const age = Date.now() - this.#since;
    // A clock that was set back makes nothing younger.
    const isOver = (length: number) => age < 0 || age >= length;
    if (isOver(this.#pause) && (!document.hidden || this.#text === undefined)) void this.#ask();
    return this.#text && isOver(this.#lifetime) ? null : this.#text;
  }

  async #ask(): Promise<void> {
    const since = Date.now();
    this.#pause = Infinity;
    try {
      [this.#text, this.#lifetime] = await this.#answer();
      this.#pause = Math.min(Math.max(this.#lifetime, MIN_PAUSE_MS), MAX_PAUSE_MS);
      this.#retry = MIN_PAUSE_MS;
    } catch {
      this.#text = null;
      this.#pause = this.#retry;
      this.#retry = Math.min(2 * this.#retry, MAX_PAUSE_MS);
    }
    this.#since = since;
    updateAll();
  }

  /** @throws Error for anything but a success with JSON: it may be a hotel that has answered. */
  async #answer(): Promise<[text: string, lifetime: number]> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A copy in the browser's cache may be older than `#since`.
    const response = await fetch(this.#url, { credentials: "omit", cache: "no-cache", signal });
    if (!response.ok) throw new Error(response.statusText);
    const text = await response.text();
    JSON.parse(text);
    const times = response.headers.get("cache-control")?.match(/(?<=(?:max-age|stale-if-error)=)\d+/g);
    return [text, times ? times.reduce((sum, time) => sum + Number(time) * SECOND_MS, 0) : 2 * MAX_PAUSE_MS];
  }
}

/** All elements of a page share them. */
const addresses = new Map<string, Address>();

function textAt(url: string): Text {
  const address = addresses.get(url) ?? new Address(url);
  addresses.set(url, address);
  return address.text;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

const connected = new Set<Facts>();

function updateAll(isLate?: boolean): void {
  for (const one of connected) one.update(isLate);
}

abstract class Facts extends HTMLElement {
  static observedAttributes = ["src", "lang", "cycle", "heading", "platform", ...WORD_NAMES];
  readonly #all = element("div", "all", element("slot", ""));
  readonly #look: Look = { language: language(""), level: 3, cycle: null };
  /** What the element shows: language and texts. */
  #shown: unknown[] = [];

  /** What the element asks for, below the base: the fact that it needs, then what it shows with it. */
  abstract paths(): string[];
  /** `values`: in the order of `paths`; undefined before the first answer, null while unavailable. @throws Error if there is nothing to show. */
  abstract parts(values: readonly unknown[], look: Look): Node[];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#all);
  }

  connectedCallback(): void {
    connected.add(this);
    this.update();
  }

  disconnectedCallback(): void {
    connected.delete(this);
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === "cycle") this.#look.cycle = value;
    this.#shown = [];
    if (this.isConnected) this.update();
  }

  /** Shows what is known now, unless it is shown already. `isLate`: no longer waits for more than the first. */
  update(isLate = false): void {
    const base = this.#base();
    const lang = languageOf(this);
    const texts = this.paths().map((path) => (base === undefined ? null : textAt(base + path)));
    const state = [lang, ...texts];
    const isWaiting = texts[0] === undefined || (!isLate && texts.includes(undefined));
    if (isWaiting || state.every((one, index) => one === this.#shown[index])) return;
    this.#shown = state;
    this.#look.language = language(lang, (word) => this.getAttribute(word));
    this.#look.level = Number(/^[1-6]$/.exec(this.getAttribute("heading") ?? "") ?? 3);
    this.#all.lang = this.#look.language.of;
    replace(this.#all, ...this.#partsOf(texts));
  }

  #partsOf(texts: readonly Text[]): Node[] {
    try {
      const values = texts.map((text): unknown => text && JSON.parse(text));
      return this.parts(values, this.#look);
    } catch {
      const unavailable = element("slot", "", this.#look.language.say("unavailable"));
      unavailable.name = "unavailable";
      return [element("p", "unavailable", unavailable)];
    }
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
}

/** Of the nearest element that states one, also around the components in whose shadow the node stands. */
function languageOf(node: Element): string {
  const root = node.getRootNode();
  return node.closest("[lang]")?.getAttribute("lang") ?? (root instanceof ShadowRoot ? languageOf(root.host) : "");
}

class Plans extends Facts {
  paths(): string[] {
    return ["api/v1/plans", "embed.json"];
  }

  parts([plans, beside]: readonly unknown[], look: Look): Node[] {
    return plansPart(plans as PlansResponse, Object(beside).names, look);
  }
}

class Download extends Facts {
  /** The visitor's first, unless the page wants one only. */
  #platforms(): Platform[] {
    const all: Platform[] = /^win/i.test(navigator.platform) ? ["windows", "macos"] : ["macos", "windows"];
    const wanted = all.filter((one) => one === this.getAttribute("platform"));
    return wanted.length > 0 ? wanted : all;
  }

  paths(): string[] {
    return this.#platforms().map((platform) => `api/v1/releases/latest?platform=${platform}`);
  }

  parts(releases: readonly unknown[], look: Look): Node[] {
    if (!releases.some(isRelease)) throw new Error("unavailable");
    const items = this.#platforms().map(
      (platform, index) => releases[index] !== undefined && releasePart(platform, releases[index], look),
    );
    return [element("ul", "downloads", ...items)];
  }
}

for (const [name, kind] of Object.entries({ "vitrine-plans": Plans, "vitrine-download": Download })) {
  // A second script line does no harm.
  if (!customElements.get(name)) customElements.define(name, kind);
}
// By the clock, each second: a long timer stands still while the computer sleeps.
setInterval(updateAll, SECOND_MS, true);
