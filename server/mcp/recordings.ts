// The SDK's own answers to every request that can be known in advance, recorded as text: such a request costs one
// look-up and the writing of its id. Parameters and arguments that affect no answer are not looked at, and a long answer is
// shared by all clients, so that none can have facts serialized or copied for itself. Recordings are never made from traffic, so they do not grow and no client can
// plant one. They are made again when the facts change, and swapped all at once. A recorded fact is served only while
// the mirror holds the very snapshot in it.
import { randomUUID } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { PLATFORMS } from "../../snapshots/schema.ts";
import { releaseName, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { byteText, type TextAnswer } from "../answers/answer.ts";
import { MAX_COPIED_BYTES } from "../answers/prepared.ts";
import type { ReportBug } from "../answers/bug-reporter.ts";
import { HANDSHAKE_VERSIONS, type Era } from "./protocol-version.ts";
import { isObject, type McpRequest } from "./json-rpc.ts";
import type { McpResponse } from "./sdk-server.ts";
import type { Lookup, Mirror } from "../mirror/mirror.ts";
import type { Facts } from "./tools.ts";

/** Answers a request that is not recorded. */
export type Answerer = (era: Era, request: McpRequest) => Promise<McpResponse>;

/** An answer before and after its id. */
type Recording = readonly [before: string, after: string] | readonly [before: Uint8Array, after: Uint8Array];

interface RecordedAnswer {
  recording: Recording;
  /** The snapshot in the answer, by name and checksum; `unavailable`: the answer while it is stale or missing. */
  contains?: { name: SnapshotName; sha256: string | undefined; unavailable: Recording } | undefined;
}

interface RecordableRequest {
  era: Era;
  method: string;
  params?: Record<string, unknown>;
  /** The snapshot in the answer. */
  contains?: SnapshotName;
}

/** Replaces the id while an answer is recorded. */
const ID_PLACEHOLDER = randomUUID();
const MISSING: Lookup = { state: "missing" };

export class Recordings {
  readonly #mirror: Mirror;
  readonly #createAnswerer: (facts: Facts) => Promise<Answerer>;
  readonly #requests: readonly RecordableRequest[];
  #answers: ReadonlyMap<string, RecordedAnswer> = new Map();
  /** The checksums of the recorded snapshots. */
  #checksums: string | undefined;
  #recording: Promise<void> = Promise.resolve();

  /** `uris`: of the resources. */
  constructor(mirror: Mirror, createAnswerer: (facts: Facts) => Promise<Answerer>, uris: readonly string[]) {
    this.#mirror = mirror;
    this.#createAnswerer = createAnswerer;
    this.#requests = recordableRequests(uris);
  }

  /** Records everything now, and again after each change of the facts. Later failures go to `reportBug`. */
  async start(reportBug: ReportBug): Promise<void> {
    this.#recording = this.#record();
    this.#mirror.onChange(() => (this.#recording = this.#recording.then(() => this.#record()).catch(reportBug)));
    await this.#recording;
  }

  /** The current answer to the request as JSON, if it is recorded. */
  find(era: Era, request: McpRequest): TextAnswer["text"] | undefined {
    const answer = this.#answerTo(era, request);
    const recording = answer && this.#choose(answer);
    if (!recording) return undefined;
    const [before, after] = recording;
    const id = byteText(JSON.stringify(request.id));
    return typeof before === "string" ? `${before}${id}${after as string}` : [before, id, after];
  }

  /** Waits until the facts are recorded, if the answer to the request contains them. Resolves to whether it does. */
  async update(era: Era, request: McpRequest): Promise<boolean> {
    if (!this.#answerTo(era, request)?.contains) return false;
    await this.#recording;
    return true;
  }

  #answerTo(era: Era, request: McpRequest): RecordedAnswer | undefined {
    const key = keyOf(era, request);
    return key === undefined ? undefined : this.#answers.get(key);
  }

  #choose({ recording, contains }: RecordedAnswer): Recording | undefined {
    if (!contains) return recording;
    const lookup = this.#mirror.get(contains.name);
    if (lookup.state !== "fresh") return contains.unavailable;
    return lookup.snapshot.sha256 === contains.sha256 ? recording : undefined;
  }

  async #record(): Promise<void> {
    const lookups = new Map<SnapshotName, Lookup>(SNAPSHOT_NAMES.map((name) => [name, this.#mirror.get(name)]));
    const checksums = [...lookups.values()].map(checksum).join();
    // A new confirmation alone does not change the facts.
    if (checksums === this.#checksums) return;
    const answerNow = await this.#createAnswerer({ get: (name) => lookups.get(name) ?? MISSING });
    const answerUnavailable = await this.#createAnswerer({ get: () => MISSING });
    const answers = new Map<string, RecordedAnswer>();
    for (const { era, contains: name, ...rest } of this.#requests) {
      const request: McpRequest = { jsonrpc: "2.0", id: ID_PLACEHOLDER, ...rest };
      const recording = splitAtId(await answerNow(era, request));
      const contains = name && {
        name,
        sha256: checksum(lookups.get(name)),
        unavailable: splitAtId(await answerUnavailable(era, request)),
      };
      answers.set(keyOf(era, request) ?? "", { recording, contains });
      await yieldToOthers();
    }
    this.#answers = answers;
    this.#checksums = checksums;
  }
}

function recordableRequests(uris: readonly string[]): RecordableRequest[] {
  const ofBothEras: Omit<RecordableRequest, "era">[] = [
    { method: "tools/list" },
    { method: "resources/list" },
    { method: "resources/templates/list" },
    ...uris.map((uri) => ({ method: "resources/read", params: { uri } })),
    { method: "tools/call", params: { name: "get_pricing" }, contains: "plans" },
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
function keyOf(era: Era, { method, params = {} }: McpRequest): string | undefined {
  // The client's name and capabilities do not affect the answer.
  if (isInitialize(method, params)) return `${era} initialize ${String(params.protocolVersion)}`;
  if (!Object.hasOwn(PARAMETERS, method)) return undefined;
  let key = `${era} ${method}`;
  for (const name of PARAMETERS[method] ?? []) {
    const value = name === "arguments" ? platformOf(params) : params[name];
    if (value === undefined) continue;
    if (typeof value !== "string") return undefined;
    key += ` ${name}=${JSON.stringify(value)}`;
  }
  return key;
}

/** The only argument of any tool; undefined if the tool takes its default instead, null if the arguments are invalid. */
function platformOf({ name, arguments: given = {} }: Record<string, unknown>): unknown {
  if (!isObject(given)) return null;
  if (name !== "get_latest_version") return undefined;
  const { platform } = given;
  return platform === null || platform === "" ? undefined : platform;
}

function isInitialize(method: string, params: Record<string, unknown>): boolean {
  return method === "initialize" && InitializeRequestSchema.safeParse({ method, params }).success;
}

function checksum(lookup: Lookup | undefined): string | undefined {
  return lookup?.state === "fresh" ? lookup.snapshot.sha256 : undefined;
}

function splitAtId(response: McpResponse): Recording {
  const [before = "", after = ""] = JSON.stringify(response).split(JSON.stringify(ID_PLACEHOLDER));
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  if (head.byteLength + tail.byteLength > MAX_COPIED_BYTES) return [head, tail];
  return [head.toString("latin1"), tail.toString("latin1")];
}
