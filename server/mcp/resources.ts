// The MCP resources: texts for agents.
import type { ApiSettings } from "../api-settings.ts";
import type { Texts } from "../api-files.ts";
import type { Resource } from "./sdk-server.ts";

/** Inserts the public base URL, which a server knows only after listening; without one, sections with addresses are omitted, and
 * without a history those about its feeds. */
export function resourcesOf(
  api: ApiSettings,
  { overview, faq }: Texts,
  { base, hasFeeds }: { base: string | undefined; hasFeeds: boolean },
): Resource[] {
  const fill = (text: string) =>
    (base === undefined ? withoutSections(text, "{{base}}") : hasFeeds ? text : withoutFeeds(text))
      .replaceAll("{{name}}", () => api.name)
      .replaceAll("{{description}}", () => api.description)
      .replaceAll("{{base}}", () => base ?? "");
  const resource = (name: string, title: string, description: string, text: string): Resource => {
    return { uri: `product://${name}`, name, title, description, mimeType: "text/markdown", text: fill(text) };
  };
  return [
    resource("overview", "Overview", "What this service publishes, and where", overview),
    resource("faq", "Questions and answers", "How fresh the facts are and what the fields mean", faq),
  ];
}

/** Omits the rows of tables that name a feed, and otherwise the section. */
function withoutFeeds(text: string): string {
  return withoutSections(text.replace(/^\|.*\{\{base\}\}\/changes\..*\n/gm, ""), "{{base}}/changes.");
}

/** Omits each section, from one second-level heading to the next, that contains these words. */
function withoutSections(text: string, words: string): string {
  const [introduction = "", ...sections] = text.split(/^(?=## )/m);
  return [introduction, ...sections.filter((section) => !section.includes(words))].join("");
}
