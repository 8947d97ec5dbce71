// Which of the prepared variants a request gets, and whether it has it already (RFC 9110, 12.5.3 and 13).
import { ENCODINGS, type Choice, type Encoding, type Prepared, type Variant } from "./prepared.ts";

/** The request headers that matter, by their names in lower case. */
export interface Wishes {
  accept?: string | undefined;
  "accept-encoding"?: string | undefined;
  "if-none-match"?: string | undefined;
  "if-modified-since"?: string | undefined;
}

export function choose(prepared: Prepared, wishes: Wishes): Choice {
  const variant = bestVariant(prepared, encodingRanks(wishes["accept-encoding"]));
  return hasIt(prepared, wishes) ? variant.notModified : variant.ok;
}

function bestVariant({ variants }: Prepared, ranks: readonly Encoding[]): Variant {
  for (const encoding of ranks) {
    const variant = variants[encoding];
    if (variant) return variant;
  }
  return variants.identity;
}

/** True for a client that names Markdown and likes it no less than HTML. Browsers never name it; agents do. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const weights = readWeights(accept);
  const html = ["text/html", "text/*", "*/*"].map((type) => weights.get(type)).find((weight) => weight !== undefined);
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (html ?? 0);
}

/** If-None-Match beats If-Modified-Since. */
function hasIt({ tags, lastModified }: Prepared, wishes: Wishes): boolean {
  const list = wishes["if-none-match"];
  if (list !== undefined) return namesOne(list, tags);
  const since = wishes["if-modified-since"];
  if (since === undefined || lastModified === undefined) return false;
  return lastModified <= httpDate(since);
}

const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds since the epoch; NaN for what is none of the three forms of RFC 9110, 5.6.7, all of Greenwich. */
function httpDate(text: string): number {
  if (IMF.test(text) || RFC_850.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/** Weak tags and those of other encodings name the same facts: proxies weaken tags and recompress. */
function namesOne(list: string, tags: Prepared["tags"]): boolean {
  // What clients send is one tag as they got it; only then is the list looked through.
  if (isOne(list, tags) || list.trim() === "*") return true;
  for (const [quoted] of list.matchAll(/"[^"]*"/g)) if (isOne(quoted, tags)) return true;
  return false;
}

function isOne(quoted: string, { identity, br, gzip }: Prepared["tags"]): boolean {
  return quoted === identity || quoted === br || quoted === gzip;
}

/** What clients really send is a few texts over and over: their ranks are remembered, a bounded number of them. */
const remembered = new Map<string, readonly Encoding[]>();
const MOST_REMEMBERED = 100;
const LONGEST_REMEMBERED = 200;

const PLAIN: readonly Encoding[] = ["identity"];

function encodingRanks(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return PLAIN;
  const known = remembered.get(header);
  if (known) return known;
  const ranks = readRanks(header);
  if (remembered.size < MOST_REMEMBERED && header.length <= LONGEST_REMEMBERED) remembered.set(header, ranks);
  return ranks;
}

/** The encodings that a client accepts, best first; identity when it accepts none, because an answer that it may not
 * like is better than none. */
function readRanks(header: string): readonly Encoding[] {
  const weights = readWeights(header);
  const others = weights.get("*");
  const weight = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === "identity" ? (others === 0 ? 0 : LEAST) : (others ?? 0));
  const accepted = ENCODINGS.filter((encoding) => weight(encoding) > 0);
  return accepted.toSorted((a, b) => weight(b) - weight(a));
}

/** What a list of wishes names, in lower case, and how much it is liked: 0 to 1. */
function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const q = parameters.map((text) => /^q=(?<value>[01](?:\.\d{0,9})?)$/.exec(text)?.groups?.value).find(Boolean);
    if (name !== "") weights.set(name === "x-gzip" ? "gzip" : name, Number(q ?? 1));
  }
  return weights;
}

/** Identity is always acceptable unless it is refused, but nobody who names another encoding wants it first. */
const LEAST = 0.0001;
