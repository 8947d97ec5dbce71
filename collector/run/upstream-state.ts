// The state that a run saves about each source for the next run: the validators of the last answer, so that the next
// request can be conditional, and the time before which the upstream must not be asked again. Stored beside the
// snapshots, so a restart loses neither. Used only while the source's settings and the snapshots are still the same.
import * as z from "zod";
import { knownItems } from "../../snapshots/records.ts";
import { readDocument, type Store } from "../../snapshots/store.ts";
import {
  factOf,
  SNAPSHOT_NAMES,
  type Payload,
  type SnapshotName,
  type SnapshotRead,
} from "../../snapshots/snapshot.ts";
import type { Validators } from "../http/fetch.ts";
import { UpstreamError } from "../http/errors.ts";
import type { UpstreamAnswer, Source } from "../source.ts";

const STATE_KEY = "upstreams.json";

/** A longer pause requested by an upstream is cut to this. */
const MAX_PAUSE_MS = 24 * 60 * 60_000;

interface UpstreamState {
  /** The validators of an answer, and the checksums of the snapshots made from it. */
  answer?: { validators: Validators; sums: Map<SnapshotName, string> };
  /** In ms since the epoch. */
  notBefore?: number;
}

/** By the names of the snapshots that a source fills: no two sources share a name. */
export type UpstreamStates = Map<string, UpstreamState>;

/** For each snapshot, a hash of its source's settings and the program's version. */
export type Fingerprints = ReadonlyMap<SnapshotName, string>;

/** The validators for a conditional request, or undefined if a snapshot made from that answer is gone or different:
 * "not modified" would then confirm something else. `now`: in ms since the epoch.
 * @throws UpstreamError while the upstream must not be asked, unless one of its snapshots is in `askNow`. */
export function validatorsFor(
  source: Source,
  states: UpstreamStates,
  {
    published,
    now,
    askNow,
    typed = (command) => `vitrine ${command}`,
  }: {
    published: readonly { name: SnapshotName; read: SnapshotRead }[];
    now: number;
    askNow?: ReadonlySet<SnapshotName> | undefined;
    typed?: ((command: string) => string) | undefined;
  },
): Validators | undefined {
  const { notBefore = 0, answer } = states.get(keyOf(source)) ?? {};
  const isAskedNow = source.names.some((name) => askNow?.has(name));
  if (isPaused(notBefore, now) && !isAskedNow) throw new PauseError(notBefore, source, typed);
  const isStored = published.every(
    ({ name, read }) => read.state === "found" && read.snapshot.sha256 === answer?.sums.get(name),
  );
  return isStored ? answer?.validators : undefined;
}

/** Further ahead than the longest pause: the clock was wrong then, or is now. */
function isPaused(notBefore: number, now: number): boolean {
  return notBefore > now && notBefore <= now + MAX_PAUSE_MS;
}

/** The upstream asked for a pause, which is not over yet. */
class PauseError extends UpstreamError {
  constructor(notBefore: number, { names }: Source, typed: (command: string) => string) {
    const until = new Date(notBefore).toISOString().slice(0, 19).replace("T", " ");
    const short = names.map((name) => name.replace("release-", "")).join(",");
    super(`skipped: rate-limited by the upstream until ${until} UTC (to ask now: ${typed(`collect --now ${short}`)})`);
  }
}

/** Keeps the validators of an answer if all of its snapshots were published, and forgets them if one failed or is held.
 * After a failure, keeps the pause that the upstream asked for, now or before. `now`: in ms since the epoch. */
export function updateState(
  states: UpstreamStates,
  source: Source,
  answered: UpstreamAnswer | "unchanged" | { error: unknown },
  { outcomes, now }: { outcomes: readonly { name: SnapshotName; payload?: Payload }[]; now: number },
): void {
  const { answer, notBefore: earlier = 0 } = states.get(keyOf(source)) ?? {};
  if (answered === "unchanged") return setState(states, source, { ...(answer && { answer }) });
  if ("error" in answered) {
    if (answered.error instanceof PauseError) return;
    const pause = answered.error instanceof UpstreamError ? (answered.error.retryAfterMs ?? 0) : 0;
    const notBefore = pause > 0 ? now + Math.min(pause, MAX_PAUSE_MS) : earlier;
    return setState(states, source, { ...(answer && { answer }), ...(isPaused(notBefore, now) && { notBefore }) });
  }
  const validators = answered.validators ?? {};
  const sums = new Map<SnapshotName, string>();
  for (const { name, payload } of outcomes) if (payload) sums.set(name, factOf(payload).sha256);
  const isWhole = sums.size === source.names.length && Boolean(validators.etag || validators.lastModified);
  setState(states, source, isWhole ? { answer: { validators, sums } } : {});
}

function setState(states: UpstreamStates, source: Source, state: UpstreamState): void {
  if (state.answer || state.notBefore !== undefined) states.set(keyOf(source), state);
  else states.delete(keyOf(source));
}

function keyOf({ names }: Source): string {
  return names.join(" ");
}

// Only values that can be sent back in a header.
const headerText = z.string().regex(/^[\u0020-\u007e]{1,2048}$/);
const StateFile = z.object({
  format: z.literal(1),
  sources: knownItems(
    z.object({
      names: z.array(z.enum(SNAPSHOT_NAMES)).min(1),
      settings: z.string(),
      notBefore: z.number().optional(),
      etag: headerText.optional(),
      lastModified: headerText.optional(),
      latestEtag: headerText.optional(),
      sums: z.array(z.string()).optional(),
    }),
  ),
});
type StoredState = z.infer<typeof StateFile>["sources"][number];

/** The stored states of sources with these settings; none if they cannot be read: requests are then unconditional. */
export async function loadState(store: Store, fingerprints: Fingerprints): Promise<UpstreamStates> {
  const { sources } = (await readDocument(store, STATE_KEY, StateFile)) ?? { sources: [] };
  const current = sources.filter(({ names, settings }) => names.every((name) => fingerprints.get(name) === settings));
  return new Map(current.map((stored) => [stored.names.join(" "), stateFrom(stored)]));
}

function stateFrom({ names, notBefore, etag, lastModified, latestEtag, sums }: StoredState): UpstreamState {
  const pairs = names.map((name, index) => [name, sums?.[index] ?? ""] as const);
  return {
    ...(notBefore !== undefined && { notBefore }),
    ...(sums && { answer: { validators: { etag, lastModified, latestEtag }, sums: new Map(pairs) } }),
  };
}

/** Saves the states if they differ from the loaded ones. @throws StoreError */
export async function saveState(
  store: Store,
  states: UpstreamStates,
  { loaded, fingerprints }: { loaded: UpstreamStates; fingerprints: Fingerprints },
): Promise<void> {
  const text = stateText(states, fingerprints);
  if (text !== stateText(loaded, fingerprints)) await store.put(STATE_KEY, Buffer.from(text));
}

function stateText(states: UpstreamStates, fingerprints: Fingerprints): string {
  const sources = [...states].map(([key, { notBefore, answer }]): StoredState => {
    const names = SNAPSHOT_NAMES.filter((name) => key.split(" ").includes(name));
    const { etag, lastModified, latestEtag } = answer?.validators ?? {};
    const isPlain = [etag, lastModified, latestEtag].every(
      (value) => headerText.optional().safeParse(value || undefined).success,
    );
    return {
      names,
      settings: fingerprints.get(names[0] ?? "plans") ?? "",
      notBefore,
      ...(isPlain &&
        answer && {
          etag: etag || undefined,
          lastModified: lastModified || undefined,
          latestEtag: latestEtag || undefined,
          sums: names.map((name) => answer.sums.get(name) ?? ""),
        }),
    };
  });
  return `${JSON.stringify({ format: 1, sources })}\n`;
}
