// Seal → guard → publish: a gated payload becomes the snapshot, or is held back.
import type { Payload, Snapshot, SnapshotName } from "../../snapshots/snapshot.ts";
import { publish, readSnapshot, type SnapshotRead } from "../../snapshots/snapshot-io.ts";
import { heldReasons, readHeld, writeHeld, type Held } from "../../snapshots/held.ts";
import { readHistory } from "../../snapshots/history.ts";
import { Conflict, isForbidden, StoreError, Unreachable, type Reader, type Store } from "../../snapshots/store.ts";
import { guard, type GuardSettings } from "./guard.ts";
import { seal } from "./seal.ts";

const MAX_ATTEMPTS = 3;

export interface Confirmation {
  name: SnapshotName;
  /** Kind of the source, for the envelope. */
  kind: string;
  /** `unchanged`: the upstream confirmed the published payload. */
  payload: Payload | "unchanged";
  /** When the upstream was asked, in ms since the epoch: the time that its answer is true of. */
  askedAt: number;
  /** In ms. */
  staleAfter: number;
  guard: GuardSettings | false;
  /** Publishes even if the guard would hold it. */
  isAccepted: boolean;
  /** The current time in ms since the epoch. */
  now: () => number;
}

export interface Confirmed {
  result: "changed" | "confirmed";
  snapshot: Snapshot;
  /** Remarks for the operator, in our own words. */
  notes: string[];
}

/** The guard holds the candidate back; the published snapshot stays, and ages. */
export interface HeldBack {
  result: "held";
  /** In our own words. */
  reason: string;
  held: Held;
}

/** `read`: the published snapshot, as read before. @throws StoreError when nothing could be published; the last
 * snapshot then stays. */
export async function confirm(
  store: Store,
  read: SnapshotRead,
  confirmation: Confirmation,
): Promise<Confirmed | HeldBack> {
  const { name } = confirmation;
  for (let attempt = 1; ; attempt++) {
    const last = read.state === "found" ? read.snapshot : undefined;
    const snapshot = seal(confirmation, last);
    const held = await readHeld(store, name);
    const verdict = guard(snapshot.payload, {
      ...confirmation,
      settings: confirmation.guard,
      last: await lastPayload(store, name, read),
      held,
    });
    if (!verdict.publish) {
      await writeHeld(store, name, verdict.held);
      return { result: "held", reason: heldReasons(verdict.held).join("; "), held: verdict.held };
    }
    try {
      await publish(store, snapshot, { snapshot: last, version: read.version });
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === MAX_ATTEMPTS) throw error;
      // The stored snapshot is no longer the one that was read: read it again, and let the newer one win.
      read = await readSnapshot(store, name, confirmation.now());
      continue;
    }
    // A failure is ignored: the snapshot is published, and the next run clears the record again.
    if (held) await writeHeld(store, name, undefined).catch(() => {});
    return {
      result: snapshot.revision === last?.revision ? "confirmed" : "changed",
      snapshot,
      notes: [
        ...(read.damage === undefined
          ? []
          : [`replaced a ${isForbidden(read.damage) ? "" : "damaged "}snapshot (${read.damage})`]),
        ...(verdict.why === undefined ? [] : [verdict.why]),
      ],
    };
  }
}

/** The payload that the guard compares with; from the history if the snapshot is damaged or dated in the future.
 * Otherwise a bad sector or a wrong clock would let an accident pass as a first publication. */
export async function lastPayload(store: Reader, name: SnapshotName, read: SnapshotRead): Promise<Payload | undefined> {
  if (read.state === "found") return read.snapshot.payload;
  if (read.damage === undefined) return undefined;
  try {
    for await (const { payload } of readHistory(store, name)) if (payload) return payload;
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof Unreachable) throw error;
  }
  return undefined;
}
