// Documents by which machines find everything from the domain name: api-catalog (RFC 9727), llms.txt, robots.txt, a
// sitemap, security.txt (RFC 9116), and the entry for the MCP registry. All links use the base URL from the settings.
import { sha256, SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import type { ApiIndex } from "../../api-index.ts";
import { contactUrl, type ApiSettings } from "../../api-settings.ts";
import { SNAPSHOT_TITLES } from "../../format.ts";
import { icon } from "../mcp/identity.ts";
import type { Resource } from "../mcp/resources.ts";
import { CARD_TYPE, cardAddress, serverCard } from "../mcp/server-card.ts";
import { INTEGRITY, PINNED_PATH } from "../widgets/embed-view.ts";
import { ATOM_FEED_PATH, JSON_FEED_PATH } from "../history/feeds.ts";
import { historyPath } from "../history/history-reads.ts";

/** Leads from any one address to the rest (RFC 8288, RFC 8631, RFC 9727). */
export function linkHeader(base: string, documentation: string): string {
  return [
    `<${base}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${base}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${documentation}>; rel="service-doc"`,
  ].join(", ");
}

/** A linkset (RFC 9264). */
export function apiCatalog(index: ApiIndex, base: string): object {
  const documentation = [{ href: index.documentation, type: "text/html" }];
  return {
    linkset: [
      {
        anchor: `${base}/api/v1`,
        "service-desc": [{ href: index.openapi, type: "application/json" }],
        "service-doc": documentation,
        status: [{ href: `${base}/status`, type: "application/json" }],
      },
      {
        anchor: index.mcp,
        "service-desc": [{ href: cardAddress(index), type: CARD_TYPE }],
        "service-doc": documentation,
      },
    ],
  };
}

export function resourcePath({ uri }: Resource): string {
  return `/${uri.replace("product://", "")}.md`;
}

export function llmsTxt(
  index: ApiIndex,
  base: string,
  { resources, hasFeeds }: { resources: readonly Resource[]; hasFeeds: boolean },
): string {
  const texts = resources.map(
    (resource) => `- [${resource.title}](${base}${resourcePath(resource)}): ${resource.description}`,
  );
  const feeds = [
    `- [Feed of changes](${base}${ATOM_FEED_PATH}): Atom, past changes and their times, not the current facts`,
    `- [The same as JSON](${base}${JSON_FEED_PATH}): JSON Feed 1.1; with \`?since=2026-11-22\` from that time on`,
    ...SNAPSHOT_NAMES.map((name) => {
      const title = `${SNAPSHOT_TITLES[name]}, as of any day`;
      return `- [${title}](${base}${historyPath(name)}): its revisions; with \`?at=2026-11-22\` what was served then`;
    }),
  ];
  const { name, description, openapi, mcp, endpoints } = index;
  return `# ${name}

> ${description}

Read-only, no key needed. Facts that can no longer be confirmed return 502, never a guess.

## Texts

- [Page](${base}/): prices, downloads, their history and freshness; Markdown with \`Accept: text/markdown\`
${texts.join("\n")}

## API

- [Index](${base}/api/v1): links to everything
- [Plans](${endpoints.plans}): plans, billing cycles and prices
- [Latest release for macOS](${endpoints.latestRelease}?platform=macos): version, changelog, download
- [Latest release for Windows](${endpoints.latestRelease}?platform=windows): version, changelog, download
${[`- [OpenAPI](${openapi}): machine-readable description`, ...(hasFeeds ? feeds : [])].join("\n")}

## Web pages

- [Script](${base}/embed.js): the elements \`<vitrine-plans>\` and \`<vitrine-download>\`, for any site
- [The same, pinned](${base}${PINNED_PATH}): never changes, with \`integrity="${INTEGRITY}"\`

## MCP

- Endpoint for Streamable HTTP (POST only): \`${mcp}\`
- [Server card](${cardAddress(index)}): description of the endpoint and its protocol versions
`;
}

export function robotsTxt({ contentSignal }: ApiSettings, base: string): string {
  const signal = contentSignal === undefined ? "" : `Content-Signal: ${contentSignal}\n`;
  return `User-agent: *\n${signal}Allow: /\n\nSitemap: ${base}/sitemap.xml\n`;
}

/** There is only one page. */
export function sitemap(base: string): string {
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

const REGISTRY_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** server.json: the entry of this server for the MCP registry, which a vendor downloads and publishes with the
 * registry's own program. https://github.com/modelcontextprotocol/registry has the format. The registry refuses a version
 * that it has, and http: so the version names the content, and what is not https is left out. `logo`: a `data:` URI. */
export function registryEntry(index: ApiIndex, base: string, logo: string | undefined) {
  const { name, title, description, version, websiteUrl } = serverCard(index);
  const content = {
    ...(websiteUrl.startsWith("https:") && { websiteUrl }),
    ...(logo !== undefined && base.startsWith("https:") && { icons: [icon(`${base}/favicon.ico`, logo)] }),
    remotes: [{ type: "streamable-http", url: index.mcp }],
  };
  const hash = sha256(JSON.stringify([name, title, description, version, content]));
  const versioned = `${version}+${hash.slice(0, 12)}`;
  return { $schema: REGISTRY_SCHEMA, name, title, description, version: versioned, ...content };
}

/** /.well-known/mcp-registry-auth, by which the registry believes that who publishes the entry owns the domain. */
export function registryAuth(publicKey: string): string {
  return `v=MCPv1; k=ed25519; p=${publicKey}\n`;
}
