// The MCP resources: texts for agents, from Markdown files that ship with Vitrine or are named in the settings.
import { readFileSync } from "node:fs";
import type { ApiSettings } from "../settings.ts";
import { TEXTS } from "../texts.ts";
import type { Resource } from "./sdk-server.ts";
import { errorCode } from "../../snapshots/error-code.ts";

/** Reads the texts once. The returned function inserts the public base URL, which is known only after listening;
 * without one it omits the sections with addresses.
 * @throws Error naming the file that cannot be read. */
export function readResources(api: ApiSettings): (base: string | undefined) => Resource[] {
  const overview = readText(api.overview ?? new URL("overview.md", TEXTS), "api.overview");
  const faq = readText(api.faq ?? new URL("faq.md", TEXTS), "api.faq");
  return (base) => {
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
  };
}

/** Omits each section, from one second-level heading to the next, that contains the base URL. */
function withoutAddresses(text: string): string {
  const [introduction = "", ...sections] = text.split(/^(?=## )/m);
  return [introduction, ...sections.filter((section) => !section.includes("{{base}}"))].join("");
}

function readText(file: string | URL, setting: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = errorCode(error) ?? "unknown error";
    throw new Error(`${setting}: the Markdown file ${String(file)} cannot be read (${code})`, { cause: error });
  }
}
