// A run saves of each source for the next run: the validators of the last answer, so that the next request can be conditional,
// and the time before which the upstream must not be asked again. They are stored beside the snapshots, so a restart loses
// neither, and used only while the source's settings and the snapshots are still the same.
import * as z from "zod";
import { knownItems } from "../../snapshots/records.ts";
import type { SnapshotRead } from "../../snapshots/facts.ts";
import { sha256, SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import type { Envelope, SnapshotName } from "../../snapshots/snapshot.ts";
import { readDocument, type Store } from "../../snapshots/store.ts";
import { UpstreamError } from "../http/errors.ts";
import type { Validators } from "../http/fetch.ts";
import type { Source, UpstreamAnswer } from "../source.ts";
import type { Signing } from "../hooks.ts";

const STATE_KEY = "upstreams.json";

/** A longer pause requested by an upstream is cut to this. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;

/** A hash of the settings of each snapshot's source and the program's version. */
export type Fingerprints = ReadonlyMap<SnapshotName, string>;

// Others cannot be sent back in a header.
const headerText = z
  .string()
  .regex(/^[\u0020-\u007e]{0,2048}$/)
  .transform((text) => text || undefined)
  .optional();
const StoredValidators = z.object({ etag: headerText, lastModified: headerText, latestEtag: headerText });
const State = z.object({
  /** The snapshots that the source fills: no two sources share a name. */
  names: z.array(z.enum(SNAPSHOT_NAMES)).min(1),
  settings: z.string(),
  /** Milliseconds since the epoch. */
  notBefore: z.number().optional(),
  ...StoredValidators.shape,
  /** The checksums of the snapshots made from the answer with these validators, in the order of the names. */
  sums: z.array(z.string()).optional(),
  /** The collector's key, if it has one, signs validators and checksums. */
  signature: z.string().optional(),
});
type State = z.infer<typeof State>;
type Signer = Pick<Signing, "signText">;
type Answer = Pick<State, "etag" | "lastModified" | "latestEtag" | "sums">;
const StateFile = z.object({ format: z.literal(1), sources: knownItems(State) });

/** What is known before a source is asked. */
interface Beginning {
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  now: number;
  askNow?: ReadonlySet<SnapshotName> | undefined;
}

/** The upstream asked for a pause, which is not over yet. */
export class PauseError extends UpstreamError {
  constructor(notBefore: number) {
    const until = new Date(notBefore).toISOString().slice(0, 19).replace("T", " ");
    super(`skipped: rate-limited by the upstream until ${until} UTC`);
  }
}

/** The checksum of what a source says of a snapshot: of the payload alone, unless the snapshot is signed. */
export function sumOf(snapshot: Pick<Envelope, "sha256" | "names" | "files" | "proof">): string {
  const { sha256: ofPayload, names, files, proof } = snapshot;
  return proof === undefined ? ofPayload : sha256(JSON.stringify([ofPayload, names, files]));
}

/** The states of all sources, from the store, during one run. */
export class UpstreamStates {
  readonly #states: Map<string, State>;
  readonly #fingerprints: Fingerprints;
  readonly #signing: Signer | undefined;
  readonly #loaded: string;

  private constructor(states: readonly State[], fingerprints: Fingerprints, signing: Signer | undefined) {
    this.#states = new Map(states.map((state) => [keyOf(state), state]));
    this.#fingerprints = fingerprints;
    this.#signing = signing;
    this.#loaded = this.#text();
  }

  /** The states of sources with these settings; none if they cannot be read: requests are then unconditional. `signing`: of a collector
   * that signs. It uses only validators that it has signed: with others, a "not modified" would make it sign any snapshot. */
  static async load(store: Store, fingerprints: Fingerprints, signing?: Signer): Promise<UpstreamStates> {
    const { sources } = (await readDocument(store, STATE_KEY, { schema: StateFile })).document ?? { sources: [] };
    const current = sources.filter(({ names, settings }) => names.every((name) => fingerprints.get(name) === settings));
    const own = current.map((state) =>
      state.signature === signatureOf(state, signing) ? state : withoutAnswer(state),
    );
    return new UpstreamStates(own, fingerprints, signing);
  }

  /** Returns the validators for a conditional request, or undefined if a snapshot made from that answer is damaged, gone or
   * different: "not modified" would then confirm something else. `now`: in ms since the epoch. @throws PauseError while the
   * upstream must not be asked, unless one of its snapshots is in `askNow`. */
  validatorsFor(source: Source, { reads, now, askNow }: Beginning): Validators | undefined {
    const { notBefore = 0, sums, ...state } = this.#states.get(keyOf(source)) ?? {};
    const isAskedNow = source.names.some((name) => askNow?.has(name));
    if (isPaused(notBefore, now) && !isAskedNow) throw new PauseError(notBefore);
    const isStored = source.names.every((name, index) => {
      const read = reads.get(name);
      return read?.state === "found" && !read.damage && sumOf(read.snapshot) === sums?.[index];
    });
    return isStored ? state : undefined;
  }

  /** Keeps the validators of an answer if all of its snapshots were published, and forgets them if one failed or is held.
   * After a failure, keeps the pause that the upstream asked for, now or before. `now`: in ms since the epoch. */
  update(
    source: Source,
    answered: UpstreamAnswer | "unchanged" | { error: unknown },
    { outcomes, now }: { outcomes: readonly { name: SnapshotName; sum?: string }[]; now: number },
  ): void {
    const { notBefore: earlier = 0, sums, ...state } = this.#states.get(keyOf(source)) ?? {};
    const last = sums ? { ...state, sums } : {};
    if (answered === "unchanged") return this.#set(source, last);
    if (!("error" in answered)) return this.#set(source, answerOf(source, answered.validators ?? {}, outcomes));
    const { error } = answered;
    if (error instanceof PauseError) return;
    const pause = error instanceof UpstreamError ? (error.failure.retryAfterMs ?? 0) : 0;
    const notBefore = pause > 0 ? now + Math.min(pause, MAX_PAUSE_MS) : earlier;
    this.#set(source, last, isPaused(notBefore, now) ? notBefore : undefined);
  }

  #set(source: Source, answer: Answer, notBefore?: number): void {
    const names = [...source.names];
    const settings = this.#fingerprints.get(names[0] ?? "plans") ?? "";
    if (answer.sums || notBefore !== undefined)
      this.#states.set(keyOf(source), { names, settings, notBefore, ...answer });
    else this.#states.delete(keyOf(source));
  }

  /** Saves them if they differ from the loaded ones. @throws StoreError */
  async save(store: Store): Promise<void> {
    const text = this.#text();
    if (text !== this.#loaded) await store.put(STATE_KEY, Buffer.from(text));
  }

  #text(): string {
    const sources = [...this.#states.values()].map((state) => ({
      ...state,
      signature: signatureOf(state, this.#signing),
    }));
    return `${JSON.stringify({ format: 1, sources })}\n`;
  }
}

/** Undefined for a collector that does not sign, and for a state without validators. */
function signatureOf(state: State, signing: Signer | undefined): string | undefined {
  const { names, settings, etag, lastModified, latestEtag, sums } = state;
  if (!signing || !sums) return undefined;
  return signing.signText(`upstream ${JSON.stringify([names, settings, etag, lastModified, latestEtag, sums])}`);
}

function withoutAnswer({ names, settings, notBefore }: State): State {
  return { names, settings, notBefore };
}

function keyOf({ names }: { names: readonly SnapshotName[] }): string {
  return names.join(" ");
}

/** A time further ahead than the longest pause was set, or is read, by a wrong clock. */
function isPaused(notBefore: number, now: number): boolean {
  return notBefore > now && notBefore <= now + MAX_PAUSE_MS;
}

/** Returns nothing for an answer without validators, or with a snapshot that was not published. */
function answerOf(
  { names }: Source,
  given: Validators,
  outcomes: readonly { name: SnapshotName; sum?: string }[],
): Answer {
  const { data: validators } = StoredValidators.safeParse(given);
  const sums = names.flatMap((name) => outcomes.find((outcome) => outcome.name === name)?.sum ?? []);
  const isWhole = sums.length === names.length && (validators?.etag ?? validators?.lastModified) !== undefined;
  return isWhole ? { ...validators, sums } : {};
}
