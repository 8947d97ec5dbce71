// What tells a client of the MCP server before it connects: the server card (SEP-2127) beside the endpoint, the same with
// what scanners look for (SEP-1649) at the well-known places, and the AI catalogue that leads to it. All of it is what the
// server itself says once one is connected.
import { isIP } from "node:net";
import type { ApiIndex } from "../api-index.ts";
import { SPECIFIED_VERSION, VERSIONS } from "./protocol-version.ts";
import { CAPABILITIES, SERVER_NAME, serverInfo } from "./identity.ts";
import { listedTools } from "./tools.ts";

export const CARD_TYPE = "application/mcp-server-card+json";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** Most characters of a card's description. */
const MAX_DESCRIPTION = 100;

/** Address of the card: the place that MCP keeps for it, after the endpoint's. */
export function cardAddress({ mcp }: Pick<ApiIndex, "mcp">): string {
  return `${mcp}/server-card`;
}

export function serverCard({ name, description, documentation, mcp }: ApiIndex) {
  const { title, version } = serverInfo(name);
  return {
    $schema: SCHEMA,
    name: `${namespace(publisher(mcp))}/${SERVER_NAME}`,
    version,
    description: shortened(description, MAX_DESCRIPTION),
    title,
    websiteUrl: documentation,
    remotes: [{ type: "streamable-http", url: mcp, supportedProtocolVersions: VERSIONS }],
  };
}

/** The card for those who do not connect, such as scanners and directories. */
export function wellKnownCard(index: ApiIndex) {
  const { name, mcp } = index;
  return {
    ...serverCard(index),
    protocolVersion: SPECIFIED_VERSION,
    serverInfo: serverInfo(name),
    transport: { type: "streamable-http", endpoint: new URL(mcp).pathname, url: mcp },
    capabilities: CAPABILITIES,
    authentication: { required: false },
    // The shapes of results are long, and of use only to who calls.
    tools: listedTools().map(({ outputSchema, ...tool }) => tool),
  };
}

export function aiCatalog(index: ApiIndex) {
  const identifier = `urn:air:${publisher(index.mcp)}:mcp:${SERVER_NAME}`;
  return { specVersion: "1.0", entries: [{ identifier, type: CARD_TYPE, url: cardAddress(index) }] };
}

/** The host of an address, in the letters that names may have: those of an IPv6 address or a local name may be others. */
function publisher(address: string): string {
  const { hostname } = new URL(address);
  return hostname.replace(/^\[|\]$|\.$/g, "").replace(/[^a-z0-9.-]/g, "-");
}

/** example.com is com.example. An IP address has no owner to begin with, and stays as it is. */
function namespace(host: string): string {
  return isIP(host) ? host : host.split(".").toReversed().join(".");
}

/** The text, or its first words and a mark. `length`: of the result at most, characters. */
function shortened(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const beginning = characters.slice(0, length - 1).join("");
  const words = /^\s/.test(characters[length - 1] ?? "") ? beginning : beginning.replace(/(?<=\S)\s+\S*$/, "");
  return `${words.replace(/[\s,;:.]+$/, "")}…`;
}
