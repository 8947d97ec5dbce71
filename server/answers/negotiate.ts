// Chooses the variant of a prepared answer that a request gets: by encoding, and 304 if the client already has it
// (RFC 9110, 12.5.3 and 13).
import { memo } from "./memo.ts";
import { ENCODINGS, type Encoding, type Prepared } from "./prepared.ts";
import type { Answer, RequestHeaders } from "./answer.ts";

/** Further parts of a list are ignored: 16 KB of commas would take 1.6 ms. */
const MAX_PARTS = 100;

export function choose(prepared: Prepared, headers: RequestHeaders): Answer {
  const accepted = headers.get("accept-encoding");
  // Plain bytes even for a client that refuses them: that is better than no answer.
  const encoding =
    (accepted === null ? undefined : rankEncodings(accepted).find((one) => prepared.variants[one])) ?? "identity";
  const held = heldEncoding(prepared, headers, encoding);
  return held === undefined ? (prepared.variants[encoding] ?? prepared.variants.identity) : prepared.notModified[held];
}

/** True if the client names Markdown and ranks it no lower than HTML. Agents do that, browsers do not. */
export function prefersMarkdown(accept: string | null): boolean {
  if (accept === null || !/text\/markdown/i.test(accept)) return false;
  const weights = readWeights(accept);
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= weightOf("text/html", weights);
}

/** The answer, or a notice in its place for a client that prefers HTML. Their headers otherwise agree. */
export function negotiated(
  requested: RequestHeaders,
  answer: Answer,
  notice: Answer | (() => Answer | undefined) | undefined,
): Answer {
  if (!notice) return answer;
  const headers = { ...answer.headers, vary: "Accept" };
  if (!prefersHtml(requested.get("accept"))) return { ...answer, headers };
  const html = typeof notice === "function" ? notice() : notice;
  return html ? { status: answer.status, headers: { ...headers, ...html.headers }, body: html.body } : answer;
}

/** True if the client names HTML and ranks it above JSON. Browsers do that, programs do not. */
function prefersHtml(accept: string | null): boolean {
  if (accept === null || !/text\/html/i.test(accept)) return false;
  const weights = readWeights(accept);
  return (weights.get("text/html") ?? 0) > weightOf("application/json", weights);
}

/** The encoding of the current answer that the client already has, for its 304; undefined if it has none. A cache finds
 * the answer to renew by the etag of the 304, so that must be one it sent. `best`: the encoding that it would get now. */
function heldEncoding(
  { etags, lastModified }: Prepared,
  headers: RequestHeaders,
  best: Encoding,
): Encoding | undefined {
  const list = headers.get("if-none-match");
  // If-None-Match beats If-Modified-Since.
  if (list !== null) return matching(list, etags, best);
  const since = headers.get("if-modified-since");
  if (since === null || lastModified === undefined) return undefined;
  return lastModified <= httpDate(since) ? best : undefined;
}

const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds since the epoch; NaN for text in none of the three forms of RFC 9110, 5.6.7, all of them in GMT. */
function httpDate(text: string): number {
  if (IMF.test(text) || RFC_850.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/** The encoding whose etag is in the list, preferably `best`. Weak etags match, too: proxies weaken etags. */
function matching(list: string, etags: Prepared["etags"], best: Encoding): Encoding | undefined {
  // Most clients send a single etag as they received it, so that is compared first.
  if (list === etags[best] || list.trim() === "*") return best;
  if (contains(list, etags[best])) return best;
  return ENCODINGS.find((encoding) => contains(list, etags[encoding]));
}

/** Whether an etag is in the list, and not between the quotes of others. Searched for as text: a list of 16 KB has 8,000
 * etags, and taking it apart would cost a millisecond. */
function contains(list: string, etag: string): boolean {
  let quotes = 0;
  let counted = 0;
  for (let at = list.indexOf(etag); at !== -1; at = list.indexOf(etag, at + 1)) {
    for (; counted < at; counted++) if (list[counted] === QUOTE) quotes++;
    if (quotes % 2 === 0) return true;
  }
  return false;
}

const QUOTE = '"';

/** The encodings in an Accept-Encoding header, best first. */
const rankEncodings = memo(readRanks, 200);

function readRanks(header: string): readonly Encoding[] {
  const weights = readWeights(header);
  const others = weights.get("*");
  const weight = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === "identity" ? (others === 0 ? 0 : IDENTITY_WEIGHT) : (others ?? 0));
  const accepted = ENCODINGS.filter((encoding) => weight(encoding) > 0);
  return accepted.toSorted((a, b) => weight(b) - weight(a));
}

/** The weight of a media type: that of its most specific name (RFC 9110, 12.5.1). */
export function weightOf(type: string, weights: ReadonlyMap<string, number>): number {
  return weights.get(type) ?? weights.get(type.replace(/\/.*/, "/*")) ?? weights.get("*/*") ?? 0;
}

/** The names in an Accept header, in lower case, with their weights from 0 to 1. */
export function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",", MAX_PARTS)) {
    const [name = "", ...parameters] = part.split(";", MAX_PARTS).map((text) => text.trim());
    const q = parameters.map((text) => /^q=(?<value>[01](?:\.\d{0,9})?)$/.exec(text)?.groups?.value).find(Boolean);
    if (name !== "") weights.set(name === "x-gzip" ? "gzip" : name, Number(q ?? 1));
  }
  return weights;
}

/** Identity is acceptable unless it is refused, but a client that names another encoding prefers that one. */
const IDENTITY_WEIGHT = 0.0001;
