// Describes the MCP server to clients before they connect: the server card (SEP-2127) next to the endpoint, an extended
// card for scanners (SEP-1649) at the well-known addresses, and the catalogue of agentic resources. All of them match the server's own
// answers.
import { isIP } from "node:net";
import { API_VERSION, type ApiIndex } from "../../api-index.ts";
import { SPECIFIED_VERSION, VERSIONS } from "./protocol-version.ts";
import { CAPABILITIES, hostName, serverInfo } from "./identity.ts";
import { listedTools } from "./tools.ts";

export const SERVER_CARD_TYPE = "application/mcp-server-card+json";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

const MAX_DESCRIPTION_LENGTH = 100;

/** Address of the card: reserved by MCP, below the endpoint's. */
export function cardAddress({ mcp }: Pick<ApiIndex, "mcp">): string {
  return `${mcp}/server-card`;
}

export function serverCard(index: ApiIndex) {
  const { name: title, description, documentation, mcp } = index;
  const { name, version } = infoOf(index);
  return {
    $schema: SCHEMA,
    name: `${namespace(publisher(mcp))}/${name}`,
    version,
    description: shortened(description, MAX_DESCRIPTION_LENGTH),
    title,
    websiteUrl: documentation,
    remotes: [{ type: "streamable-http", url: mcp, supportedProtocolVersions: VERSIONS }],
  };
}

/** The card for scanners and directories, which do not connect. */
export function wellKnownCard(index: ApiIndex) {
  const { name, mcp } = index;
  return {
    ...serverCard(index),
    protocolVersion: SPECIFIED_VERSION,
    serverInfo: infoOf(index),
    transport: { type: "streamable-http", endpoint: new URL(mcp).pathname, url: mcp },
    capabilities: CAPABILITIES,
    authentication: { required: false },
    // Output schemas are long, and useful only to callers.
    tools: listedTools(name).map(({ outputSchema, ...tool }) => tool),
  };
}

/** When an entry was last changed: ISO 8601, UTC. A test compares. */
export const CATALOG_CHANGED = "2026-11-27T00:00:00Z";
const OPENAPI_TYPE = "application/vnd.oai.openapi+json;version=3.1";

/** The catalogue of Agentic Resource Discovery 0.91, which is also one of 0.9: that has fewer members at its root, and another
 * address. Search services rank entries by what they can do and by the questions that they answer. */
export function aiCatalog(index: ApiIndex) {
  const { name, description, documentation, mcp, openapi } = index;
  const entry = (kind: string, title: string, own: { type: string; url: string; capabilities: readonly string[] }) => ({
    identifier: `urn:air:${publisher(mcp)}:${kind}:${hostName(name, mcp)}`,
    displayName: `${name} (${title})`,
    ...own,
    description,
    tags: ["pricing", "plans", "subscriptions", "releases", "downloads", "changelog"],
    representativeQueries: [
      `How much does ${name} cost?`,
      `Which plans does ${name} offer, by the month and by the year?`,
      `What is the latest version of ${name}, and what is new in it?`,
      `Where can I download ${name} for macOS or Windows?`,
    ],
    version: API_VERSION,
    updatedAt: CATALOG_CHANGED,
  });
  const tools = listedTools(name).map((tool) => tool.name);
  return {
    specVersion: "1.0",
    host: { displayName: name, documentationUrl: documentation },
    entries: [
      entry("mcp", "MCP server", { type: SERVER_CARD_TYPE, url: cardAddress(index), capabilities: tools }),
      entry("api", "REST API", { type: OPENAPI_TYPE, url: openapi, capabilities: ["getPlans", "getLatestRelease"] }),
    ],
  };
}

function infoOf({ name, documentation, mcp }: ApiIndex) {
  return serverInfo({ title: name, base: mcp, websiteUrl: documentation });
}

/** The host of an address, without characters that names may not have, such as those of an IPv6 address. */
function publisher(address: string): string {
  const { hostname } = new URL(address);
  return hostname.replace(/^\[|\]$|\.$/g, "").replace(/[^a-z0-9.-]/g, "-");
}

/** com.example for example.com; an IP address stays as it is, having no domain. */
function namespace(host: string): string {
  return isIP(host) ? host : host.split(".").toReversed().join(".");
}

/** The text, or its first words and an ellipsis. */
function shortened(text: string, maxLength: number): string {
  const characters = [...text];
  if (characters.length <= maxLength) return text;
  const beginning = characters.slice(0, maxLength - 1).join("");
  const words = /^\s/.test(characters[maxLength - 1] ?? "") ? beginning : beginning.replace(/(?<=\S)\s+\S*$/, "");
  return `${words.replace(/[\s,;:.]+$/, "")}…`;
}
