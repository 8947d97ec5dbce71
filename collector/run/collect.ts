// One run over all sources: fetch → translate → gate → compare → seal → guard → publish. Every source on its own: one that fails
// leaves the others, and its own last snapshot, as they are. The only place that turns an error into an outcome.
import { readSnapshot } from "../../snapshots/snapshot-io.ts";
import type { Keeping } from "../../snapshots/history.ts";
import { writeReport } from "../../snapshots/report.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { Store } from "../../snapshots/store.ts";
import { ask, read, reasonOf } from "./ask-source.ts";
import { confirm, type Confirmed, type HeldBack } from "./confirm.ts";
import type { GuardSettings } from "./guard.ts";
import { recordHistory } from "./record-history.ts";
import {
  memoryText,
  readMemory,
  recall,
  remember,
  writeMemory,
  type Fingerprints,
  type Memory,
} from "./upstream-state.ts";
import type { UpstreamAnswer, Source } from "../source.ts";

/** What became of one snapshot; `milliseconds` since its source was asked. */
export type Outcome = { name: SnapshotName; milliseconds: number } & (Confirmed | HeldBack | Failed);

export interface Failed {
  result: "failed";
  /** In our own words, for the operator. */
  reason: string;
  /** True when there is a last snapshot, which stands. */
  isKept: boolean;
}

export interface Run {
  sources: readonly Source[];
  store: Store;
  /** What earlier runs of this process left; with `fingerprints`, what the store has of all of them. */
  memory: Memory;
  fingerprints?: Fingerprints;
  /** How long a confirmed snapshot may be believed, milliseconds. */
  staleAfter: number;
  /** What is held back as a likely accident; false: nothing. */
  guard: GuardSettings | false;
  /** Snapshots that are published whatever the guard thinks of them. */
  accept?: ReadonlySet<SnapshotName>;
  /** The time, milliseconds since the epoch; by default the computer's. */
  now?: () => number;
  /** How much history is kept; undefined: it is left alone. */
  history?: Keeping | undefined;
  /** Ends the run: whatever is not published by then has failed. */
  signal: AbortSignal;
  /** Told of each outcome as soon as it is known. */
  onOutcome: (outcome: Outcome) => void;
}

/** Runs every source once. `busy`: another collector is at this store, and nothing was done.
 * @throws StoreError when the store cannot be written at all. */
export async function collect(run: Run): Promise<Outcome[] | "busy"> {
  const { store, fingerprints } = run;
  const claim = await store.claim();
  if (!claim) return "busy";
  try {
    await Promise.all(run.sources.flatMap(({ names }) => names.map((name) => remembered(name, run))));
    if (fingerprints) refill(run.memory, await readMemory(store, fingerprints));
    const before = fingerprints && memoryText(run.memory, fingerprints);
    const outcomes = (await Promise.all(run.sources.map((source) => collectSource(source, run)))).flat();
    await writeReport(store, outcomes.map(reported));
    // Whatever becomes of it: without it, upstreams are asked for more than need be.
    const after = fingerprints && memoryText(run.memory, fingerprints);
    if (after !== undefined && after !== before) await writeMemory(store, after).catch(() => {});
    return outcomes;
  } finally {
    await claim.release();
  }
}

async function collectSource(source: Source, run: Run): Promise<Outcome[]> {
  const started = performance.now();
  const askedAt = timeOf(run)();
  const answer = recall(run.memory, source, { store: run.store, now: askedAt }).then((validators) =>
    ask(source, { signal: run.signal, validators }),
  );
  const outcomes = await Promise.all(
    source.names.map(async (name) => {
      const finding = await find(source, name, { answer, askedAt, run }).catch((error: unknown) =>
        failure(error, name, run),
      );
      if ("notes" in finding) finding.notes.push(...(await remembered(name, run)));
      const outcome: Outcome = { name, milliseconds: performance.now() - started, ...finding };
      run.onOutcome(outcome);
      return outcome;
    }),
  );
  const said = await answer.catch((error: unknown) => ({ error }));
  remember(run.memory, source, said, { outcomes, now: timeOf(run)() });
  return outcomes;
}

/** One snapshot: translate → gate → confirm. @throws UpstreamError, StoreError */
async function find(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: Promise<UpstreamAnswer | "unchanged">; askedAt: number; run: Run },
): Promise<Confirmed | HeldBack> {
  const { store, staleAfter, guard, accept } = run;
  const answered = await answer;
  const { payload, dropped } =
    answered === "unchanged" ? { payload: answered, dropped: 0 } : read(source, name, answered);
  const confirmed = await confirm(store, {
    name,
    kind: source.kind,
    payload,
    askedAt,
    staleAfter,
    guard,
    isAccepted: accept?.has(name) ?? false,
    now: timeOf(run),
  });
  if (confirmed.result === "held") return confirmed;
  if (dropped > 0) confirmed.notes.push(`${dropped} unlisted ${dropped === 1 ? "field" : "fields"} dropped`);
  return confirmed;
}

async function failure(error: unknown, name: SnapshotName, run: Run): Promise<Failed> {
  const last = await readSnapshot(run.store, name, timeOf(run)());
  return { result: "failed", reason: reasonOf(error), isKept: last.state === "found" };
}

/** Another process may have collected in between: what the store remembers goes before what this one does. */
function refill(memory: Memory, stored: Memory): void {
  memory.clear();
  for (const [key, remembered] of stored) memory.set(key, remembered);
}

function timeOf({ now = Date.now }: Run): () => number {
  return now;
}

/** Notes on what could not be kept. */
async function remembered(name: SnapshotName, run: Run): Promise<string[]> {
  return run.history ? recordHistory(run.store, name, { ...run.history, now: timeOf(run)() }) : [];
}

function reported(outcome: Outcome) {
  const { name, result, milliseconds } = outcome;
  const common = { name, result, milliseconds: Math.round(milliseconds) };
  return "reason" in outcome ? { ...common, reason: outcome.reason } : common;
}
