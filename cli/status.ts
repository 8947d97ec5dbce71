// The state of every snapshot as an operator is told it, from the store or from a server's /status. What a store knows
// beyond what a server tells stands here, too: why a collection failed, what is damaged, what a held candidate would change.
import * as z from "zod";
import { readSnapshot } from "../snapshots/snapshot-io.ts";
import { heldReasons, readHeld, type Held } from "../snapshots/held.ts";
import { readReport, RESULTS, type Report } from "../snapshots/report.ts";
import { isAging, isFresh, SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import type { Store } from "../snapshots/store.ts";

const Row = z.object({
  name: z.enum(SNAPSHOT_NAMES),
  state: z.enum(["fresh", "stale", "missing"]),
  /** Fresh, but half of its lifetime is spent. */
  aging: z.boolean().optional(),
  revision: z.number().optional(),
  changedAt: z.string().optional(),
  confirmedAt: z.string().optional(),
  freshUntil: z.string().optional(),
  /** The guard holds a candidate back. `changes` only from the store. */
  held: z
    .object({
      since: z.string(),
      sightings: z.number(),
      reasons: z.array(z.string()),
      changes: z.array(z.string()).optional(),
    })
    .optional(),
  /** What the last collection of it came to, and when. */
  lastOutcome: z.object({ result: z.enum(RESULTS), finishedAt: z.string() }).optional(),
  /** Only from the store: the last collection of it failed, and why. */
  lastError: z.string().optional(),
  /** Only from the store: the current file cannot be read, and why. */
  damage: z.string().optional(),
});
export type Row = z.infer<typeof Row>;

const Status = z.object({ snapshots: z.array(Row) });

/** What a server's /status says. @throws Error when it is none. */
export function statusOfText(text: string): Row[] {
  const parsed = Status.safeParse(parse(text));
  if (!parsed.success) throw new Error("this is not the status of a Vitrine");
  return parsed.data.snapshots;
}

/** The state of every snapshot in a store, and what the last collection of it came to. */
export async function statusOfStore(store: Store): Promise<Row[]> {
  const report = await readReport(store);
  return Promise.all(SNAPSHOT_NAMES.map((name) => rowOf(store, name, report)));
}

async function rowOf(store: Store, name: SnapshotName, report: Report | undefined): Promise<Row> {
  const now = Date.now();
  const read = await readSnapshot(store, name, now);
  const last = report?.outcomes.find((outcome) => outcome.name === name);
  const lastError = last?.result === "failed" ? last.reason : undefined;
  const held = await readHeld(store, name);
  const told = {
    ...(held && { held: tellHeld(held) }),
    ...(last && { lastOutcome: { result: last.result, finishedAt: last.finishedAt } }),
    ...(lastError && { lastError }),
    ...(read.damage && { damage: read.damage }),
  };
  if (read.state === "missing") return { name, state: "missing", ...told };
  const { snapshot } = read;
  const { revision, changedAt, confirmedAt, freshUntil } = snapshot;
  const state = isFresh(snapshot, now) ? "fresh" : "stale";
  const age = isAging(snapshot, Date.parse(freshUntil) - now) && { aging: true };
  return { name, state, ...age, revision, changedAt, confirmedAt, freshUntil, ...told };
}

function tellHeld(held: Held): NonNullable<Row["held"]> {
  const { since, sightings, changes } = held;
  return { since, sightings, reasons: heldReasons(held), changes };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
