// Documents by which machines find everything from the domain name: the index, api-catalog (RFC 9727), llms.txt, robots.txt, a sitemap
// and security.txt (RFC 9116). For crawlers, agents and scanners. Other features add their lines to them. All links use the base URL
// from the settings.
import { linkHeader, type ApiIndex } from "../../api-index.ts";
import { contactUrl, type ApiSettings } from "../../api-settings.ts";
import type { Addition, Mention, Site } from "../../answers/addition.ts";
import { document, type Answer } from "../../answers/answer.ts";

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const PLAIN = "text/plain; charset=utf-8";

export function discovery(site: Site): Addition {
  const { base } = site;
  const catalog = { title: "API catalog", href: `${base}/.well-known/api-catalog` };
  return {
    documents: (now) => documentsOf(site, now),
    mention: { links: [{ title: "llms.txt", type: PLAIN, href: `${base}/llms.txt` }, catalog] },
  };
}

function documentsOf({ api, index, base, mentions }: Site, now: number): Record<string, Answer> {
  const links = { link: linkHeader(base, index.documentation) };
  const catalogLink = { link: `<${base}/.well-known/api-catalog>; rel="api-catalog"` };
  return {
    "/api/v1": document(JSON.stringify(index), "application/json", links),
    "/.well-known/api-catalog": document(JSON.stringify(apiCatalog(index, base, mentions())), LINKSET, catalogLink),
    "/llms.txt": document(llmsTxt(index, base, mentions()), PLAIN),
    "/robots.txt": document(robotsTxt(api, base, mentions()), PLAIN),
    "/sitemap.xml": document(sitemap(base), "application/xml"),
    ...(api.contact !== undefined && {
      "/.well-known/security.txt": document(securityTxt(api.contact, base, now), PLAIN),
    }),
  };
}

/** A linkset (RFC 9264). */
function apiCatalog(index: ApiIndex, base: string, mentions: readonly Mention[]): object {
  return {
    linkset: [
      {
        anchor: `${base}/api/v1`,
        "service-desc": [{ href: index.openapi, type: "application/json" }],
        "service-doc": [{ href: index.documentation, type: "text/html" }],
        status: [{ href: `${base}/status`, type: "application/json" }],
      },
      ...mentions.flatMap(({ catalog = [] }) => catalog),
    ],
  };
}

/** Its links lead to Markdown, which readers of such files fetch and keep; addresses for programs are code. */
function llmsTxt(
  { name, description, openapi, endpoints }: ApiIndex,
  base: string,
  mentions: readonly Mention[],
): string {
  const own: Required<Mention>["llms"] = {
    API: [
      `- \`${base}/api/v1\`: index with links to everything`,
      `- \`${endpoints.plans}\`: plans, billing cycles and prices`,
      `- \`${endpoints.latestRelease}?platform=macos\`: latest release for macOS: version, changelog, download`,
      `- \`${endpoints.latestRelease}?platform=windows\`: latest release for Windows: version, changelog, download`,
      `- \`${openapi}\`: machine-readable description`,
    ],
  };
  const sections = (["Facts", "Texts", "API", "Web pages", "MCP"] as const).map((heading) => {
    const lines = [own, ...mentions.map(({ llms = {} }) => llms)].flatMap((llms) => llms[heading] ?? []);
    return lines.length === 0 ? "" : `\n## ${heading}\n\n${lines.join("\n")}\n`;
  });
  return `# ${name}

> ${description}

Read-only, no key needed. Facts that can no longer be confirmed return 502, never a guess.
${sections.join("")}`;
}

/** Names the catalogue of agentic resources, if there is one. */
function robotsTxt({ contentSignal }: ApiSettings, base: string, mentions: readonly Mention[]): string {
  const signal = contentSignal === undefined ? "" : `Content-Signal: ${contentSignal}\n`;
  const catalogs = mentions.flatMap(({ links = [] }) => links.filter(({ rel }) => rel === "ard"));
  const agentmaps = catalogs.map(({ href }) => `Agentmap: ${href}\n`).join("");
  return `User-agent: *\n${signal}Allow: /\n\nSitemap: ${base}/sitemap.xml\n${agentmaps}`;
}

/** There is only one page. */
function sitemap(base: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>${base.replaceAll("&", "&amp;")}/</loc></url>
</urlset>
`;
}

const DAY_MS = 86_400_000;

/** `contact`: an e-mail address or a URL. Expires a day before the half-year after next begins: the same on every
 * replica and after a restart, and half a year to a year from `now`. */
export function securityTxt(contact: string, base: string, now: number): string {
  const date = new Date(now);
  const halfYears = (date.getUTCMonth() < 6 ? 0 : 1) + 2;
  const expires = new Date(Date.UTC(date.getUTCFullYear(), halfYears * 6) - DAY_MS).toISOString();
  return `Contact: ${contactUrl(contact)}\nExpires: ${expires}\nCanonical: ${base}/.well-known/security.txt\n`;
}
