// A run that writes nothing: what each source says now, what came of it and why, and what a real run would do with it.
// It takes no claim, so it can look while another collector is at work.
import { readSnapshot } from "../../snapshots/snapshot-io.ts";
import { difference } from "../../snapshots/difference.ts";
import { heldReasons, readHeld } from "../../snapshots/held.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { ask, read, reasonOf } from "./ask-source.ts";
import type { Run } from "./collect.ts";
import { isSame, publishedLast } from "./confirm.ts";
import { guard } from "./guard.ts";
import type { UpstreamAnswer, Source } from "../source.ts";

/** What a source says for one snapshot, and what a run would make of it. Only payloads' values stand in here, and names. */
export interface Finding {
  name: SnapshotName;
  /** Kind of the source. */
  from: string;
  /** How long the source took. */
  milliseconds: number;
  result: "changed" | "confirmed" | "held" | "failed";
  /** Why it failed or would be held. */
  reason?: string;
  /** Which sighting of the same held candidate this is. */
  sighting?: number;
  picked?: string;
  skipped: string[];
  /** How many unlisted fields were left behind, and which; not all of them where they are many. */
  dropped: number;
  droppedFields: string[];
  /** What would change, in a reader's words. */
  difference: string[];
}

export type DryRun = Pick<Run, "sources" | "store" | "guard" | "accept" | "signal">;

/** Asks every source once, whole; the findings in the order of the sources. Never throws. */
export async function dryRun(run: DryRun): Promise<Finding[]> {
  return (await Promise.all(run.sources.map((source) => lookAt(source, run)))).flat();
}

async function lookAt(source: Source, run: DryRun): Promise<Finding[]> {
  const started = performance.now();
  const askedAt = Date.now();
  const answer = ask(source, { signal: run.signal, validators: undefined });
  const milliseconds = answer.then(
    () => performance.now() - started,
    () => performance.now() - started,
  );
  return Promise.all(
    source.names.map(async (name) => {
      const nothing = { name, from: source.kind, skipped: [], dropped: 0, droppedFields: [], difference: [] };
      try {
        const finding = await find(source, name, { answer: await answer, askedAt, run });
        return { ...nothing, ...finding, milliseconds: await milliseconds };
      } catch (error) {
        const failed = { result: "failed" as const, reason: reasonOf(error) };
        return { ...nothing, ...failed, milliseconds: await milliseconds };
      }
    }),
  );
}

type Found = Pick<Finding, "result"> & Partial<Finding>;

async function find(
  source: Source,
  name: SnapshotName,
  { answer, askedAt, run }: { answer: UpstreamAnswer | "unchanged"; askedAt: number; run: DryRun },
): Promise<Found> {
  if (answer === "unchanged") throw new TypeError("unchanged from no state at all");
  const { payload, dropped, droppedFields = [], picked, skipped = [] } = read(source, name, answer);
  const verdict = await judge(name, payload, { askedAt, run });
  return { dropped, droppedFields, ...(picked !== undefined && { picked }), skipped, ...verdict };
}

async function judge(
  name: SnapshotName,
  payload: Payload,
  { askedAt, run }: { askedAt: number; run: DryRun },
): Promise<Found> {
  const published = await readSnapshot(run.store, name, Date.now());
  const last = await publishedLast(run.store, name, published);
  const held = await readHeld(run.store, name);
  const isAccepted = run.accept?.has(name) ?? false;
  const verdict = guard(payload, { last, held, settings: run.guard, isAccepted, askedAt });
  const changes = difference(last, payload);
  if (!verdict.publish) {
    const reason = heldReasons(verdict.held).join("; ");
    return { result: "held", reason, sighting: verdict.held.sightings, difference: changes };
  }
  const isConfirmed = last !== undefined && isSame(last, payload);
  return { result: isConfirmed ? "confirmed" : "changed", difference: changes };
}
