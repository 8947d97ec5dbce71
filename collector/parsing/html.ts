// Converts HTML, as in release notes, to plain text as a person reads it.
import { decodeHTML } from "entities";
import { Parser } from "htmlparser2";
import { UpstreamError } from "../http/errors.ts";

/** Elements on lines of their own. */
const BLOCKS =
  /^(address|article|aside|blockquote|body|dd|details|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;
/** Elements with empty lines around them. */
const PARAGRAPHS = /^(p|h[1-6])$/;
const CELLS = /^t[dh]$/;
const HIDDEN = /^(audio|iframe|script|style|template|title|video)$/;
const BULLET = "- ";

/** As in browsers: each closing tag is looked for among all open elements. */
const MAX_DEPTH = 500;

/** The text of an HTML fragment. Without markup, its lines stay as they are. @throws UpstreamError */
export function htmlText(html: string): string {
  if (!/<[a-z!/]/i.test(html)) return decodeHTML(html).trim();
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  let hidden = 0;
  let preformatted = 0;
  const add = (text: string) => {
    line += line === "" || line === BULLET ? text.trimStart() : text;
  };
  const endLine = () => {
    if (line === BULLET) return;
    lines.push(line);
    line = "";
  };
  const atBoundary = (name: string) => {
    if (BLOCKS.test(name) && line !== "") endLine();
    if (PARAGRAPHS.test(name) && line === "") endLine();
  };
  const parser = new Parser({
    onopentagname(name) {
      if (++depth > MAX_DEPTH) throw new UpstreamError("HTML nested too deeply");
      if (HIDDEN.test(name)) hidden++;
      if (name === "pre") preformatted++;
      atBoundary(name);
      if (name === "li") line = BULLET;
      if (name === "br") endLine();
      if (CELLS.test(name)) add(" ");
    },
    onclosetag(name) {
      depth--;
      if (HIDDEN.test(name)) hidden--;
      if (name === "pre") preformatted--;
      atBoundary(name);
      if (name === "li") line = "";
    },
    ontext(text) {
      if (hidden === 0) add(preformatted > 0 ? text : text.replace(/[\r\n]+/g, " "));
    },
  });
  parser.end(html);
  return tidy([...lines, line].join("\n"));
}

/** Without repeated white space. */
function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/[ \t\r\f]+/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim();
}
