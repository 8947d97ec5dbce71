// The elements <vitrine-plans> and <vitrine-download>, for any site. They ask their own Vitrine only, without cookies, and again
// while the page is visible; facts that it no longer confirms disappear.
import type { Platform, PlansResponse } from "../../../snapshots/schema.ts";
import {
  element,
  isRelease,
  language,
  now,
  plansPart,
  releasePart,
  replace,
  STYLE,
  WORD_NAMES,
  type Look,
} from "./parts.ts";

const { currentScript } = document;
/** The folder of the script's URL; false for a module or an inline script, which have no such URL. */
const BASE = currentScript instanceof HTMLScriptElement && currentScript.src && new URL(".", currentScript.src).href;

const SECOND_MS = 1_000;
/** Between two requests for an address: until its text ends, or twice as long after each failure, within these limits. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5_000, 60_000];
const TIMEOUT_MS = 10_000;

/** The JSON at an address; undefined before the first answer, null while it is unavailable. */
type JsonText = string | null | undefined;

/** A reader for each address, which all elements of the page share. */
const addresses = new Map<string, () => JsonText>();

function textAt(url: string): JsonText {
  const read = addresses.get(url) ?? readerOf(url);
  addresses.set(url, read);
  return read();
}

/** Returns a function that reads the last text, and requests the next one if it is time. */
function readerOf(url: string): () => JsonText {
  let text: JsonText;
  // In ms: when the last request that has ended was sent, and how long after that its text ends and the next request follows.
  let [since, lifetime, pause] = [0, 0, 0];

  const ask = async () => {
    const [asked, lastPause] = [now(), pause];
    pause = Infinity;
    try {
      [text, lifetime] = await answerOf(url);
      pause = Math.min(Math.max(lifetime, MIN_PAUSE_MS), MAX_PAUSE_MS);
    } catch {
      pause = text === null ? Math.min(2 * lastPause, MAX_PAUSE_MS) : MIN_PAUSE_MS;
      text = null;
    }
    since = asked;
    updateAll();
  };

  return () => {
    const age = now() - since;
    if (age >= pause && (!document.hidden || text === undefined)) void ask();
    return text && age >= lifetime ? null : text;
  };
}

/** `lifetime`: in ms. @throws Error for anything but a success with JSON, such as the sign-in page of a hotel's network. */
async function answerOf(url: string): Promise<[text: string, lifetime: number]> {
  const { href, protocol } = new URL(url, document.baseURI);
  if (!protocol.startsWith("http")) throw new Error(`not a web address: ${href}`);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // A copy in the browser's cache may be older than the request.
  const response = await fetch(href, { credentials: "omit", cache: "no-cache", signal });
  if (!response.ok) throw new Error(response.statusText);
  const text = await response.text();
  JSON.parse(text);
  const times = response.headers.get("cache-control")?.match(/(?<=(?:max-age|stale-if-error)=)\d+/g);
  return [text, times ? times.reduce((sum, time) => sum + Number(time) * SECOND_MS, 0) : 2 * MAX_PAUSE_MS];
}

interface ElementKind {
  /** What the element requests, relative to the base: the fact that it needs, then what it shows with it. */
  paths: (host: Element) => string[];
  /** `values`: of `paths`; undefined before the first answer, null while unavailable. @throws Error if there is nothing to show. */
  parts: (values: readonly unknown[], look: Look, host: Element) => Node[];
}

const PLANS: ElementKind = {
  paths: () => ["api/v1/plans", "embed.json"],
  parts: ([plans, beside], look) => plansPart(plans as PlansResponse, Object(beside).names, look),
};

const DOWNLOAD: ElementKind = {
  paths: (host) => platformsOf(host).map((platform) => `api/v1/releases/latest?platform=${platform}`),
  parts(releases, look, host) {
    if (!releases.some(isRelease)) throw new Error("unavailable");
    const items = platformsOf(host).map(
      (platform, index) => releases[index] !== undefined && releasePart(platform, releases[index], look),
    );
    return [element("ul", "downloads", ...items)];
  },
};

/** The platform in the attribute, or both, the visitor's own first. */
function platformsOf(host: Element): Platform[] {
  const all: Platform[] = /^win/i.test(navigator.platform) ? ["windows", "macos"] : ["macos", "windows"];
  const wanted = all.filter((one) => one === host.getAttribute("platform"));
  return wanted.length > 0 ? wanted : all;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

const connected = new Set<FactsElement>();

function updateAll(isLate?: boolean): void {
  for (const one of connected) one.update(isLate);
}

class FactsElement extends HTMLElement {
  static observedAttributes = ["src", "lang", "cycle", "heading", "platform", ...WORD_NAMES];
  readonly #kind = this.localName === "vitrine-plans" ? PLANS : DOWNLOAD;
  readonly #all = element("div", "all", element("slot", ""));
  readonly #look: Look = { language: language(""), level: 3, cycle: null };
  /** The language and texts that are shown now. */
  #shown: unknown[] = [];

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

  /** Shows the present texts, unless they are shown already. `isLate`: waits for the first text only. */
  update(isLate = false): void {
    const base = this.getAttribute("src")?.replace(/\/*$/, "/") ?? BASE;
    const lang = languageOf(this);
    const texts = this.#kind.paths(this).map((path) => (base ? textAt(base + path) : null));
    const state = [lang, ...texts];
    const isWaiting = texts[0] === undefined || (!isLate && texts.includes(undefined));
    if (isWaiting || state.every((one, index) => one === this.#shown[index])) return;
    this.#shown = state;
    this.#look.language = language(lang, (word) => this.getAttribute(word));
    this.#look.level = Number(/^[1-6]$/.exec(this.getAttribute("heading") ?? "") ?? 3);
    this.#all.lang = this.#look.language.of;
    replace(this.#all, ...this.#partsOf(texts));
  }

  #partsOf(texts: readonly JsonText[]): Node[] {
    try {
      const values = texts.map((text): unknown => text && JSON.parse(text));
      return this.#kind.parts(values, this.#look, this);
    } catch {
      const unavailable = element("slot", "", this.#look.language.say("unavailable"));
      unavailable.name = "unavailable";
      return [element("p", "unavailable", unavailable)];
    }
  }
}

/** The language of the nearest element that states one, outside of the shadow roots around the node, too. */
function languageOf(node: Element): string {
  const root = node.getRootNode();
  return node.closest("[lang]")?.getAttribute("lang") ?? (root instanceof ShadowRoot ? languageOf(root.host) : "");
}

for (const name of ["vitrine-plans", "vitrine-download"]) {
  // A page may load the script twice.
  if (!customElements.get(name)) customElements.define(name, class extends FactsElement {});
}
// Each second, because a long timer stands still while the computer sleeps.
setInterval(updateAll, SECOND_MS, true);
