// The MCP resources: texts for agents.
import type { ApiSettings } from "../api-settings.ts";
import type { Texts } from "../api-files.ts";
import { FAQ, OVERVIEW, TEXTS_CHANGED } from "../api-texts.ts";
import { hostName } from "./identity.ts";
import type { Resource } from "./sdk-server.ts";

const BUILT_IN: Texts = { overview: OVERVIEW, faq: FAQ };

/** Inserts the public base URL, which a server knows only after listening; without one, sections with addresses are omitted, and
 * without a history those about its feeds. */
export function resourcesOf(
  api: ApiSettings,
  texts: Texts,
  { base, hasFeeds }: { base: string | undefined; hasFeeds: boolean },
): Resource[] {
  const fill = (text: string) =>
    (base === undefined ? withoutSections(text, "{{base}}") : hasFeeds ? text : withoutFeeds(text))
      .replaceAll("{{name}}", () => api.name)
      .replaceAll("{{description}}", () => api.description)
      .replaceAll("{{base}}", () => base ?? "");
  const resource = (name: keyof Texts, title: string, description: string): Resource => {
    const text = fill(texts[name]);
    return {
      uri: `product://${name}`,
      name: `${hostName(api.name, base)}-${name}`,
      title,
      description,
      mimeType: "text/markdown",
      size: Buffer.byteLength(text),
      ...(texts[name] === BUILT_IN[name] && { annotations: { lastModified: TEXTS_CHANGED } }),
      text,
    };
  };
  return [
    resource("overview", `Overview of ${api.name}`, `What this service publishes about ${api.name}, and where`),
    resource("faq", `Questions and answers about ${api.name}`, `How to read the facts about ${api.name}`),
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
