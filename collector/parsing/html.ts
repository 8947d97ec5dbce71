// Converts HTML, as in release notes, to plain text as a person reads it.
import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";
import { parseUrl } from "../../snapshots/rules.ts";
import { UpstreamError } from "../http/errors.ts";
import { EDGE, plainText } from "./money.ts";

const BLOCKS =
  /^(address|article|aside|blockquote|body|dd|details|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;
const PARAGRAPHS = /^(p|h[1-6])$/;
const CELLS = /^t[dh]$/;
const HIDDEN =
  /^(audio|canvas|datalist|iframe|meter|noembed|noframes|noscript|progress|rp|script|style|template|title|video)$/;
/** Values of CSS properties that hide an element. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none\b/,
  visibility: /^(hidden|collapse)\b/,
  opacity: /^(-|\+?[0.]+(?![.\d]))/,
  "font-size": /^\+?[0.]+(?![.\d])/,
};

const MAX_INDENT = 8;

/** As in browsers: each closing tag is looked for among all open elements. */
const MAX_DEPTH = 500;

interface Line {
  text: string;
  indent: string;
  isCode: boolean;
}

/** The text of an HTML fragment. Without markup, its lines stay as they are. `isDetailed`: shows where links lead, where cells end
 * and how lists are nested, keeps the white space of preformatted lines, and has empty lines for `<br>` only. @throws UpstreamError */
export function htmlText(html: string, { isDetailed = false } = {}): string {
  if (!/<[a-z!/]/i.test(html)) return decodeHTML(html).trim();
  const lines: Line[] = [];
  let line = "";
  /** The beginning of a list's item, before its text. Not found by a pattern, which would flatten a long line each time. */
  let mark = "";
  let depth = 0;
  let hidden = 0;
  let preformatted = 0;
  /** Whether each open element is hidden. */
  const hiddenOnes: boolean[] = [];
  /** The number of the next item in each open list; NaN if it has no numbers. */
  const numbers: number[] = [];
  /** The target and the text so far of each open link. */
  const links: { href: string; text: string }[] = [];
  const isCode = () => isDetailed && preformatted > 0;
  const add = (text: string) => {
    line += !isCode() && (line === "" || line === mark) ? text.trimStart() : text;
    const link = links.at(-1);
    if (link) link.text += text;
  };
  const endLine = () => {
    if (line !== "" && line === mark) return;
    const level = isDetailed ? numbers.length - (mark !== "" && line.startsWith(mark) ? 1 : 0) : 0;
    lines.push({ text: line, indent: "  ".repeat(Math.min(level, MAX_INDENT)), isCode: isCode() });
    line = mark = "";
  };
  const addCode = (text: string) => {
    for (const [index, part] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) endLine();
      add(part);
    }
  };
  const atBoundary = (name: string) => {
    if (BLOCKS.test(name) && line !== "") endLine();
    if (PARAGRAPHS.test(name) && line === "" && !isDetailed) endLine();
  };
  const endLink = () => {
    const { href = "", text = "" } = links.pop() ?? {};
    if (hidden > 0 || !isDestination(href) || isLinkTo(text.trim(), href)) return;
    add(text.trim() === "" ? href : ` (${href})`);
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw new UpstreamError("HTML nested too deeply");
      const isHidden = HIDDEN.test(name) || isHiddenBy(attributes, name);
      hiddenOnes.push(isHidden);
      if (isHidden) hidden++;
      atBoundary(name);
      if (name === "pre") preformatted++;
      if (name === "ul" || name === "ol") numbers.push(name === "ol" ? Number(attributes.start ?? 1) : Number.NaN);
      if (name === "li" && hidden === 0) line = mark = markOf(numbers);
      if (name === "br") endLine();
      if (CELLS.test(name)) add(isDetailed && line !== "" ? " | " : " ");
      if (name === "img" && hidden === 0) add(attributes.alt ?? "");
      if (isDetailed && name === "a") links.push({ href: attributes.href ?? "", text: "" });
    },
    onclosetag(name) {
      depth--;
      if (isDetailed && name === "a") endLink();
      if (hiddenOnes.pop()) hidden--;
      atBoundary(name);
      if (name === "pre") preformatted--;
      if (name === "ul" || name === "ol") numbers.pop();
      if (name === "li") line = mark = "";
    },
    ontext(text) {
      if (hidden > 0) return;
      if (isCode()) addCode(text);
      else add(preformatted > 0 ? text : text.replace(/[\r\n]+/g, " "));
    },
  });
  parser.end(html);
  endLine();
  return tidy(lines);
}

/** A page to be searched. `text`: the texts of all elements, hidden ones included, those of attributes that may have prices, and the
 * prices and versions in JSON-LD, as `USD 12.00` and `Version 4.2`; with an EDGE between any two. `hasScript`: scripts may show more. */
export interface Page {
  text: string;
  hasScript: boolean;
}

/** In UTF-16 units. The process does nothing else while it reads a page, and longer ones would take seconds. */
const MAX_PAGE = 2 * 1024 * 1024;

/** Names of attributes that may have prices, such as `data-yearly`. */
const PRICED = /price|amount|month|year|annual/;

/** A page in the character set that its header or its first 1,024 bytes name, by default UTF-8. @throws UpstreamError */
export function decodePage(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType + bytes.toString("latin1", 0, 1024))?.[1];
  try {
    return new TextDecoder(charset ?? (bytes[0] === 0xff ? "utf-16le" : "utf-8")).decode(bytes);
  } catch (error) {
    throw new UpstreamError("cannot be read: its character set is unknown", { cause: error });
  }
}

/** @throws UpstreamError */
export function readPage(html: string): Page {
  if (html.length > MAX_PAGE) throw new UpstreamError("cannot be read: more than 2 MiB of HTML");
  const parts = [""];
  let depth = 0;
  let isJsonLd = false;
  let hasScript = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > MAX_DEPTH) throw new UpstreamError("HTML nested too deeply");
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
  const read = (thing: { priceCurrency?: unknown; "@type"?: unknown }, outer: unknown) => {
    const { priceCurrency = outer, "@type": type } = thing;
    for (const [key, value] of Object.entries(thing)) {
      if (typeof value === "object" && value !== null) read(value, priceCurrency);
      else if (/price$/i.test(key)) said.push(`${priceCurrency} ${value}`);
      else if (/Application\S* version$| softwareVersion$/.test(`${type} ${key}`)) said.push(`Version ${value}`);
    }
  };
  try {
    read(Object(JSON.parse(script.replace(/(?:\/\/)?\s*(?:<!\[CDATA\[|\]\]>|<!--|-->)/g, ""))), "");
  } catch {
    // A page with a broken script can still be read.
  }
  return said.join(EDGE);
}

function markOf(numbers: number[]): string {
  const number = numbers.pop() ?? Number.NaN;
  numbers.push(number + 1);
  return Number.isSafeInteger(number) && number >= 0 ? `${number}. ` : "- ";
}

function isHiddenBy(attributes: Record<string, string>, name: string): boolean {
  const { hidden, popover, open, style = "", "aria-hidden": aria = "" } = attributes;
  if ((hidden ?? popover) !== undefined || aria.trim().toLowerCase() === "true") return true;
  // Nothing opens them here.
  if (name === "dialog" && open === undefined) return true;
  return style
    .replace(/\/\*.*?(\*\/|$)/gs, " ")
    .split(";")
    .some((declaration) => {
      const [property = "", value = ""] = declaration.toLowerCase().split(":", 2);
      return HIDING[property.trim()]?.test(value.trim()) ?? false;
    });
}

/** False for a place in the same document, and for an address that is nowhere. */
function isDestination(href: string): boolean {
  return !/^(?:$|#|(?!https?:|mailto:)[a-z][a-z0-9+.-]*:)/i.test(href.trim());
}

/** True if a link's text says where it leads. */
function isLinkTo(text: string, href: string): boolean {
  const target = parseUrl(href)?.href;
  return text === href || ["", "https://", "mailto:"].some((start) => parseUrl(start + text)?.href === (target ?? ""));
}

function tidy(lines: readonly Line[]): string {
  const parts = lines.flatMap((line) => {
    if (line.isCode) return [line];
    return line.text.split("\n").map((part) => ({ ...line, text: part.replace(/[ \t\r\f]+/g, " ").trim() }));
  });
  return parts
    .filter(({ text, isCode }, index) => text !== "" || isCode || parts[index - 1]?.text !== "")
    .map(({ text, indent }) => (text === "" ? "" : indent + text))
    .join("\n")
    .replace(/^\n+/, "")
    .trimEnd();
}
