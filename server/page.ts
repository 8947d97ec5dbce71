// The page for people at /: what this is and where everything is. Plain HTML; nothing from elsewhere.
import type { ApiIndex } from "./api-index.ts";
import { FEED, FEED_TYPE } from "./feed.ts";
import { cardAddress } from "./server-card.ts";

/** HTML of the page. `base`: the public base URL, without a slash at its end. */
export function page(index: ApiIndex, base: string): string {
  const feedUrl = base + FEED;
  const links = [
    ["Plans and prices", index.endpoints.plans],
    ["Latest release, macOS", `${index.endpoints.latestRelease}?platform=macos`],
    ["Latest release, Windows", `${index.endpoints.latestRelease}?platform=windows`],
    ["OpenAPI", index.openapi],
    ["Feed of changes", feedUrl],
  ];
  const items = links.map(([text, url]) => `<li><a href="${escape(url)}">${escape(text)}</a></li>`).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escape(index.name)}</title>
<link rel="alternate" type="${FEED_TYPE}" title="Changes" href="${escape(feedUrl)}">
<h1>${escape(index.name)}</h1>
<p>${escape(index.description)}</p>
<ul>
${items}
</ul>
<p>For AI agents: an MCP server (Streamable HTTP) at <code>${escape(index.mcp)}</code>,
and <a href="${escape(cardAddress(index))}">its card</a></p>
</html>
`;
}

function escape(text = ""): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
