// Answers MCP requests from recordings of the SDK's own answers if possible, otherwise through the SDK's server. Every
// request that can be known in advance is recorded as text, so it costs one look-up and the writing of its id.
// Recordings are never made from traffic, so they do not grow and no client can plant one. Everything that needs the
// SDK is behind this file, which a server therefore loads after its first facts are served.
import { randomUUID } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { InitializeRequestSchema, type JSONRPCResponse } from "@modelcontextprotocol/sdk/types.js";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import { releaseName, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { byteText, MAX_COPIED_BYTES, type Body, type ReportBug } from "../../answers/answer.ts";
import type { Lookup, Mirror, Servable } from "../../mirror/mirror.ts";
import type { Identity } from "./identity.ts";
import { isObject, type Id, type McpRequest } from "./json-rpc.ts";
import { HANDSHAKE_VERSIONS, inSupportedVersion, type Era } from "./protocol-version.ts";
import type { McpAnswer, McpAnswers, McpCall } from "./respond.ts";
import { factsOf, noteOn, otherRelease, type DatedFact, type OtherRelease } from "./results.ts";
import type { Resource } from "./resources.ts";
import { cardOf, createAnswerer, liveAnswer, type Answerer } from "./sdk-server.ts";
import { namesPlatform, platformArgument } from "./tools.ts";

/** `reportBug`: called when recording fails after the first time. */
export async function createMcpAnswers(
  mirror: Mirror,
  resources: readonly Resource[],
  { identity, reportBug }: { identity: Identity; reportBug: ReportBug },
): Promise<McpAnswers> {
  const requests = recordableRequests([...resources, cardOf(identity)].map(({ uri }) => uri));
  const ask = await createAnswerer(resources, identity);
  const recordings = new Recordings(mirror, { identity, requests, ask });
  await recordings.start(reportBug);
  const facts = factsOf(mirror, identity);
  return {
    recorded: (call) => recordings.find(call),
    // Facts are long, so no client gets a copy of its own while they are being recorded.
    answer: async (call) =>
      recordings.find(call) ?? (await recordings.findRecordedFact(call)) ?? liveAnswer(call, await ask(call, facts)),
  };
}

const MARK = randomUUID();

/** Texts in place of parts of an answer while it is recorded. Each part is a whole JSON string. */
const PLACEHOLDERS = {
  id: `${MARK}:id`,
  confirmedAt: `${MARK}:confirmedAt`,
  freshUntil: `${MARK}:freshUntil`,
  proof: `${MARK}:proof`,
  note: `${MARK}:note`,
};

/** The text of one answer, with a placeholder for each part that differs between clients or confirmations; they share the rest. A
 * placeholder keeps its quotes, which are escaped inside of a text that is JSON itself. */
type Template = readonly (Uint8Array | string)[];

/** An answer before and after its id. */
type Recording =
  | readonly [before: string, after: string]
  | readonly [before: readonly Uint8Array[], after: readonly Uint8Array[]];

type RecordedAnswer = { recording: Recording; contains?: undefined } | RecordedFact;

/** The answers to a request in each state of its fact. */
interface RecordedFact {
  contains: SnapshotName;
  /** The recorded one, or a later one with the same facts; undefined if there was no fresh one. */
  snapshot: Servable | undefined;
  templates: Readonly<Record<Lookup["state"], Template>>;
  /** The recording last filled in, and what it depends on. */
  filled?: { recording: Recording; state: Lookup["state"]; snapshot: Servable | undefined; other: OtherRelease };
}

interface RecordableRequest {
  era: Era;
  method: string;
  params?: Record<string, unknown>;
  /** The snapshot in the answer. */
  contains?: SnapshotName;
}

const MISSING: Lookup = { state: "missing" };
const UNDATED = { confirmedAt: PLACEHOLDERS.confirmedAt, freshUntil: PLACEHOLDERS.freshUntil };

async function record(ask: Answerer, { era, method, params }: RecordableRequest, fact: DatedFact): Promise<Template> {
  const request: McpRequest = { jsonrpc: "2.0", id: PLACEHOLDERS.id, method, ...(params && { params }) };
  const facts = { vendor: "", get: () => fact, note: () => PLACEHOLDERS.note };
  return templateOf(await ask({ era, request }, facts));
}

interface RecordingsOptions {
  identity: Identity;
  requests: readonly RecordableRequest[];
  ask: Answerer;
}

/** The answers by request. They are recorded again when the facts change, and swapped all at once; after a new confirmation
 * only their placeholders are filled anew. A recorded fact is served only while the mirror holds the very payload in it. */
class Recordings {
  readonly #mirror: Mirror;
  readonly #options: RecordingsOptions;
  #answers: ReadonlyMap<string, RecordedAnswer> = new Map();
  #recording: Promise<void> = Promise.resolve();

  constructor(mirror: Mirror, options: RecordingsOptions) {
    this.#mirror = mirror;
    this.#options = options;
  }

  /** Records everything now, and again after each change of the facts. Later failures go to `reportBug`. */
  async start(reportBug: ReportBug): Promise<void> {
    this.#recording = this.#recordAll();
    this.#mirror.onChange(() => (this.#recording = this.#recording.then(() => this.#recordAll()).catch(reportBug)));
    await this.#recording;
  }

  /** The current answer to the request, if it is recorded. */
  find(call: McpCall): McpAnswer | undefined {
    const answer = this.#answerTo(call);
    const recording = answer && (answer.contains ? this.#current(answer) : answer.recording);
    return recording && { status: 200, body: withId(recording, call.request.id) };
  }

  /** The same once the facts are recorded, if the answer to the request contains them. */
  async findRecordedFact(call: McpCall): Promise<McpAnswer | undefined> {
    if (!this.#answerTo(call)?.contains) return undefined;
    await this.#recording;
    return this.find(call);
  }

  #answerTo({ era, request }: McpCall): RecordedAnswer | undefined {
    const key = keyOf(era, inSupportedVersion(request));
    return key === undefined ? undefined : this.#answers.get(key);
  }

  #current(fact: RecordedFact): Recording | undefined {
    const { contains: name, templates, filled } = fact;
    const lookup = this.#mirror.get(name);
    const { state } = lookup;
    const snapshot = state === "missing" ? undefined : lookup.snapshot;
    if (state === "fresh" && !isOf(fact, snapshot)) return undefined;
    const other = otherRelease(name, lookup, this.#mirror);
    const isCurrent = filled?.state === state && filled.snapshot === snapshot && filled.other === other;
    if (isCurrent) return filled.recording;
    const { confirmedAt, freshUntil, proof } = snapshot ?? {};
    const note = noteOn(name, lookup, { identity: this.#options.identity, other });
    const recording = fillIn(templates[state], { confirmedAt, freshUntil, proof, note });
    fact.filled = { recording, state, snapshot, other };
    return recording;
  }

  /** Records the answers whose fact has changed, and at first all. A new confirmation alone changes no fact. */
  async #recordAll(): Promise<void> {
    const { requests, ask } = this.#options;
    const lookups = new Map<SnapshotName, Lookup>(SNAPSHOT_NAMES.map((name) => [name, this.#mirror.get(name)]));
    const answers = new Map(this.#answers);
    for (const request of requests) {
      const { era, contains } = request;
      const key = keyOf(era, request) ?? "";
      const known = answers.get(key);
      const lookup = (contains && lookups.get(contains)) ?? MISSING;
      const snapshot = lookup.state === "fresh" ? lookup.snapshot : undefined;
      if (known && (!known.contains || isOf(known, snapshot))) continue;
      const fresh = await record(ask, request, undated(lookup));
      if (contains) {
        const stale = known?.templates.stale ?? (await record(ask, request, { state: "stale", snapshot: UNDATED }));
        const missing = known?.templates.missing ?? (await record(ask, request, MISSING));
        answers.set(key, { contains, snapshot, templates: { fresh, stale, missing } });
      } else answers.set(key, { recording: fillIn(fresh) });
      await yieldToOthers();
    }
    this.#answers = answers;
  }
}

/** Whether the recording is of this snapshot, apart from placeholders. Each confirmation brings another object. */
function isOf(fact: RecordedFact, snapshot: Servable | undefined): boolean {
  const isSame = fact.snapshot === snapshot || isDeepStrictEqual(recordedIn(fact.snapshot), recordedIn(snapshot));
  if (isSame) fact.snapshot = snapshot;
  return isSame;
}

function recordedIn(snapshot: Servable | undefined) {
  return snapshot && [snapshot.sha256, snapshot.names, snapshot.files, snapshot.proof === undefined];
}

/** The look-up with placeholders for its times and its proof. */
function undated(lookup: Lookup): DatedFact {
  if (lookup.state !== "fresh") return lookup;
  const proof = lookup.snapshot.proof && PLACEHOLDERS.proof;
  return { state: "fresh", snapshot: { ...lookup.snapshot, ...UNDATED, proof } };
}

/** Stands for any hint that a client gives with its request for prices. */
const ANY_PLATFORM = { platform: PLATFORMS[0] };

/** `uris`: of the resources. */
function recordableRequests(uris: readonly string[]): RecordableRequest[] {
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

/** Whether clients may ask by this method. */
export function isKnown(method: string): boolean {
  return method === "initialize" || Object.hasOwn(PARAMETERS, method);
}

/** Equal for requests with the same answer; undefined if there is no recording of it. */
function keyOf(era: Era, { method, params = {} }: Pick<McpRequest, "method" | "params">): string | undefined {
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

function templateOf(response: JSONRPCResponse): Template {
  const pieces = JSON.stringify(response).split(new RegExp(`(\\\\?"${MARK}:\\w+\\\\?")`));
  return pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : piece));
}

/** Fills all placeholders but the id's. `values`: by the name of the part. */
function fillIn(template: Template, values: Readonly<Record<string, string | undefined>> = {}): Recording {
  const chunks = template.map((piece) => {
    if (typeof piece !== "string") return piece;
    const text = JSON.stringify(values[/:(\w+)/.exec(piece)?.[1] ?? ""] ?? "");
    return Buffer.from(piece.startsWith("\\") ? JSON.stringify(text).slice(1, -1) : text);
  });
  const position = template.indexOf(JSON.stringify(PLACEHOLDERS.id));
  const [before, after] = [chunks.slice(0, position), chunks.slice(position + 1)];
  const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (length > MAX_COPIED_BYTES) return [before, after];
  return [Buffer.concat(before).toString("latin1"), Buffer.concat(after).toString("latin1")];
}

function withId([before, after]: Recording, id: Id): Body {
  const idText = byteText(JSON.stringify(id));
  return typeof before === "string" ? `${before}${idText}${after as string}` : [...before, idText, ...after];
}
