// The documents by which clients find the MCP server and read its resources without connecting, the entry for the MCP registry, and what
// page, llms.txt and API catalogue say about the server.
import { sha256 } from "../../../snapshots/snapshot.ts";
import type { ApiIndex } from "../../api-index.ts";
import type { Addition, Mention, Site } from "../../answers/addition.ts";
import { document, FEED } from "../../answers/answer.ts";
import { hostName, icon } from "./identity.ts";
import { resourcesOf, type Resource } from "./resources.ts";
import { aiCatalog, cardAddress, SERVER_CARD_TYPE, serverCard, wellKnownCard } from "./server-card.ts";
import { listedTools } from "./tools.ts";

const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const AI_CATALOG_TYPE = "application/ai-catalog+json";

type McpSite = Pick<Site, "api" | "index" | "base" | "logo" | "texts" | "hasFeeds">;

export function mcpDocuments(site: McpSite): Addition {
  const { api, index, base, logo } = site;
  const resources = resourcesOf(api, site.texts, site);
  // Scanners still look at the addresses of two earlier proposals.
  const card = document(JSON.stringify(wellKnownCard(index)));
  const catalog = JSON.stringify(aiCatalog(index));
  const documents = {
    "/.well-known/ard.json": document(catalog),
    "/.well-known/ai-catalog.json": document(catalog, AI_CATALOG_TYPE),
    "/.well-known/mcp/server-card.json": card,
    "/.well-known/mcp.json": card,
    "/mcp/server-card": document(JSON.stringify(serverCard(index)), SERVER_CARD_TYPE),
    "/server.json": document(JSON.stringify(registryEntry(index, base, logo), null, 2)),
    ...Object.fromEntries(resources.map((resource) => [resourcePath(resource), document(resource.text, MARKDOWN)])),
    // By it the registry believes that who publishes the entry owns the domain.
    ...(api.registryKey !== undefined && {
      "/.well-known/mcp-registry-auth": document(`v=MCPv1; k=ed25519; p=${api.registryKey}\n`, PLAIN, FEED),
    }),
  };
  return { documents: () => documents, mention: mention(index, base, resources) };
}

function mention(index: ApiIndex, base: string, resources: readonly Resource[]): Mention {
  const { mcp, documentation, name } = index;
  const card = cardAddress(index);
  return {
    llms: {
      Texts: resources.map(
        (resource) => `- [${resource.title}](${base}${resourcePath(resource)}): ${resource.description}`,
      ),
      MCP: [
        `- \`${mcp}\`: endpoint for Streamable HTTP (POST only)`,
        `- \`${card}\`: description of the endpoint and its protocol versions`,
      ],
    },
    catalog: [
      {
        anchor: mcp,
        "service-desc": [{ href: card, type: SERVER_CARD_TYPE }],
        "service-doc": [{ href: documentation, type: "text/html" }],
      },
    ],
    links: [
      { title: "MCP server card", href: card },
      { rel: "ard", type: "application/json", title: "Agents", href: `${base}/.well-known/ard.json` },
      // Of the predecessor: Lighthouse 13.5 and others look for no other.
      { rel: "ai-catalog", type: AI_CATALOG_TYPE, title: "Agents", href: `${base}/.well-known/ai-catalog.json` },
    ],
    agents: { name: hostName(name, mcp), tools: listedTools(name) },
  };
}

function resourcePath({ uri }: Resource): string {
  return `/${uri.replace("product://", "")}.md`;
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
