// Templates for HTML and Markdown. Everything inserted is escaped unless it is markup already, so that a mistake shows
// too many escapes, never markup from a fact.

/** Only the functions below make it. */
export class Markup<Language extends "html" | "markdown"> {
  readonly text: string;
  declare readonly language: Language;

  constructor(text: string) {
    this.text = text;
  }
}
export type Html = Markup<"html">;
export type Markdown = Markup<"markdown">;

/** A value inserted into a template: nothing, text to escape, markup, or a list of these. */
type TemplateValue<M> = string | number | undefined | false | M | readonly TemplateValue<M>[];

/** HTML; inserted text is escaped for elements and quoted attributes. */
export const html = tag<"html">((text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`));

/** Markdown; inserted text is escaped and kept on one line. */
export const markdown = tag<"markdown">((text) => text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|~&#]/g, "\\$&"));

export function trusted<L extends "html" | "markdown">(text: string): Markup<L> {
  return new Markup<L>(text);
}

/** An element whose bytes must match the hash in the policy. Not a template, which the formatter would reindent. */
export function verbatim(name: "style" | "script", text: string): Html {
  return trusted(`<${name}>${text}</${name}>`);
}

/** A code block, with a fence longer than any in the text. */
export function fenced(text: string, language = ""): Markdown {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return new Markup(`${fence}${language}\n${text}\n${fence}`);
}

export function markdownTable(head: readonly string[], rows: readonly (readonly (string | Markdown)[])[]): Markdown {
  const line = (cells: readonly (string | Markdown)[]) =>
    markdown`| ${joined(
      cells.map((cell) => markdown`${cell}`),
      " | ",
    )} |`;
  return joined([line(head), line(head.map(() => "---")), ...rows.map(line)], "\n");
}

export function joined<L extends "html" | "markdown">(parts: readonly Markup<L>[], between: string): Markup<L> {
  return new Markup(parts.map(({ text }) => text).join(between));
}

/** The indentation of templates in this source is not sent; inserted text keeps its spaces. */
const INDENTATION = /\n +/g;

function tag<L extends "html" | "markdown">(escape: (text: string) => string) {
  const write = (value: TemplateValue<Markup<L>>): string => {
    if (value === undefined || value === false) return "";
    if (value instanceof Markup) return value.text;
    if (typeof value === "object") return value.map(write).join("");
    return escape(String(value));
  };
  return (strings: TemplateStringsArray, ...values: TemplateValue<Markup<L>>[]): Markup<L> =>
    new Markup(strings.map((text, index) => text.replace(INDENTATION, "\n") + write(values[index])).join(""));
}
