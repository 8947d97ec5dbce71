// The SDK's own answers to every request that can be known beforehand, recorded as bytes: such a request then costs a
// look-up and the writing of its id. Never filled from traffic, so nothing grows and nobody can plant an answer; made anew
// when the facts change, and swapped whole. A fact is told only while the mirror holds the very snapshot it was made of.
import { randomUUID } from "node:crypto";
import { setImmediate as othersFirst } from "node:timers/promises";
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { PLATFORMS } from "../../snapshots/schema.ts";
import { releaseName, SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { byteText } from "../answers/answer.ts";
import { HANDSHAKE_VERSIONS, type Era } from "./protocol-version.ts";
import type { McpRequest } from "./json-rpc.ts";
import type { McpResponse } from "./sdk-server.ts";
import type { Look, Mirror } from "../mirror/mirror.ts";
import type { Facts } from "./tools.ts";

/** How a request is answered that is not recorded. */
export type Ask = (era: Era, request: McpRequest) => Promise<McpResponse>;

/** An answer without its id, which goes between the two: texts with a character for each byte. */
type Recording = readonly [before: string, after: string];

/** `tells`: the snapshot in it, by the checksum it has; `unavailable`: what is told when that is stale or missing. */
interface Row {
  recording: Recording;
  tells?: { name: SnapshotName; sha256: string | undefined; unavailable: Recording } | undefined;
}

interface Finite {
  era: Era;
  method: string;
  params?: Record<string, unknown>;
  tells?: SnapshotName;
}

/** Stands for the id while an answer is recorded. */
const MARK = randomUUID();
const MISSING: Look = { state: "missing" };

export class Recordings {
  readonly #mirror: Mirror;
  readonly #askWith: (facts: Facts) => Promise<Ask>;
  readonly #requests: readonly Finite[];
  #rows: ReadonlyMap<string, Row> = new Map();
  /** The checksums of what the rows tell. */
  #told: string | undefined;

  /** `askWith`: makes what answers with facts from the place given; `uris`: of the resources. */
  constructor(mirror: Mirror, askWith: (facts: Facts) => Promise<Ask>, uris: readonly string[]) {
    this.#mirror = mirror;
    this.#askWith = askWith;
    this.#requests = finiteRequests(uris);
  }

  /** Records everything now, and again after each change of the facts. A later failure is told to `onBug`. */
  async start(onBug: (bug: unknown) => void): Promise<void> {
    let recording = this.#record();
    this.#mirror.onChange(() => (recording = recording.then(() => this.#record()).catch(onBug)));
    await recording;
  }

  /** The answer to the request as it is to be told now, if it is recorded: JSON, a character for each byte. */
  find(era: Era, request: McpRequest): string | undefined {
    const row = this.#rows.get(keyOf(era, request));
    const recording = row && this.#choose(row);
    return recording && `${recording[0]}${byteText(JSON.stringify(request.id))}${recording[1]}`;
  }

  #choose({ recording, tells }: Row): Recording | undefined {
    if (!tells) return recording;
    const look = this.#mirror.look(tells.name);
    if (look.state !== "fresh") return tells.unavailable;
    return look.snapshot.sha256 === tells.sha256 ? recording : undefined;
  }

  async #record(): Promise<void> {
    const looks = new Map<SnapshotName, Look>(SNAPSHOT_NAMES.map((name) => [name, this.#mirror.look(name)]));
    const told = [...looks.values()].map(checksum).join();
    // Confirmed again, the facts are the same.
    if (told === this.#told) return;
    const askNow = await this.#askWith({ look: (name) => looks.get(name) ?? MISSING });
    const askInVain = await this.#askWith({ look: () => MISSING });
    const rows = new Map<string, Row>();
    for (const { era, tells: name, ...rest } of this.#requests) {
      const request: McpRequest = { jsonrpc: "2.0", id: MARK, ...rest };
      const recording = cut(await askNow(era, request));
      const tells = name && {
        name,
        sha256: checksum(looks.get(name)),
        unavailable: cut(await askInVain(era, request)),
      };
      rows.set(keyOf(era, request), { recording, tells });
      await othersFirst();
    }
    this.#rows = rows;
    this.#told = told;
  }
}

function finiteRequests(uris: readonly string[]): Finite[] {
  const ofBothEras: Omit<Finite, "era">[] = [
    { method: "tools/list" },
    { method: "resources/list" },
    { method: "resources/templates/list" },
    ...uris.map((uri) => ({ method: "resources/read", params: { uri } })),
    { method: "tools/call", params: { name: "get_pricing" }, tells: "plans" },
    { method: "tools/call", params: { name: "get_latest_version" }, tells: "release-macos" },
    ...PLATFORMS.map((platform) => ({
      method: "tools/call",
      params: { name: "get_latest_version", arguments: { platform } },
      tells: releaseName(platform),
    })),
  ];
  return [
    ...ofBothEras.flatMap((request): Finite[] => [
      { era: "handshake", ...request },
      { era: "stateless", ...request },
    ]),
    { era: "stateless", method: "server/discover" },
    { era: "handshake", method: "ping" },
    { era: "handshake", method: "prompts/list" },
    ...HANDSHAKE_VERSIONS.map((protocolVersion): Finite => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: "anybody", version: "0" } };
      return { era: "handshake", method: "initialize", params };
    }),
  ];
}

/** The same for requests that are answered alike, in whatever order their parameters come. */
function keyOf(era: Era, { method, params = {} }: McpRequest): string {
  // Who greets, and what they can do, changes nothing in the answer.
  if (isGreeting(method, params)) return `${era} greeting ${String(params.protocolVersion)}`;
  const inOrder = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${era} ${method} ${JSON.stringify(inOrder)}`;
}

function isGreeting(method: string, params: Record<string, unknown>): boolean {
  return method === "initialize" && InitializeRequestSchema.safeParse({ method, params }).success;
}

function checksum(look: Look | undefined): string | undefined {
  return look?.state === "fresh" ? look.snapshot.sha256 : undefined;
}

function cut(response: McpResponse): Recording {
  const [before = "", after = ""] = JSON.stringify(response).split(JSON.stringify(MARK));
  return [byteText(before), byteText(after)];
}
