// What the last collection came to, and what each one before it did, kept beside the snapshots. An operator can ask why;
// the server reads results and times only.
import * as z from "zod";
import { SNAPSHOT_NAMES, type SnapshotName } from "./snapshot.ts";
import type { Store, Version } from "./store.ts";

const REPORT_KEY = "last-run.json";

/** Most results that are kept of each snapshot. */
const MOST_KEPT = 50;

const instant = z.iso.datetime();
const result = z.enum(["changed", "confirmed", "held", "failed"]);

/** What became of one snapshot in one run, without a reason. `at`: ISO 8601, UTC. */
const Collected = z.strictObject({ at: instant, result });
export type Collected = z.infer<typeof Collected>;
/** The latest of each snapshot, oldest first. */
export type Collections = Partial<Record<SnapshotName, readonly Collected[]>>;

const Report = z.strictObject({
  format: z.literal(1),
  /** ISO 8601, UTC. */
  finishedAt: instant,
  outcomes: z.array(
    z.strictObject({
      name: z.enum(SNAPSHOT_NAMES),
      result,
      /** Why it failed or is held, in our words. */
      reason: z.string().optional(),
    }),
  ),
  // Not in the reports of earlier versions.
  collections: z.partialRecord(z.enum(SNAPSHOT_NAMES), z.array(Collected).max(MOST_KEPT)).default({}),
});
export type Report = z.infer<typeof Report>;

/** What the report says of snapshots that this run was not about is kept. @throws StoreError */
export async function writeReport(store: Store, latest: Report["outcomes"]): Promise<void> {
  const earlier = await readReport(store);
  const untouched = earlier?.outcomes.filter(({ name }) => latest.every((outcome) => outcome.name !== name)) ?? [];
  const finishedAt = new Date().toISOString();
  const collections = { ...earlier?.collections };
  for (const { name, result } of latest) {
    collections[name] = [...(collections[name] ?? []), { at: finishedAt, result }].slice(-MOST_KEPT);
  }
  const report: Report = { format: 1, finishedAt, outcomes: [...untouched, ...latest], collections };
  await store.put(REPORT_KEY, Buffer.from(`${JSON.stringify(report)}\n`));
}

/** The last report, or undefined when there is no readable one. */
export async function readReport(store: Store): Promise<Report | undefined> {
  try {
    const stored = await store.get(REPORT_KEY);
    return stored === undefined || stored === "unchanged" ? undefined : parse(stored.bytes);
  } catch {
    return undefined;
  }
}

/** The last collections, for those who may not know reasons. `version` is for the next look; unreadable is as good as
 * nothing. */
export async function readCollections(
  store: Store,
  ifNot?: Version,
): Promise<{ collections: Collections; version: Version | undefined } | "unchanged"> {
  let version: Version | undefined;
  try {
    const stored = await store.get(REPORT_KEY, ifNot);
    if (stored === "unchanged") return stored;
    version = stored?.version;
    return { collections: stored ? parse(stored.bytes).collections : {}, version };
  } catch {
    return { collections: {}, version };
  }
}

function parse(bytes: Uint8Array): Report {
  return Report.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
