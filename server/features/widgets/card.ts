// The card that a host of MCP Apps (SEP-1865, 2026-01-26) shows for a tool's result. It exchanges messages with its host only, and
// shows the last result that the host sent. The document's title is the vendor's name.
import type { LatestReleaseResponse, PlansResponse, Platform } from "../../../snapshots/schema.ts";
import {
  element,
  isRelease,
  language,
  now,
  plansPart,
  quoted,
  releasePart,
  replace,
  STYLE,
  type Child,
  type Look,
} from "./parts.ts";

type ToolFact = (PlansResponse | LatestReleaseResponse) & {
  about: Record<"confirmedAt" | "freshUntil" | "note", string>;
};

/** The fields of every message that the card knows: a tool's input, its result, and the host's context. */
interface Params {
  arguments?: { platform?: string };
  isError?: boolean;
  content?: { text?: string }[];
  structuredContent?: ToolFact | null;
  _meta?: { names?: unknown };
  /** `locale`: BCP 47. */
  theme?: string;
  locale?: string;
  styles?: { variables?: Record<string, string | undefined> };
}

interface HostMessage {
  jsonrpc: string;
  id?: string | number;
  method?: string;
  params?: Params;
  /** The host's answer to `ui/initialize`. */
  result?: { hostContext?: Params; hostCapabilities?: { openLinks?: object } };
}

/** The form is that of WORDS in parts.ts. `%`: a time. */
const AS_OF = "As of %|Stand: %|À jour au %|Actualizado: %|Atualizado: %|% 現在|截至 %|محدَّث: %";
const UNCONFIRMED =
  "No longer confirmed|Nicht mehr bestätigt|N’est plus confirmé|Ya no está confirmado|Já não está confirmado|最新の確認が取れていません|已无法确认|لم يعد مؤكدًا";

/** Takes colours, fonts and corners from the host, with ours as defaults. */
const FRAME = `
:host{margin:0;padding:1.125rem 1.25rem 1.25rem;background:var(--color-background-primary,light-dark(#fff,#191d1c));--ink:var(--color-text-primary,light-dark(#171b1a,#e8eceb));color:var(--ink);font:.9375rem/1.5 var(--font-sans,system-ui,sans-serif);font-variant-numeric:tabular-nums;--vitrine-accent:var(--color-background-inverse,light-dark(#0f6e60,#6cd0bd));--vitrine-on-accent:var(--color-text-inverse,light-dark(#fff,#06231e));--vitrine-soft:var(--color-text-secondary,light-dark(#5a6260,#9da6a3));--vitrine-line:var(--color-border-primary,light-dark(#dfe3e1,#2a302e));--vitrine-radius:var(--border-radius-lg,.5rem)}
header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.125rem 1rem;margin-block-end:1rem}
h1{font-size:1.0625rem;font-weight:600;overflow-wrap:anywhere}
[part=age]{color:var(--s);font-size:.8125rem}
[part=age]:not(:empty)::before{content:"";display:inline-block;width:.5em;height:.5em;margin-inline-end:.5em;border-radius:1em;background:var(--color-text-success,light-dark(#0f6e60,#6cd0bd))}
[part=plans]{grid-template-columns:repeat(auto-fit,minmax(min(100%,9rem),1fr));column-gap:.75rem}
[part~=plan]{position:relative;padding:1.125rem}
[part=badge]{position:absolute;inset-block-start:-.75em;inset-inline-end:1em}
[part=amount]{font-size:1.75em}
[part=release]{flex:1;display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1rem}
[part=about]{order:-1;flex:1 1 16rem;margin:0;text-align:start}
@media(max-width:32rem){[part=download]{flex:1}}
[part=about]>:first-child{color:var(--ink);font-size:1.125rem;font-weight:600}
button{background:none;font:inherit;cursor:pointer}
[part=plans]+[part=words]{margin-block-start:2em}
[part=address]{grid-row:5;margin-block-start:.5em;color:var(--s);font-size:.875em}
:host(:not(.stale)) [part=unconfirmed]{display:none}
:host(.stale) [part=age]{font-weight:600}
:host(.stale) [part=age]::before{background:none;box-shadow:inset 0 0 0 1.5px}
:host(.stale) [part=facts]{--ink:var(--s);--a:var(--s);color:var(--s)}
:host(.stale) :is([part=buy],[part=download]){background:none;border-color:var(--l);color:var(--s)}
`;

const INITIALIZE = "initialize";

const page = document.documentElement;
const [facts, age] = [element("main", "facts"), element("p", "age")];
const look: Look = { language: language(navigator.language), level: 2, cycle: null, link };

let opensLinks = false;
/** The platform in the tool's input. */
let platform: Platform = "macos";
/** The last result; undefined before the first one. */
let result: Params | undefined;
/** `freshUntil` of the facts that are shown, in ms since the epoch. */
let end = Infinity;

function show(received = result): void {
  result = received;
  page.lang = look.language.of;
  page.dir = page.lang === "ar" ? "rtl" : "ltr";
  end = Infinity;
  age.replaceChildren();
  replace(facts, ...(result ? partsOf(result) : []));
  showAge();
}

/** The facts; without any, the tool's own words, or nothing: that a fact is unavailable would be a guess. */
function partsOf({ isError, content, structuredContent, _meta: meta }: Params): Node[] {
  const { choose, locale } = look.language;
  const text = String(content?.[0]?.text ?? "");
  try {
    if (isError) throw new Error(text);
    // Some hosts pass on texts only (ext-apps#696): the first one has the same JSON.
    const fact = structuredContent ?? (JSON.parse(text) as ToolFact);
    if (!("plans" in fact || isRelease(fact))) throw new TypeError("not a fact");
    const parts =
      "plans" in fact
        ? [...plansPart(fact, meta?.names, look), ...(meta?.names ? [] : remarksIn(fact.about.note))]
        : [element("ul", "downloads", releasePart(fact.hasUpdate ? fact.latest.platform : platform, fact, look))];
    const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    const asOf = choose(AS_OF).replace("%", time.format(new Date(fact.about.confirmedAt)));
    age.append(element("span", "unconfirmed", choose(UNCONFIRMED), " · "), asOf);
    end = Date.parse(fact.about.freshUntil);
    // A computer's clock that is behind this time is wrong.
    now(Date.parse(fact.about.confirmedAt));
    return parts;
  } catch {
    // A host can pass on anything. Some do not say that a result is an error (ext-apps#694).
    if (/^\s*([[{]|$)/.test(text)) return [];
    return [words(text)];
  }
}

/** Which prices are computed, as the note says it. A host that passes on texts only leaves out the names, which say it, too. */
function remarksIn(note: string): Node[] {
  return (String(note).match(/^Of .*/gm) ?? []).map(words);
}

/** The tool's, which are English. */
function words(text: string): HTMLElement {
  return Object.assign(element("p", "words", quoted(text)), { lang: "en" });
}

/** A button, because the browser itself opens an `<a>` at a middle click; the address as text if the host opens no links. */
function link(part: string, href: string, ...children: Child[]): HTMLElement {
  if (!opensLinks) return element("p", "address", ...children, element("br", ""), quoted(href));
  const onclick = () => send({ id: Date.now(), method: "ui/open-link", params: { url: href } });
  return Object.assign(element("button", part, ...children), { role: "link", value: href, onclick });
}

/** Greys the facts out once they have ended. */
function showAge(): void {
  document.body.classList.toggle("stale", !(now() < end));
}

/** Applies a change of the host's context. */
function follow({ theme, locale, styles }: Params): void {
  if (theme) page.style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) page.style.setProperty(name, value ?? "");
  if (locale) look.language = language(locale);
  show();
}

const METHODS: Record<string, (params: Params) => void> = {
  "ui/notifications/host-context-changed": follow,
  "ui/notifications/tool-input": ({ arguments: given }) => {
    platform = given?.platform === "windows" ? "windows" : "macos";
  },
  "ui/notifications/tool-result": show,
  "ui/notifications/tool-cancelled": () => show({}),
};

function send(message: object): void {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

addEventListener("message", ({ source, data }: MessageEvent<HostMessage | undefined>) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  const { id, method, params = {}, result: answer } = data;
  if (id === INITIALIZE && answer) {
    opensLinks = answer.hostCapabilities?.openLinks !== undefined;
    follow(answer.hostContext ?? {});
    send({ method: "ui/notifications/initialized", params: {} });
    sizes.observe(document.body);
  }
  if (method === undefined) return;
  METHODS[method]?.(params);
  // The host's requests are a ping and the announcement that it removes the card.
  if (id !== undefined) send({ id, result: {} });
});

const sizes = new ResizeObserver(() => {
  send({
    method: "ui/notifications/size-changed",
    params: { height: Math.ceil(document.body.getBoundingClientRect().height) },
  });
});

const root = document.body.attachShadow({ mode: "open" });
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE + FRAME);
root.adoptedStyleSheets = [sheet];
age.role = "status";
root.append(element("header", "", element("h1", "", document.title), age), facts);
setInterval(showAge, 1000);
send({
  id: INITIALIZE,
  method: "ui/initialize",
  params: {
    protocolVersion: "2026-01-26",
    appInfo: { name: "vitrine-card", version: "1.0.0" },
    appCapabilities: {},
  },
});
