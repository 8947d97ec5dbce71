// A run saves of each source for the next run: the validators of the last answer, so that the next request can be conditional,
// and the time before which the upstream must not be asked again. They are stored beside the snapshots, so a restart loses
// neither, and used only while the source's settings and the snapshots are still the same. Without the feature, every run asks every
// upstream for a whole answer, and again in a pause.
import * as z from "zod";
import { knownItems } from "../../../snapshots/records.ts";
import { sha256, SNAPSHOT_NAMES } from "../../../snapshots/snapshot.ts";
import type { Envelope, SnapshotName } from "../../../snapshots/snapshot.ts";
import { readDocument } from "../../../snapshots/store.ts";
import { PauseError, UpstreamError } from "../../http/errors.ts";
import type { Validators } from "../../http/fetch.ts";
import type { Source } from "../../source.ts";
import type { Fingerprints, OpenMemory, Remembered, Signing, UpstreamMemory } from "../../hooks.ts";

const STATE_KEY = "upstreams.json";

/** A longer pause requested by an upstream is cut to this. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;

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

/** The checksum of what a source says of a snapshot: of the payload alone, unless the snapshot is signed. */
function sumOf(snapshot: Pick<Envelope, "sha256" | "names" | "files" | "proof">): string {
  const { sha256: ofPayload, names, files, proof } = snapshot;
  return proof === undefined ? ofPayload : sha256(JSON.stringify([ofPayload, names, files]));
}

/** Remembers upstreams by the state in the store, which counts only for sources whose fingerprint is still the same. A collector that
 * signs uses only validators that it has signed: with others, a "not modified" would make it sign any snapshot. */
export const rememberUpstreams =
  (fingerprints: Fingerprints): OpenMemory =>
  async (store, signing) => {
    // None if they cannot be read: requests are then unconditional.
    const { sources } = (await readDocument(store, STATE_KEY, { schema: StateFile })).document ?? { sources: [] };
    const current = sources.filter(({ names, settings }) => names.every((name) => fingerprints.get(name) === settings));
    const own = current.map((state) =>
      state.signature === signatureOf(state, signing) ? state : withoutAnswer(state),
    );
    return upstreamMemory(new Map(own.map((state) => [keyOf(state), state])), fingerprints, signing);
  };

/** `states`: of all sources, by the names of their snapshots. */
function upstreamMemory(
  states: Map<string, State>,
  fingerprints: Fingerprints,
  signing: Signer | undefined,
): UpstreamMemory {
  const textOf = () => {
    const sources = [...states.values()].map((state) => ({ ...state, signature: signatureOf(state, signing) }));
    return `${JSON.stringify({ format: 1, sources })}\n`;
  };
  const loaded = textOf();
  const set = (source: Source, answer: Answer, notBefore?: number) => {
    const names = [...source.names];
    const settings = fingerprints.get(names[0] ?? "plans") ?? "";
    if (answer.sums || notBefore !== undefined) states.set(keyOf(source), { names, settings, notBefore, ...answer });
    else states.delete(keyOf(source));
  };
  return {
    // None if a snapshot made from that answer is damaged, gone or different: "not modified" would then confirm something else.
    validatorsFor(source, { reads, now, askNow }) {
      const { notBefore = 0, sums, ...state } = states.get(keyOf(source)) ?? {};
      const isAskedNow = source.names.some((name) => askNow?.has(name));
      if (isPaused(notBefore, now) && !isAskedNow) throw new PauseError(notBefore);
      const isStored = source.names.every((name, index) => {
        const read = reads.get(name);
        return read?.state === "found" && !read.damage && sumOf(read.snapshot) === sums?.[index];
      });
      return isStored ? state : undefined;
    },
    // Keeps the validators of an answer if all of its snapshots were published, and forgets them if one failed or is held. After a
    // failure, keeps the pause that the upstream asked for, now or before.
    update(source, answered, { outcomes, now }) {
      const { notBefore: earlier = 0, sums, ...state } = states.get(keyOf(source)) ?? {};
      const last = sums ? { ...state, sums } : {};
      if (answered === "unchanged") return set(source, last);
      if (!("error" in answered)) return set(source, answerOf(source, answered.validators ?? {}, outcomes));
      const { error } = answered;
      if (error instanceof PauseError) return;
      const pause = error instanceof UpstreamError ? (error.failure.retryAfterMs ?? 0) : 0;
      const notBefore = pause > 0 ? now + Math.min(pause, MAX_PAUSE_MS) : earlier;
      set(source, last, isPaused(notBefore, now) ? notBefore : undefined);
    },
    async save(store) {
      const text = textOf();
      if (text !== loaded) await store.put(STATE_KEY, Buffer.from(text));
    },
  };
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
function answerOf({ names }: Source, given: Validators, outcomes: Remembered["outcomes"]): Answer {
  const { data: validators } = StoredValidators.safeParse(given);
  const sums = names.flatMap((name) => {
    const snapshot = outcomes.find((outcome) => outcome.name === name)?.snapshot;
    return snapshot ? [sumOf(snapshot)] : [];
  });
  const isWhole = sums.length === names.length && (validators?.etag ?? validators?.lastModified) !== undefined;
  return isWhole ? { ...validators, sums } : {};
}
