// Chooses the variant of a prepared answer that a request gets: by encoding, and 304 if the client already has it
// (RFC 9110, 12.5.3 and 13).
import { memo } from "./memo.ts";
import { ENCODINGS, type Encoding, type Prepared, type PreparedResponse, type Variant } from "./prepared.ts";

/** The request headers that decide, by their names in lower case. */
export interface Preferences {
  accept?: string | undefined;
  "accept-encoding"?: string | undefined;
  "if-none-match"?: string | undefined;
  "if-modified-since"?: string | undefined;
}

export function choose(prepared: Prepared, preferences: Preferences): PreparedResponse {
  const header = preferences["accept-encoding"];
  const variant = bestVariant(prepared, header === undefined ? IDENTITY_ONLY : rankEncodings(header));
  return isNotModified(prepared, preferences) ? variant.notModified : variant.ok;
}

function bestVariant({ variants }: Prepared, ranks: readonly Encoding[]): Variant {
  for (const encoding of ranks) {
    const variant = variants[encoding];
    if (variant) return variant;
  }
  // Even if the client refuses it: better than no answer.
  return variants.identity;
}

/** True if the client names Markdown and ranks it no lower than HTML. Agents do that, browsers do not. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const weights = readWeights(accept);
  const html = ["text/html", "text/*", "*/*"].map((type) => weights.get(type)).find((weight) => weight !== undefined);
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (html ?? 0);
}

/** If-None-Match beats If-Modified-Since. */
function isNotModified({ etags, lastModified }: Prepared, preferences: Preferences): boolean {
  const list = preferences["if-none-match"];
  if (list !== undefined) return matchesAny(list, etags);
  const since = preferences["if-modified-since"];
  if (since === undefined || lastModified === undefined) return false;
  return lastModified <= httpDate(since);
}

const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** In ms since the epoch; NaN for text in none of the three forms of RFC 9110, 5.6.7, all of them in GMT. */
function httpDate(text: string): number {
  if (IMF.test(text) || RFC_850.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/** Weak etags and those of other encodings match, too: proxies weaken etags and compress again. */
function matchesAny(list: string, etags: Prepared["etags"]): boolean {
  // Most clients send a single etag as they received it, so that is compared first.
  if (matches(list, etags) || list.trim() === "*") return true;
  for (const [quoted] of list.matchAll(/"[^"]*"/g)) if (matches(quoted, etags)) return true;
  return false;
}

function matches(quoted: string, { identity, br, gzip }: Prepared["etags"]): boolean {
  return quoted === identity || quoted === br || quoted === gzip;
}

const IDENTITY_ONLY: readonly Encoding[] = ["identity"];

const rankEncodings = memo(readRanks, { maxEntries: 100, maxLength: 200 });

/** The encodings that a client accepts, best first. */
function readRanks(header: string): readonly Encoding[] {
  const weights = readWeights(header);
  const others = weights.get("*");
  const weight = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === "identity" ? (others === 0 ? 0 : IDENTITY_WEIGHT) : (others ?? 0));
  const accepted = ENCODINGS.filter((encoding) => weight(encoding) > 0);
  return accepted.toSorted((a, b) => weight(b) - weight(a));
}

/** The names in an Accept header, in lower case, with their weights from 0 to 1. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const q = parameters.map((text) => /^q=(?<value>[01](?:\.\d{0,9})?)$/.exec(text)?.groups?.value).find(Boolean);
    if (name !== "") weights.set(name === "x-gzip" ? "gzip" : name, Number(q ?? 1));
  }
  return weights;
}

/** Identity is acceptable unless it is refused, but a client that names another encoding prefers that one. */
const IDENTITY_WEIGHT = 0.0001;
