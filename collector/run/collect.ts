// A run goes over all sources: read snapshots → ask → find the fact → judge, seal and publish it → record → report → hooks. Sources are
// independent: one that fails changes neither the others nor its own last snapshot. Only this file turns an error into an outcome.
import { readOwn, type Facts, type SnapshotRead } from "../../snapshots/facts.ts";
import { putReport, readReport, writeReport, type Reported } from "../../snapshots/records.ts";
import type { Payload, Snapshot, SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError, type Reader } from "../../snapshots/store.ts";
import { PauseError } from "../http/errors.ts";
import type { Source, UpstreamAnswer } from "../source.ts";
import { ask, find, reasonOf } from "./ask.ts";
import { confirm, type Publishing } from "./confirm.ts";
import type { FinishedRun, OpenMemory, Recorder, RunHook, Signing, UpstreamMemory } from "../hooks.ts";
import type { FailedResult, Outcome, Result } from "../outcome.ts";

export interface CollectRun extends Publishing {
  sources: readonly Source[];
  /** Without it, every upstream is asked for a whole answer. */
  memory?: OpenMemory | undefined;
  /** Upstreams of these snapshots are asked even during a pause that they asked for. */
  askNow?: ReadonlySet<SnapshotName> | undefined;
  /** Ends the run: snapshots not published by then have failed. */
  signal: AbortSignal;
  /** Called with the outcomes of a source, in the order of its names, as soon as they are known. */
  onOutcome: (outcome: Outcome) => void;
  recorders?: readonly Recorder[];
  /** Called one after the other once the facts are published and reported. */
  hooks?: readonly RunHook[];
  /** Called with the name of a hook that failed, which changes nothing else, and with the reason. */
  onHookFailure?: (name: string, reason: string) => void;
}

/** Runs every source once. Returns `busy`, without doing anything, while another collector holds the store's claim.
 * @throws OtherProduct before anything is written; StoreError when the claim or the report cannot be written; facts may be published by
 * then. */
export async function collect(given: CollectRun): Promise<Outcome[] | "busy"> {
  const run = { ...given, facts: believed(given.facts, given.signing) };
  const { sources, facts, signing } = run;
  const claim = await facts.store.claim();
  if (!claim) return "busy";
  try {
    const reads = await readOwn(facts);
    const upstreams = await run.memory?.(facts.store, signing);
    const reported = new Map((await readReport(facts))?.outcomes.map((one) => [one.name, one]));
    const before = snapshotsIn(reads);
    const progress = { ...run, reads, before, upstreams, reported };
    const outcomes = (await Promise.all(sources.map((source) => collectSource(source, progress)))).flat();
    const report = await writeReport(facts, outcomes.map(reportEntry));
    // A failure is ignored: the next run only makes more requests than necessary.
    await upstreams?.save(facts.store).catch(() => {});
    await callHooks({ outcomes, before, published: publishedAfter(reads, outcomes), report, ...run });
    return outcomes;
  } finally {
    await claim.release();
  }
}

/** Without the record of a hook, the next run does its work again. */
async function callHooks({ hooks = [], onHookFailure = () => {}, ...run }: FinishedRun & CollectRun): Promise<void> {
  let { report } = run;
  for (const { name, after } of hooks) {
    try {
      const next = await after({ ...run, report });
      if (next !== report) await putReport(run.facts.store, next);
      report = next;
    } catch (error) {
      onHookFailure(name, reasonOf(error));
    }
  }
}

/** The payloads that are published after a run, whatever their age. `reads` are from before it. */
export function publishedAfter(
  reads: ReadonlyMap<SnapshotName, SnapshotRead>,
  outcomes: readonly { name: SnapshotName; result: string; payload?: Payload }[],
): ReadonlyMap<SnapshotName, Payload> {
  const published = new Map([...snapshotsIn(reads)].map(([name, { payload }]) => [name, payload]));
  for (const { name, result, payload } of outcomes) {
    if (payload && (result === "changed" || result === "confirmed")) published.set(name, payload);
  }
  return published;
}

function snapshotsIn(reads: ReadonlyMap<SnapshotName, SnapshotRead>): Map<SnapshotName, Snapshot> {
  return new Map(
    [...reads].flatMap(([name, read]) => (read.state === "found" ? [[name, read.snapshot] as const] : [])),
  );
}

/** A collector that signs believes only what it has signed. */
export function believed<S extends Reader>(facts: Facts<S>, signing: Signing | undefined): Facts<S> {
  return signing ? { ...facts, trust: signing.trust } : facts;
}

type RunInProgress = CollectRun & {
  /** The snapshots when the run began. The claim keeps other collectors out, so they are read only once. */
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  before: ReadonlyMap<SnapshotName, Snapshot>;
  upstreams: UpstreamMemory | undefined;
  /** What the report had of the last collections. */
  reported: ReadonlyMap<SnapshotName, Reported>;
};

async function collectSource(source: Source, run: RunInProgress): Promise<Outcome[]> {
  const { before, upstreams, signal } = run;
  const { clock } = run.facts;
  await Promise.all(source.names.map((name) => record(name, before.get(name), run)));
  const started = performance.now();
  const askedAt = clock.wall();
  const answer = Promise.resolve().then(() => {
    const validators = upstreams?.validatorsFor(source, { ...run, now: askedAt });
    return ask(source, { signal, validators });
  });
  const outcomes = await Promise.all(
    source.names.map(async (name): Promise<Outcome> => {
      const collected = collectSnapshot(source, name, { answer, askedAt, run });
      const result = await collected.catch((error: unknown): FailedResult => {
        return { result: "failed", reason: reasonOf(error), isPaused: error instanceof PauseError };
      });
      // Without an answer of the source, nothing new is known of the link.
      const link = run.reported.get(name)?.link;
      return { name, milliseconds: performance.now() - started, isKept: before.has(name), link, ...result };
    }),
  );
  for (const outcome of outcomes) run.onOutcome(outcome);
  const settled = await answer.catch((error: unknown) => ({ error }));
  upstreams?.update(source, settled, { outcomes, now: clock.wall() });
  return outcomes;
}

/** Finds the fact → confirms it → records it. @throws UpstreamError, StoreError */
async function collectSnapshot(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: Promise<UpstreamAnswer | "unchanged">; askedAt: number; run: RunInProgress },
): Promise<Result> {
  const published = run.before.get(name);
  const answered = await answer;
  const found = answered === "unchanged" ? undefined : find(source, name, answered);
  const fact = found?.fact ?? published;
  if (!fact) throw new StoreError("the upstream says unchanged, but the snapshot cannot be read");
  // Names also come from the settings: an answer counts as unchanged only under the same settings.
  const { names, files } = found ?? published ?? {};
  const { warnings = [], dropped = 0 } = found ?? {};
  const reminders = [...(found?.reminders ?? []), ...(source.remindersOf?.(fact.payload) ?? [])];
  const read = run.reads.get(name) ?? { state: "missing", version: undefined };
  const confirmed = await confirm({ name, kind: source.kind, fact, names, files, askedAt }, read, run);
  if (confirmed.result === "failed") return confirmed;
  if (confirmed.result === "held") return { ...confirmed, notes: [...confirmed.notes, ...warnings, ...reminders] };
  const { result, snapshot, link } = confirmed;
  const notes = [
    ...confirmed.notes,
    ...(result === "changed" ? warnings : []),
    ...reminders,
    ...(dropped > 0 ? [`${dropped} unlisted ${dropped === 1 ? "field" : "fields"} dropped`] : []),
    ...(await record(name, snapshot, run)),
  ];
  const told = found && { fact: found.fact, beyond: found.beyond };
  return { result, payload: snapshot.payload, snapshot, found: told, notes, link };
}

async function record(
  name: SnapshotName,
  snapshot: Snapshot | undefined,
  { facts, recorders = [] }: RunInProgress,
): Promise<string[]> {
  return (await Promise.all(recorders.map((one) => one(facts, name, snapshot)))).flat();
}

function reportEntry(outcome: Outcome) {
  const { name, result, milliseconds, link } = outcome;
  const entry = { name, result, milliseconds: Math.round(milliseconds), ...(link && { link }) };
  return "reason" in outcome ? { ...entry, reason: outcome.reason } : entry;
}
