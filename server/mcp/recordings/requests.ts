// The requests whose answers are recorded, and the key by which a client's request finds its recording.
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import { releaseName, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { isObject, type McpRequest } from "../json-rpc.ts";
import { namesPlatform, platformArgument } from "../platform-argument.ts";
import { HANDSHAKE_VERSIONS, type Era } from "../protocol-version.ts";

export interface RecordableRequest {
  era: Era;
  method: string;
  params?: Record<string, unknown>;
  /** The snapshot in the answer. */
  contains?: SnapshotName;
}

/** Gets prices with a hint, whatever it is and however it is named. */
const ANY_PLATFORM = { platform: PLATFORMS[0] };

/** `uris`: of the resources. */
export function recordableRequests(uris: readonly string[]): RecordableRequest[] {
  const ofBothEras: Omit<RecordableRequest, "era">[] = [
    { method: "tools/list" },
    { method: "resources/list" },
    { method: "resources/templates/list" },
    ...uris.map((uri) => ({ method: "resources/read", params: { uri } })),
    { method: "tools/call", params: { name: "get_pricing" }, contains: "plans" },
    { method: "tools/call", params: { name: "get_pricing", arguments: ANY_PLATFORM }, contains: "plans" },
    { method: "tools/call", params: { name: "get_latest_version" }, contains: "release-macos" },
    ...PLATFORMS.map((platform) => ({
      method: "tools/call",
      params: { name: "get_latest_version", arguments: { platform } },
      contains: releaseName(platform),
    })),
  ];
  return [
    ...ofBothEras.flatMap((request): RecordableRequest[] => [
      { era: "handshake", ...request },
      { era: "stateless", ...request },
    ]),
    { era: "stateless", method: "server/discover" },
    { era: "handshake", method: "ping" },
    { era: "handshake", method: "prompts/list" },
    ...HANDSHAKE_VERSIONS.map((protocolVersion): RecordableRequest => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "anybody", version: "0" } };
      return { era: "handshake", method: "initialize", params };
    }),
  ];
}

/** The parameters of each method that affect its answer. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  "tools/call": ["name", "arguments"],
  "resources/read": ["uri"],
  "tools/list": ["cursor"],
  "resources/list": ["cursor"],
  "resources/templates/list": ["cursor"],
  "prompts/list": ["cursor"],
  "server/discover": [],
  ping: [],
};

/** Equal for requests with the same answer; undefined if there is no recording of it. */
export function keyOf(era: Era, { method, params = {} }: Pick<McpRequest, "method" | "params">): string | undefined {
  // The client's name and capabilities do not affect the answer.
  if (isInitialize(method, params)) return `${era} initialize ${String(params.protocolVersion)}`;
  if (!Object.hasOwn(PARAMETERS, method)) return undefined;
  let key = `${era} ${method}`;
  for (const name of PARAMETERS[method] ?? []) {
    const value = name === "arguments" ? relevantArgument(params) : params[name];
    if (value === undefined) continue;
    if (typeof value !== "string") return undefined;
    key += ` ${name}=${JSON.stringify(value)}`;
  }
  return key;
}

/** The platform, on which answers depend; undefined if they do not, null if the arguments have no recorded answer. */
function relevantArgument({ name, arguments: given = {} }: Record<string, unknown>): unknown {
  if (!isObject(given)) return null;
  if (name === "get_pricing") return namesPlatform(given) ? ANY_PLATFORM.platform : undefined;
  if (name !== "get_latest_version") return undefined;
  return platformArgument(given) ?? (namesPlatform(given) ? null : undefined);
}

function isInitialize(method: string, params: Record<string, unknown>): boolean {
  return method === "initialize" && InitializeRequestSchema.safeParse({ method, params }).success;
}
