// Rules for published texts, keys and links. Pure functions: the collector's translations and the schema both use them,
// so the two can never disagree.

/** Letters that a single joiner after them can shape or separate, as in Persian, Hindi or Sinhala. */
const SHAPED_SCRIPTS =
  "Arabic Syriac Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar";
const SHAPED = `(?!\\p{DI})[${SHAPED_SCRIPTS.split(" ")
  .map((script) => `\\p{Script=${script}}`)
  .join("")}]`;

/** The invisible characters that belong to a text in plain sight: a joiner in the scripts above or between two emoji, and the
 * selector that makes an emoji, or the key of a keycap, coloured or plain. */
const VISIBLE_EFFECTS = [
  `${SHAPED}[\\u200c\\u200d]`,
  `\\p{ExtPict}[\\ufe0f\\p{EMod}]?\\u200d(?=\\p{ExtPict})`,
  `(?![0-9#*])\\p{Emoji}[\\ufe0e\\ufe0f]`,
  `[0-9#*]\\ufe0f(?=\\u20e3)`,
];

/** Characters that control a terminal, a page or a model instead of being read: C0 and C1 controls (except tab and line
 * feed), line and paragraph separators, lone surrogates, and everything invisible (Unicode's Default_Ignorable_Code_Point:
 * bidirectional controls, zero-width characters, fillers, tags, variation selectors) outside VISIBLE_EFFECTS. A whole message
 * for a model fits into a run of them. Each exception follows a visible character and admits no run. Selectors that choose
 * the glyph of a CJK or Mongolian character are no exception: without one, the character is the same. */
export const STEERING = new RegExp(
  `[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufff9-\\ufffb\\p{Surrogate}\\p{DI}](?<!${VISIBLE_EFFECTS.join("|")})`,
  "u",
);

/** Longest changelog, in UTF-16 units. */
export const MAX_CHANGELOG = 256_000;
/** Longest URL, in characters. */
export const MAX_URL = 2_048;

/** A key of `prices`, a plan id or a cycle key. `__proto__` and its kin cannot match. */
export const KEY = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
// WHATWG URL writes them so. 0.0.0.0 and :: lead to this computer, too, and so do IPv4 addresses in IPv6.
const LEADS_HERE = /^(.+\.)?localhost\.?$|^0\.0\.0\.0$|^\[::(ffff:(7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0))?\]$/;
const RFC_3986 = /^https?:\/\/[A-Za-z0-9.:[\]-]+\/(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

/** True for a host name that never leaves this computer. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** True for every host name that leads to this computer, including those that `isLoopback` does not accept. */
export function isThisComputer(hostname: string): boolean {
  return isLoopback(hostname) || LEADS_HERE.test(hostname);
}

/** Undefined for text that is no URL. Not by `URL.canParse`: in Node 20 and 22, once compiled for frequent calls, it
 * refuses hosts with letters such as ü. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return attempt(() => new URL(text, base));
}

/** The result; undefined in place of any error. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** True for `https:` to anywhere and `http:` to loopback, without user name or password. */
export function isSafeUrl(url: URL | undefined): boolean {
  if (!url) return false;
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return secure && url.username === "" && url.password === "";
}

/** True for a safe, absolute, normalised link of RFC 3986 characters, as `publicUrl` writes it. */
export function isPublicUrl(text: string): boolean {
  return text.length <= MAX_URL && RFC_3986.test(text) && isSafeUrl(parseUrl(text));
}

/** What is wrong with a text that is no public link; quotes nothing of it. */
export function linkFault(text: string): string {
  if (!/^https?:\/\//i.test(text)) return "must begin with https://";
  const url = parseUrl(text);
  if (url && url.username + url.password !== "") return "has a user name or password: leave them out";
  return url?.protocol === "http:" ? "is http: must be https" : "must be a valid https URL in its normal form";
}

/** The normal form of a link: parsed, and every character that RFC 3986 lacks percent-encoded. Returns text that is no
 * URL unchanged; the gate refuses it. */
export function publicUrl(text: string): string {
  const url = text.length <= MAX_URL ? parseUrl(text) : undefined;
  if (!url) return text;
  const start = url.href.indexOf(url.host) + url.host.length;
  const rest = url.href
    .slice(start)
    .replace(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~:/?#@!$&'()*+,;=%-]/g, encodeURIComponent);
  return (
    url.href.slice(0, start) + rest.replace(/#(.*)/, (_, fragment: string) => `#${fragment.replaceAll("#", "%23")}`)
  );
}

/** Letters that have no decomposition in Unicode. */
const LATIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

/** The text as lower-case letters, digits and hyphens, which no shell needs quotes for; empty without any Latin character. */
export function slugOf(text: string): string {
  const base = text.toLowerCase().replace(/[^\0-\x7F]/g, (letter) => LATIN[letter] ?? letter);
  // A run of marks would be sorted, which takes a square of the time.
  const plain = base.replace(/\p{M}/gu, "").normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

const LONG_RUNS = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+|[\ufdfa\ufdfb]+/gu;

/** The text in NFKC, in linear time: of a run of marks, which would be sorted, it keeps the first. The ligatures U+FDFA and U+FDFB are
 * whole sentences, and become spaces. */
export function composed(text: string): string {
  return text.replace(LONG_RUNS, " ").normalize("NFKC");
}

/** The code of ISO 4217 for what involves no currency. */
export const NO_CURRENCY = "XXX";

/** True for a code of ISO 4217, such as USD. */
export function isCurrencyCode(text: string): boolean {
  return Intl.supportedValuesOf("currency").includes(text);
}

/** True for a text without `STEERING` characters. */
export function isPlainText(text: string): boolean {
  return !STEERING.test(text);
}

/** One line for the operator of text from elsewhere: without `STEERING` characters, at most `length` UTF-16 units long. */
export function plainLine(text: string, length: number): string {
  const start = text
    .slice(0, 4 * length)
    .replace(/\s/g, " ")
    .replace(new RegExp(STEERING, "gu"), "");
  return clip(start, length - 2);
}

/** The lines; if more than `max`, the first ones and the number of the others. */
export function firstLines(lines: readonly string[], max: number): string[] {
  return lines.length <= max ? [...lines] : [...lines.slice(0, max), `and ${lines.length - max} more`];
}

/** The first value that is there for the second time. */
export function repeated<T>(values: readonly T[]): T | undefined {
  const seen = new Set<T>();
  return values.find((value) => seen.size === seen.add(value).size);
}

/** The texts whose condition holds. */
export function whatApplies<Text extends string>(all: Readonly<Partial<Record<Text, boolean>>>): Text[] {
  return (Object.keys(all) as Text[]).filter((text) => all[text]);
}

/** The text; if longer than `length` UTF-16 units, its beginning and a mark. Splits no surrogate pair. */
export function clip(text: string, length: number, mark = " …"): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}${mark}`;
}

/** A duration in its largest unit: `45 s`, `12 min`, `3 h`, `2 d`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
