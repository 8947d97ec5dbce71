// Converts HTML, as in release notes, to plain text as a person reads it.
import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";
import { parseUrl } from "../../../snapshots/rules.ts";
import { UpstreamError } from "../../http/errors.ts";

const BLOCKS =
  /^(address|article|aside|blockquote|body|dd|details|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;
const PARAGRAPHS = /^(p|h[1-6])$/;
const CELLS = /^t[dh]$/;
const HIDDEN =
  /^(audio|canvas|datalist|iframe|meter|noembed|noframes|noscript|progress|rp|script|style|template|title|video)$/;
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none\b/,
  visibility: /^(hidden|collapse)\b/,
  opacity: /^(-|\+?[0.]+(?![.\d]))/,
  "font-size": /^\+?[0.]+(?![.\d])/,
};

const KEEPS_LINES = /\bwhite-space\s*:\s*(?:pre|break-spaces)/i;

const MAX_INDENT = 8;

/** Browsers have this limit, too: each closing tag is looked for among all open elements. */
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
  const reader = new TextReader(isDetailed);
  new Parser(reader).end(html);
  reader.endLine();
  return tidy(reader.lines);
}

/** Gets the elements of a document from the parser, and makes lines of their text. */
class TextReader {
  readonly lines: Line[] = [];
  readonly #isDetailed: boolean;
  #line = "";
  /** The beginning of a list's item, before its text. Not found by a pattern, which would flatten a long line each time. */
  #mark = "";
  readonly #open: { isHidden: boolean; isPreformatted: boolean }[] = [];
  /** The number of the next item in each open list; NaN if it has no numbers. */
  readonly #numbers: number[] = [];
  readonly #links: { href: string; text: string }[] = [];

  constructor(isDetailed: boolean) {
    this.#isDetailed = isDetailed;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#endLineAt(name);
    const { isHidden: isInHidden = false, isPreformatted = false } = this.#open.at(-1) ?? {};
    const isHidden = isInHidden || HIDDEN.test(name) || isHiddenBy(attributes, name);
    const keepsLines = name === "pre" || KEEPS_LINES.test(attributes.style ?? "");
    this.#open.push({ isHidden, isPreformatted: isPreformatted || keepsLines });
    if (this.#open.length > MAX_DEPTH) throw new UpstreamError("HTML nested too deeply");
    if (isList(name)) this.#numbers.push(name === "ol" ? Number(attributes.start ?? 1) : Number.NaN);
    if (name === "li" && !isHidden) this.#line = this.#mark = markOf(this.#numbers);
    if (name === "br") this.endLine();
    if (CELLS.test(name)) this.#add(this.#isDetailed && this.#line !== "" ? " | " : " ");
    if (name === "img" && !isHidden) this.#add(attributes.alt ?? "");
    if (this.#isDetailed && name === "a") this.#links.push({ href: attributes.href ?? "", text: "" });
  }

  onclosetag(name: string): void {
    if (this.#isDetailed && name === "a") this.#endLink();
    this.#endLineAt(name);
    this.#open.pop();
    if (isList(name)) this.#numbers.pop();
    if (name === "li") this.#line = this.#mark = "";
  }

  ontext(text: string): void {
    const { isHidden = false, isPreformatted = false } = this.#open.at(-1) ?? {};
    if (isHidden) return;
    if (!isPreformatted) return this.#add(text.replace(/[\r\n]+/g, " "));
    if (!this.#isDetailed) return this.#add(text);
    for (const [index, part] of text.split(/\r\n?|\n/).entries()) {
      if (index > 0) this.endLine();
      this.#add(part);
    }
  }

  endLine(): void {
    if (this.#line !== "" && this.#line === this.#mark) return;
    const level = this.#numbers.length - (this.#mark !== "" && this.#line.startsWith(this.#mark) ? 1 : 0);
    const indent = this.#isDetailed ? "  ".repeat(Math.min(level, MAX_INDENT)) : "";
    this.lines.push({ text: this.#line, indent, isCode: this.#isCode() });
    this.#line = this.#mark = "";
  }

  #isCode(): boolean {
    return this.#isDetailed && this.#open.at(-1)?.isPreformatted === true;
  }

  #add(text: string): void {
    const isStart = this.#line === "" || this.#line === this.#mark;
    this.#line += isStart && !this.#isCode() ? text.trimStart() : text;
    const link = this.#links.at(-1);
    if (link) link.text += text;
  }

  #endLineAt(name: string): void {
    if (BLOCKS.test(name) && this.#line !== "") this.endLine();
    if (PARAGRAPHS.test(name) && this.#line === "" && !this.#isDetailed) this.endLine();
  }

  #endLink(): void {
    const { href = "", text = "" } = this.#links.pop() ?? {};
    if (this.#open.at(-1)?.isHidden || !isDestination(href) || isLinkTo(text.trim(), href)) return;
    this.#add(text.trim() === "" ? href : ` (${href})`);
  }
}

function isList(name: string): boolean {
  return name === "ul" || name === "ol";
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

/** A place in the same document is none, nor an address that is nowhere. */
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
