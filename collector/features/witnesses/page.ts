// Reads a public page as one text, in which prices and versions can be searched.
import { Parser } from "htmlparser2";
import { MAX_DEPTH as MAX_JSON_DEPTH, measureJson } from "../../../snapshots/store.ts";
import { UpstreamError } from "../../http/errors.ts";
import { EDGE, plainText } from "./money.ts";

/** A page to be searched. `text`: the texts of all elements, hidden ones included, those of attributes that may have prices, and the
 * prices and versions in JSON-LD, as `USD 12.00` and `Version 4.2`; with an EDGE between any two. `hasScript`: scripts may show more. */
export interface Page {
  text: string;
  hasScript: boolean;
}

/** Browsers have this limit, too. */
const MAX_DEPTH = 500;

/** UTF-16 units. Longer ones would take seconds. */
const MAX_PAGE = 2 * 1024 * 1024;

/** Names of attributes that may have prices, such as `data-yearly`. */
const PRICED = /price|amount|month|year|annual/;

const CHARSET = /charset\s*=\s*["']?([\w.:-]+)/i;

/** A page in the character set that its header or its first 1,024 bytes name, by default UTF-8. @throws UpstreamError */
export function decodePage(bytes: Buffer, contentType: string): string {
  // One after the other: joined, `utf-8` and a first line of `---` would be one name.
  const [charset] = [contentType, bytes.toString("latin1", 0, 1024)].flatMap((text) => CHARSET.exec(text)?.[1] ?? []);
  try {
    return new TextDecoder(charset ?? (bytes[0] === 0xff ? "utf-16le" : "utf-8")).decode(bytes);
  } catch (error) {
    throw new UpstreamError("cannot be read: its character set is unknown", { cause: error });
  }
}

/** `check`: called between steps. @throws UpstreamError */
export function readPage(html: string, check = () => {}): Page {
  if (html.length > MAX_PAGE) throw new UpstreamError("cannot be read: more than 2 MiB of HTML");
  const parts = [""];
  let depth = 0;
  let isJsonLd = false;
  let hasScript = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw new UpstreamError("HTML nested too deeply");
      check();
      isJsonLd = /^application\/ld\+json\b/i.test(attributes.type ?? "");
      hasScript ||= name === "script" && !isJsonLd;
      const said = Object.keys(attributes).filter((key) => PRICED.test(key) || /\p{Sc}/u.test(attributes[key] ?? ""));
      parts.push(name === "meta" ? "" : said.map((key) => attributes[key] + EDGE).join(""));
    },
    onclosetag(name) {
      depth--;
      const isCode = name === "script" || name === "style";
      const code = isCode ? (parts.pop() ?? "") : "";
      parts.push(isCode && isJsonLd ? saidIn(code) + EDGE : "");
    },
    ontext: (text) => void parts.push(`${parts.pop()}${text}`),
  });
  parser.end(html.replace(/<wbr\s*\/?>/gi, ""));
  return { text: plainText(parts.join(EDGE)), hasScript };
}

/** The prices and versions of a JSON-LD script; none if it is not JSON. A price without a currency has that of what it is in. */
function saidIn(script: string): string {
  const said: string[] = [];
  const read = (thing: { priceCurrency?: unknown; "@type"?: unknown }, outer: string) => {
    const { priceCurrency = outer, "@type": type } = thing;
    const currency = words(priceCurrency);
    const isApplication = words(type).includes("Application");
    for (const [key, value] of Object.entries(thing)) {
      if (typeof value === "object" && value !== null) read(value, currency);
      else if (/price$/i.test(key)) said.push(`${currency} ${value}`);
      else if (key === "softwareVersion" || (isApplication && key === "version")) said.push(`Version ${value}`);
    }
  };
  const json = script.replace(/(?:\/\/\s{0,16})?(?:<!\[CDATA\[|\]\]>|<!--|-->)/g, "");
  try {
    if (measureJson(json).depth <= MAX_JSON_DEPTH) read(Object(JSON.parse(json)), "");
  } catch {
    // A page with a broken script can still be read.
  }
  return said.join(EDGE);
}

const MAX_WORDS = 100;

/** A text or a list of texts, cut, because it is repeated for each price beside it. */
function words(value: unknown): string {
  const texts = [value].flat().filter((text) => typeof text === "string");
  return texts.join().slice(0, MAX_WORDS);
}
