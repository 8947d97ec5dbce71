// server.json: the entry of this server for the MCP registry, which a vendor downloads and publishes with the
// registry's own program. https://github.com/modelcontextprotocol/registry has the format.
import type { ApiIndex } from "../api-index.ts";
import { serverCard } from "../mcp/server-card.ts";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

export function registryEntry(index: ApiIndex) {
  const { name, title, description, version, websiteUrl } = serverCard(index);
  return {
    $schema: SCHEMA,
    name,
    title,
    description,
    version,
    // The registry refuses http.
    ...(websiteUrl.startsWith("https:") && { websiteUrl }),
    remotes: [{ type: "streamable-http", url: index.mcp }],
  };
}
