// Compare → seal → publish: what a source has just said of one snapshot becomes that snapshot. An unchanged payload
// keeps its bytes and its changedAt; only confirmedAt and freshUntil move. Nothing ever moves backwards.
import { isDeepStrictEqual } from "node:util";
import { payloadText, sha256, type Payload, type Snapshot, type SnapshotName } from "../snapshots/snapshot.ts";
import { publish, readSnapshot } from "../snapshots/exchange.ts";
import { Conflict, StoreError, type Store } from "../snapshots/store.ts";

const MAX_ATTEMPTS = 3;

export interface Confirmation {
  name: SnapshotName;
  /** Kind of the source, for the envelope. */
  kind: string;
  /** `unchanged`: the upstream says that what is published still holds. */
  payload: Payload | "unchanged";
  /** When the upstream was asked, milliseconds since the epoch: what it says is true of then. */
  askedAt: number;
  staleAfter: number;
}

export interface Confirmed {
  result: "changed" | "confirmed";
  payload: Payload;
  /** What an operator may want to know, in our own words. */
  notes: string[];
}

/** @throws StoreError when it could not be published; then the last snapshot stands. */
export async function confirm(store: Store, confirmation: Confirmation): Promise<Confirmed> {
  for (let attempt = 1; ; attempt++) {
    const read = await readSnapshot(store, confirmation.name, Date.now());
    const last = read.state === "found" ? read.snapshot : undefined;
    const snapshot = seal(confirmation, last);
    try {
      await publish(store, snapshot, { snapshot: last, version: read.version });
    } catch (error) {
      // Somebody published in between: look again, and let the newer one win.
      if (error instanceof Conflict && attempt < MAX_ATTEMPTS) continue;
      throw error;
    }
    return {
      result: snapshot.revision === last?.revision ? "confirmed" : "changed",
      payload: snapshot.payload,
      notes: read.damage === undefined ? [] : [`replaced a damaged snapshot (${read.damage})`],
    };
  }
}

function seal(confirmation: Confirmation, last: Snapshot | undefined): Snapshot {
  const { name, kind, askedAt, staleAfter } = confirmation;
  const payload = confirmation.payload === "unchanged" ? last?.payload : confirmation.payload;
  if (payload === undefined) throw new StoreError("the snapshot that still holds cannot be read");
  const isNewer = last !== undefined && Date.parse(last.confirmedAt) > askedAt;
  const same = last !== undefined && isSame(payload, last.payload);
  if (isNewer && !same) throw new StoreError("a newer snapshot is there; is the clock right?");
  const confirmedAt = isNewer ? Date.parse(last.confirmedAt) : askedAt;
  const kept = same ? last.payload : payload;
  return {
    format: 1,
    name,
    revision: same ? last.revision : (last?.revision ?? 0) + 1,
    changedAt: same ? last.changedAt : isoTime(confirmedAt),
    confirmedAt: isoTime(confirmedAt),
    freshUntil: isoTime(confirmedAt + staleAfter),
    source: kind,
    sha256: sha256(payloadText(kept)),
    payload: kept,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

// Compared as JSON: -0 and 0 are one number there, and the order of keys says nothing.
function isSame(a: Payload, b: Payload): boolean {
  return isDeepStrictEqual(JSON.parse(payloadText(a)), JSON.parse(payloadText(b)));
}
