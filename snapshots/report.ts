// The report of all collections, kept beside the snapshots: for each snapshot the last outcome, the number of outcomes
// of each kind, and the latest results in order. The operator sees all of it; the server shows no reasons.
import * as z from "zod";
import { readDocument, readDocumentIfNot } from "./read-document.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "./snapshot.ts";
import type { Reader, Store, Version } from "./store.ts";

const REPORT_KEY = "last-run.json";

/** Of each snapshot. */
const MAX_RESULTS = 50;

export const RESULTS = ["changed", "confirmed", "held", "failed"] as const;
const instant = z.iso.datetime();
const count = z.int().min(0);

const Outcome = z.strictObject({
  name: z.enum(SNAPSHOT_NAMES),
  result: z.enum(RESULTS),
  /** Why it failed or is held, in our words. */
  reason: z.string().optional(),
  /** When the run ended; ISO 8601, UTC. */
  finishedAt: instant,
  milliseconds: z.number().min(0),
  /** Outcomes of each kind since the report began, including this one. */
  counts: z.strictObject({ changed: count, confirmed: count, held: count, failed: count }),
});
export type Reported = z.infer<typeof Outcome>;

/** The result for one snapshot in one run. `at`: ISO 8601, UTC. */
const Collected = z.strictObject({ at: instant, result: z.enum(RESULTS) });
export type Collected = z.infer<typeof Collected>;
/** The latest of each snapshot, oldest first. */
export type Collections = Partial<Record<SnapshotName, readonly Collected[]>>;

const Report = z.strictObject({
  format: z.literal(2),
  outcomes: z.array(Outcome),
  collections: z.partialRecord(z.enum(SNAPSHOT_NAMES), z.array(Collected).max(MAX_RESULTS)),
});
export type Report = z.infer<typeof Report>;

const NONE: Reported["counts"] = { changed: 0, confirmed: 0, held: 0, failed: 0 };

/** Adds the outcomes of a run; those of other snapshots stay. @throws StoreError */
export async function writeReport(
  store: Store,
  latest: readonly Omit<Reported, "finishedAt" | "counts">[],
): Promise<void> {
  const { outcomes: earlier, collections } = (await readReport(store)) ?? { outcomes: [], collections: {} };
  const at = new Date().toISOString();
  const others = earlier.filter(({ name }) => latest.every((outcome) => outcome.name !== name));
  const outcomes = latest.map((outcome): Reported => {
    const counts = earlier.find(({ name }) => name === outcome.name)?.counts ?? NONE;
    return { ...outcome, finishedAt: at, counts: { ...counts, [outcome.result]: counts[outcome.result] + 1 } };
  });
  const added = latest.map(({ name, result }) => {
    return [name, [...(collections[name] ?? []), { at, result }].slice(-MAX_RESULTS)] as const;
  });
  const report: Report = {
    format: 2,
    outcomes: [...others, ...outcomes],
    collections: { ...collections, ...Object.fromEntries(added) },
  };
  await store.put(REPORT_KEY, Buffer.from(`${JSON.stringify(report)}\n`));
}

/** The report, or undefined if there is no readable one. */
export async function readReport(store: Reader): Promise<Report | undefined> {
  return readDocument(store, REPORT_KEY, Report);
}

/** The same with its version, or `unchanged` while it still has the version `ifNot`. Never throws. */
export async function readReportIfNot(
  store: Reader,
  ifNot: Version | undefined,
): Promise<{ report: Report | undefined; version: Version | undefined } | "unchanged"> {
  const read = await readDocumentIfNot(store, REPORT_KEY, { schema: Report, ifNot });
  return read === "unchanged" ? read : { report: read.document, version: read.version };
}
