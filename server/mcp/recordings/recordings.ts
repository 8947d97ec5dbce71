// The SDK's own answers to every request that can be known in advance, recorded as text: such a request costs one
// look-up and the writing of its id. Parameters and arguments that affect no answer are not looked at, and a long answer is
// shared by all clients, so that none can have facts serialized or copied for itself. Recordings are never made from
// traffic, so they do not grow and no client can plant one. They are made again when the facts change, and swapped all at
// once. A new confirmation alone fills their gaps anew. A recorded fact is served only while the mirror holds the very
// payload in it.
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { ReportBug } from "../../answers/bug-reporter.ts";
import type { EncodedText, Encoding } from "../../answers/compress.ts";
import type { Era } from "../protocol-version.ts";
import type { Identity } from "../identity.ts";
import type { McpRequest } from "../json-rpc.ts";
import type { Lookup, Mirror } from "../../mirror/mirror.ts";
import { noteOn, otherRelease, type DatedFact, type OtherRelease } from "../notes.ts";
import { keyOf, recordableRequests, type RecordableRequest } from "./requests.ts";
import { withId } from "./with-id.ts";
import { fillIn, PLACEHOLDERS, templateOf, type Recording, type Template } from "./template.ts";
import type { Facts } from "../results.ts";
import type { Answerer } from "../live-answers.ts";

type RecordedAnswer = { recording: Recording; contains?: undefined } | RecordedFact;

/** The answers to a request in each state of its fact. */
interface RecordedFact {
  contains: SnapshotName;
  /** Of the payload; undefined if there was no fresh one. */
  sha256: string | undefined;
  templates: Readonly<Record<Lookup["state"], Template>>;
  /** The recording last filled in, and the values that it depends on. */
  filled?: {
    recording: Recording;
    state: Lookup["state"];
    confirmedAt: string | undefined;
    freshUntil: string | undefined;
    other: OtherRelease;
  };
}

const MISSING: Lookup = { state: "missing" };
const UNDATED = { confirmedAt: PLACEHOLDERS.confirmedAt, freshUntil: PLACEHOLDERS.freshUntil };

export interface RecordingsOptions {
  identity: Identity;
  /** Of the resources. */
  uris: readonly string[];
  createAnswerer: (facts: Facts) => Promise<Answerer>;
}

export class Recordings {
  readonly #mirror: Mirror;
  readonly #identity: Identity;
  readonly #createAnswerer: RecordingsOptions["createAnswerer"];
  readonly #requests: readonly RecordableRequest[];
  #answers: ReadonlyMap<string, RecordedAnswer> = new Map();
  #recording: Promise<void> = Promise.resolve();
  /** Asked for one answer at a time, on this fact. */
  #answer: Answerer = () => Promise.reject(new Error("not started"));
  #fact: DatedFact = MISSING;

  constructor(mirror: Mirror, { identity, uris, createAnswerer }: RecordingsOptions) {
    this.#mirror = mirror;
    this.#identity = identity;
    this.#createAnswerer = createAnswerer;
    this.#requests = recordableRequests(uris);
  }

  /** Records everything now, and again after each change of the facts. Later failures go to `reportBug`. */
  async start(reportBug: ReportBug): Promise<void> {
    this.#answer = await this.#createAnswerer({ get: () => this.#fact, note: () => PLACEHOLDERS.note });
    this.#recording = this.#record();
    this.#mirror.onChange(() => (this.#recording = this.#recording.then(() => this.#record()).catch(reportBug)));
    await this.#recording;
  }

  /** The current answer to the request as JSON, if it is recorded. `encodings`: accepted ones, best first. */
  find(era: Era, request: McpRequest, encodings: readonly Encoding[]): EncodedText | undefined {
    const answer = this.#answerTo(era, request);
    const recording = answer && (answer.contains ? this.#current(answer) : answer.recording);
    return recording && withId(recording, request.id, encodings);
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

  #current(fact: RecordedFact): Recording | undefined {
    const { contains: name, sha256, templates, filled } = fact;
    const lookup = this.#mirror.get(name);
    const { state } = lookup;
    const snapshot = state === "missing" ? undefined : lookup.snapshot;
    if (state === "fresh" && snapshot?.sha256 !== sha256) return undefined;
    const { confirmedAt, freshUntil } = snapshot ?? {};
    const other = otherRelease(name, lookup, this.#mirror);
    const isCurrent =
      filled?.state === state &&
      filled.confirmedAt === confirmedAt &&
      filled.freshUntil === freshUntil &&
      filled.other === other;
    if (isCurrent) return filled.recording;
    const note = noteOn(name, lookup, { identity: this.#identity, other });
    const recording = fillIn(templates[state], { confirmedAt, freshUntil, note });
    fact.filled = { recording, state, confirmedAt, freshUntil, other };
    return recording;
  }

  /** Records the answers whose fact has changed, and at first all. A new confirmation alone changes no fact. */
  async #record(): Promise<void> {
    const lookups = new Map<SnapshotName, Lookup>(SNAPSHOT_NAMES.map((name) => [name, this.#mirror.get(name)]));
    const answers = new Map(this.#answers);
    for (const request of this.#requests) {
      const { era, contains } = request;
      const key = keyOf(era, request) ?? "";
      const known = answers.get(key);
      const lookup = (contains && lookups.get(contains)) ?? MISSING;
      const sha256 = checksum(lookup);
      if (known && (!known.contains || known.sha256 === sha256)) continue;
      const fresh = await this.#templateOf(request, undated(lookup));
      if (contains) {
        const stale =
          known?.templates.stale ?? (await this.#templateOf(request, { state: "stale", snapshot: UNDATED }));
        const missing = known?.templates.missing ?? (await this.#templateOf(request, MISSING));
        answers.set(key, { contains, sha256, templates: { fresh, stale, missing } });
      } else answers.set(key, { recording: fillIn(fresh) });
      await yieldToOthers();
    }
    this.#answers = answers;
  }

  /** The answer to a request on a fact. */
  async #templateOf({ era, method, params }: RecordableRequest, fact: DatedFact): Promise<Template> {
    this.#fact = fact;
    return templateOf(
      await this.#answer(era, { jsonrpc: "2.0", id: PLACEHOLDERS.id, method, ...(params && { params }) }),
    );
  }
}

function checksum(lookup: Lookup): string | undefined {
  return lookup.state === "fresh" ? lookup.snapshot.sha256 : undefined;
}

/** The look-up with gaps for its times. */
function undated(lookup: Lookup): DatedFact {
  return lookup.state === "fresh" ? { state: "fresh", snapshot: { ...lookup.snapshot, ...UNDATED } } : lookup;
}
