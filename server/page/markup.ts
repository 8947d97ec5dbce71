// Text becomes HTML or Markdown, and is escaped on the way unless it is markup already: whoever forgets something forgets
// on the safe side.

/** Markup of one language. The only ways to it are the tags below and `trusted`. */
export class Markup<Language extends "html" | "markdown"> {
  readonly text: string;
  declare readonly language: Language;

  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup<"html">;
export type Markdown = Markup<"markdown">;

/** What may stand in a template: nothing, text to be escaped, markup, or a list of them. */
type Piece<M> = string | number | undefined | false | M | readonly Piece<M>[];

/** HTML from a template; what stands in it is escaped, in text and in quoted attributes. */
export const html = tag<"html">((text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`));

/** Markdown from a template; what stands in it is escaped and kept on its line. */
export const markdown = tag<"markdown">((text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|~&#]/g, "\\$&"));

/** Our own markup as it is. */
export function trusted<L extends "html" | "markdown">(text: string): Markup<L> {
  return new Markup<L>(text);
}

/** Any text as a block that Markdown leaves alone. */
export function fenced(text: string, language = ""): Markdown {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return new Markup(`${fence}${language}\n${text}\n${fence}`);
}

/** A table; the first row is its head. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | Markdown)[])[]): Markdown {
  const line = (cells: readonly (string | Markdown)[]) =>
    markdown`| ${joined(
      cells.map((cell) => markdown`${cell}`),
      " | ",
    )} |`;
  return joined([line(head), line(head.map(() => "---")), ...rows.map(line)], "\n");
}

/** Pieces of markup with something between them. */
export function joined<L extends "html" | "markdown">(pieces: readonly Markup<L>[], between: string): Markup<L> {
  return new Markup(pieces.map(({ text }) => text).join(between));
}

/** Of our own lines in this source, which is not sent; what stands in a template keeps its spaces. */
const INDENTATION = /\n +/g;

function tag<L extends "html" | "markdown">(escape: (text: string) => string) {
  const write = (piece: Piece<Markup<L>>): string => {
    if (piece === undefined || piece === false) return "";
    if (piece instanceof Markup) return piece.text;
    if (typeof piece === "object") return piece.map(write).join("");
    return escape(String(piece));
  };
  return (strings: TemplateStringsArray, ...pieces: Piece<Markup<L>>[]): Markup<L> =>
    new Markup(strings.map((text, index) => text.replace(INDENTATION, "\n") + write(pieces[index])).join(""));
}
