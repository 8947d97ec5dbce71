// Converts HTML, as in release notes, to plain text. In one pass, so that no markup can make it slow.

/** Elements that begin a new line. */
const BLOCKS = /^(address|article|blockquote|body|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|tr|ul)$/;
/** Elements with content that is skipped. */
const HIDDEN = /^(script|style|head|title|template)$/;

/** Named character references that release notes use. */
const REFERENCES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  rarr: "→",
  larr: "←",
};
const XML_REFERENCES = new Set(["amp", "lt", "gt", "quot", "apos"]);

/** The text of an HTML fragment, with a line for each block. Text without markup is returned as it is. */
export function htmlText(html: string): string {
  if (!/<[a-z!/]/i.test(html)) return decodeEntities(html).trim();
  let text = "";
  for (let at = 0; at < html.length;) {
    const open = html.indexOf("<", at);
    const end = open === -1 ? html.length : open;
    text += html.slice(at, end).replace(/[ \t\r\n]+/g, " ");
    if (open === -1) break;
    const tag = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 16))?.[1]?.toLowerCase();
    const isComment = html.startsWith("<!", open);
    if (tag === undefined && !isComment) {
      text += "<";
      at = open + 1;
      continue;
    }
    if (tag !== undefined && BLOCKS.test(tag)) text += lineFor(tag, html[open + 1] === "/");
    at = after(html, open, closing(html, open, tag));
  }
  return decodeEntities(tidy(text));
}

/** Replaces character references: by number, and the names above or, if `isXml`, XML's own five. */
export function decodeEntities(text: string, isXml = false): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g, (reference, decimal, hex, name) => {
    if (name !== undefined) return (isXml && !XML_REFERENCES.has(name) ? undefined : REFERENCES[name]) ?? reference;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : reference;
  });
}

function lineFor(tag: string, isEnd: boolean): string {
  if (tag === "li") return isEnd ? "" : "\n- ";
  return /^(p|h[1-6])$/.test(tag) ? "\n\n" : "\n";
}

/** The end of the markup that starts at `open`. */
function closing(html: string, open: number, tag: string | undefined): string {
  if (html.startsWith("<!--", open)) return "-->";
  return tag !== undefined && HIDDEN.test(tag) && html[open + 1] !== "/" ? `</${tag}>` : ">";
}

function after(html: string, from: number, end: string): number {
  const at = html.indexOf(end, from);
  return at === -1 ? html.length : at + end.length;
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line, index) => line !== "-" && (line !== "" || lines[index - 1] !== ""))
    .join("\n")
    .trim();
}
