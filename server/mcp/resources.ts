// The MCP resources: texts for agents.
import type { ApiSettings } from "../api-settings.ts";
import type { Texts } from "../api-files.ts";
import type { Resource } from "./sdk-server.ts";

/** Inserts the public base URL, which a server knows only after listening; without one, sections with addresses are omitted. */
export function resourcesOf(api: ApiSettings, { overview, faq }: Texts, base: string | undefined): Resource[] {
  const fill = (text: string) =>
    (base === undefined ? withoutAddresses(text) : text)
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

/** Omits each section, from one second-level heading to the next, that contains the base URL. */
function withoutAddresses(text: string): string {
  const [introduction = "", ...sections] = text.split(/^(?=## )/m);
  return [introduction, ...sections.filter((section) => !section.includes("{{base}}"))].join("");
}
