// The end of the page: links to the machine-readable documents, the contact and the licence of the facts.
import { FEED_PATH } from "../documents/atom-feed.ts";
import { cardAddress } from "../mcp/server-card.ts";
import { contactUrl } from "../api-settings.ts";
import { html, markdown, trusted, type Html, type Markdown } from "./markup.ts";
import type { View } from "./view.ts";

export function pageFooter({ index, base, api }: View): { html: Html; markdown: Markdown } {
  const { contact, license } = api;
  const links = [
    ...(api.documentation === undefined ? [] : [{ title: "Documentation", href: api.documentation }]),
    { title: "Feed of changes", href: base + FEED_PATH },
    { title: "llms.txt", href: `${base}/llms.txt` },
    { title: "API catalog", href: `${base}/.well-known/api-catalog` },
    { title: "MCP server card", href: cardAddress(index) },
    ...(contact === undefined ? [] : [{ title: "Contact", href: contactUrl(contact) }]),
  ];
  return {
    html: html`<footer>
      ${links.map(({ title, href }) => html`<a href="${href}">${title}</a> `)}${license !== undefined && html`<span>Licence of the facts: ${license}</span>`}
    </footer>`,
    markdown: markdown`${links.map(({ title, href }) => markdown`- ${title}: ${trusted<"markdown">(`<${href}>`)}\n`)}${license !== undefined && markdown`- Licence of the facts: ${license}\n`}`,
  };
}
