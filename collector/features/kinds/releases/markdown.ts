// Converts Markdown, as in release notes on GitHub, to plain text as a person reads it: to HTML first, since it may contain HTML.
import MarkdownIt from "markdown-it";
import { htmlText } from "../html.ts";
import { changelogText } from "../shape.ts";

// Each line stays a line, as on GitHub and in plain text. Each level of nesting costs time on all lines.
const markdown = new MarkdownIt({ html: true, breaks: true, maxNesting: 30 });

// A comment that begins within a line is one for readers even if it ends in another paragraph, or never. An escaped `\<!--` is
// text; joined with other text, it would look the same.
const { rules } = markdown.renderer;
markdown.core.ruler.disable("text_join");
rules.text_special = (tokens, index) => markdown.utils.escapeHtml(tokens[index]?.content ?? "");
rules.text = (tokens, index) => (tokens[index]?.content ?? "").replace(/&/g, "&amp;").replace(/<(?!!--)/g, "&lt;");

// A definition is written once, and may be repeated thousands of times: without a limit, notes would grow with the square.
const MAX_DEFINITION = 2_048;
markdown.core.ruler.before("inline", "short_definitions", ({ env: { references = {} } }) => {
  for (const [name, definition] of Object.entries(references))
    if (JSON.stringify(definition).length > MAX_DEFINITION) delete references[name];
});

// Otherwise, thousands of them inside each other would be HTML that is nested too deeply.
for (const mark of ["em", "strong", "s"]) rules[`${mark}_open`] = rules[`${mark}_close`] = () => "";

// Empty lines between blocks are those of the document.
markdown.core.ruler.push("empty_lines", (state) => {
  const lines = state.src.split("\n");
  let last = 0;
  state.tokens = state.tokens.flatMap((token) => {
    const [line = 0] = token.map ?? [];
    if (token.nesting < 0 || line <= last || !/^[\s>]*$/.test(lines[line - 1] ?? "")) return [token];
    last = line;
    return [Object.assign(new state.Token("html_block", "", 0), { content: "<br>" }), token];
  });
});

/** Converting blocks the event loop, by a millisecond for each thousand UTF-16 units; no real notes are as long. */
const MAX_MARKDOWN = 32_000;

/** Reads MAX_MARKDOWN of a document. Plain text stays as it is, but for marks of Markdown. @throws UpstreamError for HTML that
 * is nested too deeply. */
export function markdownText(text: string): string {
  return changelogText(htmlText(markdown.render(changelogText(text, MAX_MARKDOWN)), { isDetailed: true }));
}
