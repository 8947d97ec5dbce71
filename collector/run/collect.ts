// One run over all sources: read snapshots → fetch → translate → gate → confirm (seal, guard, publish) → record
// history → report. Sources are independent: one that fails changes neither the others nor its own last snapshot.
// Only this file turns an error into an outcome.
import { appendHistory, pruneHistory, type Retention } from "../../snapshots/history.ts";
import { readReport, writeReport, type LinkRecord } from "../../snapshots/records.ts";
import {
  isFresh,
  readOwn,
  readSnapshot,
  type Payload,
  type Snapshot,
  type SnapshotName,
  type SnapshotRead,
} from "../../snapshots/snapshot.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";
import type { Source, UpstreamAnswer } from "../source.ts";
import { fetchFrom, reasonOf, translateAndGate } from "./ask.ts";
import { confirm, type HeldBack, type KnownFacts } from "./confirm.ts";
import { crossCheck, type CrossCheck, type CrossChecked } from "./cross-check.ts";
import type { GuardSettings } from "./guard.ts";
import { linkCheck, type LinkSettings } from "./link-check.ts";
import { notify, type Notifier } from "./notify.ts";
import {
  loadState,
  saveState,
  updateState,
  validatorsFor,
  type Fingerprints,
  type UpstreamStates,
} from "./upstream-state.ts";

/** The result for one snapshot; `milliseconds` since its source was asked. */
export type Outcome = { name: SnapshotName; milliseconds: number } & Result;

type Result = (PublishedResult | HeldResult | FailedResult) & {
  /** What is known of the download link. */
  link?: LinkRecord | undefined;
};

interface PublishedResult {
  result: "changed" | "confirmed";
  payload: Payload;
  /** Remarks for the operator, in our own words. */
  notes: string[];
}

type HeldResult = HeldBack & {
  /** Probable mistakes in the candidate, which may be why it is held; in our own words. */
  notes: string[];
};

interface FailedResult {
  result: "failed";
  /** In our own words, for the operator. */
  reason: string;
  /** True if there is a last snapshot, which stays published. */
  isKept: boolean;
}

export interface CollectRun {
  sources: readonly Source[];
  store: Store;
  /** The upstream state in the store is used only if it was saved with the same fingerprints. */
  fingerprints: Fingerprints;
  /** How long a confirmed snapshot stays fresh, in ms. */
  staleAfter: number;
  /** Holds back likely accidents; false disables it. */
  guard: GuardSettings | false;
  known?: KnownFacts | undefined;
  /** Asks where download links lead. */
  links?: LinkSettings | undefined;
  /** Snapshots to publish even if the guard would hold them. */
  accept?: ReadonlySet<SnapshotName> | undefined;
  /** Snapshots whose upstreams are asked even during a pause that they asked for. */
  askNow?: ReadonlySet<SnapshotName> | undefined;
  /** The current time in ms since the epoch; `Date.now` by default. */
  now?: () => number;
  /** How much history is kept; without it, the history is not touched. */
  history?: Retention | undefined;
  /** How the operator types a command, such as `collect --now plans`, for messages. */
  typed?: ((command: string) => string) | undefined;
  /** Ends the run: snapshots not published by then have failed. */
  signal: AbortSignal;
  /** Called with each outcome as soon as it is known. */
  onOutcome: (outcome: Outcome) => void;
  /** All of the settings; those of other facts than this run's are not asked. */
  crossChecks?: readonly CrossCheck[] | undefined;
  /** Whom to tell of facts that need a look. */
  notifier?: Notifier | undefined;
  /** Called for each cross-check of a fact that was asked, once the facts are published. */
  onCrossCheck?: ((checked: CrossChecked) => void) | undefined;
}

/** Runs every source once. Returns `busy`, without doing anything, while another collector holds the store's claim.
 * @throws OtherProduct before anything is written; StoreError when the store cannot be written at all. */
export async function collect(run: CollectRun): Promise<Outcome[] | "busy"> {
  const { sources, store, fingerprints, now = Date.now } = run;
  const claim = await store.claim();
  if (!claim) return "busy";
  try {
    const reads = await readOwn(store, now());
    const loaded = await loadState(store, fingerprints);
    const states = new Map(loaded);
    const checkLink = linkCheck(run.links, run.signal);
    const earlier = (await readReport(store))?.outcomes ?? [];
    const links = new Map(earlier.map(({ name, link }) => [name, link]));
    const progress = { ...run, now, states, reads, links, checkLink };
    const outcomes = (await Promise.all(sources.map((source) => collectSource(source, progress)))).flat();
    const told = await notify(run.notifier, { outcomes, reads, earlier, now: now(), signal: run.signal });
    const entries = outcomes.map((outcome) => ({ ...reportEntry(outcome), told: told.get(outcome.name) }));
    const report = await writeReport(store, entries);
    // A failure is ignored: without the state, the next run only makes more requests than necessary.
    await saveState(store, states, { loaded, fingerprints }).catch(() => {});
    // The same: without a record, the next run asks again.
    await crossCheck(run.crossChecks ?? [], outcomes, { ...run, now, report }).catch(() => {});
    return outcomes;
  } finally {
    await claim.release();
  }
}

type RunInProgress = Omit<CollectRun, "links"> & {
  now: () => number;
  states: UpstreamStates;
  /** What the runs before recorded. */
  links: ReadonlyMap<SnapshotName, LinkRecord | undefined>;
  checkLink: ReturnType<typeof linkCheck>;
  reads: ReadonlyMap<SnapshotName, SnapshotRead>;
};

/** The snapshot as published when the run began. The claim keeps other collectors out, so it is read only once. */
interface Before {
  name: SnapshotName;
  read: SnapshotRead;
}

async function collectSource(source: Source, run: RunInProgress): Promise<Outcome[]> {
  const published = await Promise.all(source.names.map((name) => readPublished(name, run)));
  const started = performance.now();
  const askedAt = run.now();
  const answer = Promise.resolve().then(() => {
    const validators = validatorsFor(source, run.states, { ...run, published, now: askedAt });
    return fetchFrom(source, { signal: run.signal, validators });
  });
  const outcomes = await Promise.all(
    published.map(async (before) => {
      const result = await collectSnapshot(source, before, { answer, askedAt, run }).catch((error: unknown) =>
        failure(error, before),
      );
      const { name } = before;
      // Without an answer of the source, nothing new is known of the link.
      const outcome: Outcome = {
        name,
        milliseconds: performance.now() - started,
        link: run.links.get(name),
        ...result,
      };
      run.onOutcome(outcome);
      return outcome;
    }),
  );
  const settled = await answer.catch((error: unknown) => ({ error }));
  updateState(run.states, source, settled, { outcomes, now: run.now() });
  return outcomes;
}

/** A snapshot as read at the start of the run; records it in the history if a crash of the last run left it out. */
async function readPublished(name: SnapshotName, { store, history, now, reads }: RunInProgress): Promise<Before> {
  const read = reads.get(name) ?? (await readSnapshot(store, name, now()));
  const snapshot = read.state === "found" ? read.snapshot : undefined;
  if (history) await recordHistory(store, name, { ...history, snapshot, now: now() });
  return { name, read };
}

/** One snapshot of a source: translate → gate → confirm → record history. @throws UpstreamError, StoreError */
async function collectSnapshot(
  source: Source,
  { name, read }: Before,
  { answer, askedAt, run }: { answer: Promise<UpstreamAnswer | "unchanged">; askedAt: number; run: RunInProgress },
): Promise<Result> {
  const { store, staleAfter, guard, known, accept, now, history } = run;
  const answered = await answer;
  const { payload, dropped, warnings } =
    answered === "unchanged"
      ? { payload: answered, dropped: 0, warnings: [] }
      : translateAndGate(source, name, answered);
  const published = read.state === "found" ? read.snapshot : undefined;
  const candidate = payload === "unchanged" ? published?.payload : payload;
  const isServed = published !== undefined && isFresh(published, now());
  const before = { last: published?.payload, isServed, earlier: run.links.get(name), now: now() };
  const checked = candidate && (await run.checkLink(candidate, before));
  const { link, problem, doubts, notes: remarks = [] } = checked ?? {};
  if (problem !== undefined) return { result: "failed", reason: problem, isKept: read.state === "found", link };
  const isAccepted = accept?.has(name) ?? false;
  const confirmation = { name, kind: source.kind, payload, askedAt, staleAfter, guard, known, doubts, isAccepted, now };
  const confirmed = await confirm(store, read, confirmation);
  if (confirmed.result === "held") return { ...confirmed, notes: [...remarks, ...warnings], link };
  const { result, snapshot } = confirmed;
  const notes = [...confirmed.notes, ...remarks, ...(result === "changed" ? warnings : [])];
  if (dropped > 0) notes.push(`${dropped} unlisted ${dropped === 1 ? "field" : "fields"} dropped`);
  if (history) notes.push(...(await recordHistory(store, name, { ...history, snapshot, now: now() })));
  return { result, payload: snapshot.payload, notes, link };
}

/** Appends the snapshot to the history unless it is recorded already, and prunes old entries. Never fails a run: the snapshot
 * matters to clients, its history is a convenience. Returns notes for the operator. `now`: in ms since the epoch. */
async function recordHistory(
  store: Store,
  name: SnapshotName,
  { snapshot, ...retention }: Retention & { snapshot: Snapshot | undefined; now: number },
): Promise<string[]> {
  try {
    if (retention.keep > 0 && snapshot) await appendHistory(store, snapshot);
    await pruneHistory(store, name, retention);
    return [];
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "internal error";
    return [`its history is not up to date: ${reason}`];
  }
}

function failure(error: unknown, { read }: Before): FailedResult {
  return { result: "failed", reason: reasonOf(error), isKept: read.state === "found" };
}

function reportEntry(outcome: Outcome) {
  const { name, result, milliseconds, link } = outcome;
  const entry = { name, result, milliseconds: Math.round(milliseconds), ...(link && { link }) };
  return "reason" in outcome ? { ...entry, reason: outcome.reason } : entry;
}
