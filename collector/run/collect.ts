// A run goes over all sources: read snapshots → ask → find the fact → link → confirm (seal, guard, publish) → record history →
// report. Sources are independent: one that fails changes neither the others nor its own last snapshot. Only this file turns an
// error into an outcome.
import { appendHistory, pruneHistory, type Retention } from "../../snapshots/features/history/history.ts";
import { readReport, writeReport, type LinkRecord } from "../../snapshots/records.ts";
import { readOwn, type Facts, type SnapshotRead } from "../../snapshots/facts.ts";
import { type Fact, type Snapshot, type SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError, type Reader } from "../../snapshots/store.ts";
import { replacedFiles } from "../features/kinds/releases/files.ts";
import type { Source, UpstreamAnswer } from "../source.ts";
import { ask, find, reasonOf } from "./ask.ts";
import { confirm, type HeldBack, type Publishing, type Signing } from "./confirm.ts";
import { crossCheck, publishedFacts, type CrossCheck, type CrossChecked } from "../features/witnesses/cross-check.ts";
import { linkCheck, type LinkSettings } from "../features/link-check/link-check.ts";
import { notify, type Notifier } from "../features/notify/notify.ts";
import { PauseError, sumOf, UpstreamStates, type Fingerprints } from "./upstream-state.ts";

/** The result for one snapshot; `milliseconds` since its source was asked. */
export type Outcome = Result & {
  name: SnapshotName;
  milliseconds: number;
  /** True if there was a last snapshot, which stays published if the run has no newer one. */
  isKept: boolean;
};

type Result = (PublishedResult | HeldResult | FailedResult) & {
  link?: LinkRecord | undefined;
};

interface PublishedResult extends Fact {
  result: "changed" | "confirmed";
  sum: string;
  /** Remarks for the operator, in our own words. */
  notes: string[];
}

type HeldResult = HeldBack & { notes: string[] };

interface FailedResult {
  result: "failed";
  reason: string;
  /** True if the upstream asked for a pause and was not asked; the operator may ask all the same. */
  isPaused?: boolean;
}

export interface CollectRun extends Publishing {
  sources: readonly Source[];
  /** The upstream state in the store is used only if it was saved with the same fingerprints. */
  fingerprints: Fingerprints;
  links?: LinkSettings | undefined;
  /** Upstreams of these snapshots are asked even during a pause that they asked for. */
  askNow?: ReadonlySet<SnapshotName> | undefined;
  /** Without it, the history is not touched. */
  history?: Retention | undefined;
  /** Ends the run: snapshots not published by then have failed. */
  signal: AbortSignal;
  /** Called with the outcomes of a source, in the order of its names, as soon as they are known. */
  onOutcome: (outcome: Outcome) => void;
  /** Every cross-check of the settings; the run asks those about its own facts. */
  crossChecks?: readonly CrossCheck[] | undefined;
  notifier?: Notifier | undefined;
  /** Called for each cross-check of a fact that was asked, once the facts are published. */
  onCrossCheck?: ((checked: CrossChecked) => void) | undefined;
}

/** Runs every source once. Returns `busy`, without doing anything, while another collector holds the store's claim.
 * @throws OtherProduct before anything is written; StoreError when the store cannot be written at all. */
export async function collect(given: CollectRun): Promise<Outcome[] | "busy"> {
  const run = { ...given, facts: believed(given.facts, given.signing) };
  const { sources, facts, signing, signal } = run;
  const { store, clock } = facts;
  const claim = await store.claim();
  if (!claim) return "busy";
  try {
    const reads = await readOwn(facts);
    const upstreams = await UpstreamStates.load(store, run.fingerprints, signing);
    const earlier = (await readReport(facts))?.outcomes ?? [];
    const earlierLinks = new Map(earlier.map(({ name, link }) => [name, link]));
    const progress = { ...run, reads, upstreams, earlierLinks, checkLink: linkCheck(run.links, signal) };
    const outcomes = (await Promise.all(sources.map((source) => collectSource(source, progress)))).flat();
    const told = await notify(run.notifier, { outcomes, reads, earlier, now: clock.wall(), signal });
    const entries = outcomes.map((outcome) => ({ ...reportEntry(outcome), told: told.get(outcome.name) }));
    const report = await writeReport(facts, entries);
    // A failure is ignored: without the state, the next run only makes more requests than necessary.
    await upstreams.save(store).catch(() => {});
    // Likewise: without a record, the next run only asks again.
    const published = publishedFacts(reads, outcomes);
    await crossCheck(run.crossChecks ?? [], outcomes, { ...run, now: clock.wall, report, published, store }).catch(
      () => {},
    );
    return outcomes;
  } finally {
    await claim.release();
  }
}

/** A collector that signs believes only what it has signed. */
export function believed<S extends Reader>(facts: Facts<S>, signing: Signing | undefined): Facts<S> {
  return signing ? { ...facts, trust: signing.trust } : facts;
}

type RunInProgress = CollectRun & {
  /** The snapshots when the run began. The claim keeps other collectors out, so they are read only once. */
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
  upstreams: UpstreamStates;
  earlierLinks: ReadonlyMap<SnapshotName, LinkRecord | undefined>;
  checkLink: ReturnType<typeof linkCheck>;
};

async function collectSource(source: Source, run: RunInProgress): Promise<Outcome[]> {
  const { reads, upstreams, signal } = run;
  await Promise.all(source.names.map((name) => recordHistory(name, snapshotIn(reads, name), run)));
  const started = performance.now();
  const askedAt = run.facts.clock.wall();
  const answer = Promise.resolve().then(() => {
    const validators = upstreams.validatorsFor(source, { ...run, now: askedAt });
    return ask(source, { signal, validators });
  });
  const outcomes = await Promise.all(
    source.names.map(async (name): Promise<Outcome> => {
      const collected = collectSnapshot(source, name, { answer, askedAt, run });
      const result = await collected.catch((error: unknown): FailedResult => {
        return { result: "failed", reason: reasonOf(error), isPaused: error instanceof PauseError };
      });
      // Without an answer of the source, nothing new is known of the link.
      const link = run.earlierLinks.get(name);
      const isKept = snapshotIn(reads, name) !== undefined;
      return { name, milliseconds: performance.now() - started, isKept, link, ...result };
    }),
  );
  for (const outcome of outcomes) run.onOutcome(outcome);
  const settled = await answer.catch((error: unknown) => ({ error }));
  upstreams.update(source, settled, { outcomes, now: run.facts.clock.wall() });
  return outcomes;
}

/** Finds the fact → checks its link → confirms it → records history. @throws UpstreamError, StoreError */
async function collectSnapshot(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: Promise<UpstreamAnswer | "unchanged">; askedAt: number; run: RunInProgress },
): Promise<Result> {
  const published = snapshotIn(run.reads, name);
  const answered = await answer;
  const found = answered === "unchanged" ? undefined : find(source, name, answered);
  const fact = found?.fact ?? published;
  if (!fact) throw new StoreError("the upstream says unchanged, but the snapshot cannot be read");
  // Names also come from the settings: an answer counts as unchanged only under the same settings.
  const { names, files } = found ?? published ?? {};
  const { warnings = [], dropped = 0 } = found ?? {};
  const reminders = source.remindersOf?.(fact.payload) ?? [];
  const checked = await run.checkLink(fact.payload, {
    published,
    earlier: run.earlierLinks.get(name),
    now: run.facts.clock.wall(),
  });
  const { link, problem, doubts } = checked;
  const remarks = [...checked.notes, ...replacedFiles(published, { ...fact, files })];
  if (problem !== undefined) return { result: "failed", reason: problem, link };
  const read = run.reads.get(name) ?? { state: "missing", version: undefined };
  const confirmed = await confirm({ name, kind: source.kind, fact, names, files, askedAt, doubts }, read, run);
  if (confirmed.result === "held") return { ...confirmed, notes: [...remarks, ...warnings, ...reminders], link };
  const { result, snapshot } = confirmed;
  const { payload, text, sha256 } = snapshot;
  const notes = [
    ...confirmed.notes,
    ...remarks,
    ...(result === "changed" ? warnings : []),
    ...reminders,
    ...(dropped > 0 ? [`${dropped} unlisted ${dropped === 1 ? "field" : "fields"} dropped`] : []),
    ...(await recordHistory(name, snapshot, run)),
  ];
  return { result, payload, text, sha256, sum: sumOf(snapshot), notes, link };
}

function snapshotIn(reads: RunInProgress["reads"], name: SnapshotName): Snapshot | undefined {
  const read = reads.get(name);
  return read?.state === "found" ? read.snapshot : undefined;
}

/** Appends the snapshot to the history unless it is recorded already, such as after a crash of the last run, and prunes old
 * entries. Never fails a run: the snapshot matters to clients, its history is a convenience. Returns notes for the operator. */
async function recordHistory(
  name: SnapshotName,
  snapshot: Snapshot | undefined,
  { facts, history }: RunInProgress,
): Promise<string[]> {
  if (!history) return [];
  try {
    if (history.keep > 0 && snapshot) await appendHistory(facts, snapshot);
    await pruneHistory(facts, name, history);
    return [];
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "internal error";
    return [`its history is not up to date: ${reason}`];
  }
}

function reportEntry(outcome: Outcome) {
  const { name, result, milliseconds, link } = outcome;
  const entry = { name, result, milliseconds: Math.round(milliseconds), ...(link && { link }) };
  return "reason" in outcome ? { ...entry, reason: outcome.reason } : entry;
}
