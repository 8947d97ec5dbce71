// Templates for HTML and Markdown, and the parts that several sections share: tables, times, freshness that the script keeps current,
// switches, and blocks to copy. Everything inserted is escaped unless it is markup already, so that a mistake shows too many escapes,
// never markup from a fact.
import { isPublicUrl } from "../../../snapshots/rules.ts";
import type { PlanName, PlanNames } from "../../../snapshots/schema.ts";
import { dateTime } from "../words/words.ts";

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

/** What means something in Markdown where it stands: `_` inside a word does not, nor `&` and `#` as in `C# & Co`. */
const MARKS = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])|&(?=#?\w+;)|(?<!\S)#|[\\`*[\]<>|~]/gu;

/** Markdown; inserted text is escaped and kept on one line. */
export const markdown = tag<"markdown">((text) =>
  text.replace(/\s+/g, " ").replace(MARKS, (marks) => marks.replace(/./g, "\\$&")),
);

export function trusted<L extends "html" | "markdown">(text: string): Markup<L> {
  return new Markup<L>(text);
}

/** An element whose bytes must match the hash in the policy. It is no template, because the formatter would reindent that. */
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

/** A section in both of its forms. `id`: the fragment of its address. */
export interface Section {
  id: string;
  title: string;
  html: Html;
  markdown: Markdown;
}

/** `instant`: ISO 8601, UTC. */
export function time(instant: string): Html {
  return html`<time datetime="${instant}">${dateTime(instant)}</time>`;
}

/** Attributes of an element with facts: the script marks it as stale at `freshUntil`. */
export function freshnessAttributes(freshUntil: string): Html {
  return html`data-fresh-until="${freshUntil}" data-state="fresh"`;
}

/** An empty line that the script fills at `freshUntil`. */
export function staleNote(freshUntil: string): Html {
  const whenStale = `Out of date since ${dateTime(freshUntil)}: no longer confirmed and possibly wrong`;
  return html`<p class="stamp" ${freshnessAttributes(freshUntil)} data-when-stale="${whenStale}"></p>`;
}

/** Radio buttons that show the parts of one choice, by `switchRules` and without a script. `name`: of the buttons. */
export function switchBetween(
  name: string,
  legend: string,
  choices: readonly { value: string; label: string | Html }[],
): Html {
  return html`<fieldset class="switch">
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, label }, index) =>
        html`<label
          ><input type="radio" name="${name}" value="${value}" ${index === 0 && html`checked`} /><span
            >${label}</span
          ></label
        >`,
    )}
  </fieldset>`;
}

/** CSS rules by which the buttons of the section `id` show the elements with their value in `data-…`. `values`: of
 * letters that need no escape. */
export function switchRules(id: string, name: string, values: readonly string[]): string {
  if (values.length === 0) return "";
  const rules = values.map(
    (value) => `#${id}:has([value="${value}"]:checked) [data-${name}="${value}"]{display:block}`,
  );
  return `@supports selector(:has(a)){[data-${name}]{display:none}${rules.join("")}}`;
}

/** Text in a block with a copy button. `name`: names the text to screen readers, which the button's place does not. */
export function copyBlock(id: string, text: string | readonly (string | Html)[], name: string): Html {
  return html`<div class="copy">
    <pre id="${id}">${text}</pre>
    ${copyButton(id, name)}
  </div>`;
}

export function copyButton(id: string, name: string): Html {
  return html`<button type="button" data-copy="${id}" hidden aria-label="Copy ${name}">Copy</button>`;
}

export function htmlTable(head: readonly string[], rows: readonly Html[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${head.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

export function tableRow(cells: readonly string[]): Html {
  return html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr> `;
}

export function chartRow(title: string, chart: Html, latest = ""): Html {
  return html`<div class="line">
    <dt>${title}</dt>
    <dd>${chart}</dd>
    <dd>${latest}</dd>
  </div>`;
}

/** The URL if it is safe to link to, else undefined. The gate checks URLs too, but a page that linked to a
 * `javascript:` URL would run it. */
export function webLink(url: string): string | undefined {
  return isPublicUrl(url) ? url : undefined;
}

/** What a plan is called, and where it is bought if that is a safe link. */
export function planName(id: string, names: PlanNames = {}): PlanName & { title: string; isStated: boolean } {
  const { title, line, buy = "" } = names[id] ?? {};
  return { title: title ?? id, isStated: title !== undefined, line, buy: webLink(buy) };
}
