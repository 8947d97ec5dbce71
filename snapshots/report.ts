// What the last collection came to, kept beside the snapshots so that an operator can ask later. Not served.
import * as z from "zod";
import { SNAPSHOT_NAMES } from "./snapshot.ts";
import type { Store } from "./store.ts";

const REPORT_KEY = "last-run.json";

const Report = z.strictObject({
  format: z.literal(1),
  /** ISO 8601, UTC. */
  finishedAt: z.iso.datetime(),
  outcomes: z.array(
    z.strictObject({
      name: z.enum(SNAPSHOT_NAMES),
      result: z.enum(["changed", "confirmed", "held", "failed"]),
      /** Why it failed or is held, in our words. */
      reason: z.string().optional(),
    }),
  ),
});
export type Report = z.infer<typeof Report>;

/** What the report says of snapshots that this run was not about is kept. @throws StoreError */
export async function writeReport(store: Store, latest: Report["outcomes"]): Promise<void> {
  const earlier = (await readReport(store))?.outcomes ?? [];
  const outcomes = [...earlier.filter(({ name }) => latest.every((outcome) => outcome.name !== name)), ...latest];
  const report: Report = { format: 1, finishedAt: new Date().toISOString(), outcomes };
  await store.put(REPORT_KEY, Buffer.from(`${JSON.stringify(report)}\n`));
}

/** The last report, or undefined when there is no readable one. */
export async function readReport(store: Store): Promise<Report | undefined> {
  try {
    const stored = await store.get(REPORT_KEY);
    if (stored === undefined || stored === "unchanged") return undefined;
    return Report.parse(JSON.parse(new TextDecoder().decode(stored.bytes)));
  } catch {
    return undefined;
  }
}
