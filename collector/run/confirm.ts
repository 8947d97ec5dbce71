// Compare → seal → guard → publish: what a source has just said of one snapshot becomes that snapshot, or is held back. An
// unchanged payload keeps its bytes and its changedAt; only confirmedAt and freshUntil move. Nothing ever moves backwards.
import { isDeepStrictEqual } from "node:util";
import { payloadText, sha256, type Payload, type Snapshot, type SnapshotName } from "../../snapshots/snapshot.ts";
import { publish, readSnapshot, type Read } from "../../snapshots/snapshot-io.ts";
import { heldReasons, readHeld, writeHeld, type Held } from "../../snapshots/held.ts";
import { readHistory } from "../../snapshots/history.ts";
import { Conflict, StoreError, type Store } from "../../snapshots/store.ts";
import { guard, type GuardSettings } from "./guard.ts";

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
  guard: GuardSettings | false;
  /** True when it is to be published whatever the guard thinks of it. */
  isAccepted: boolean;
  /** The time, milliseconds since the epoch. */
  now: () => number;
}

export interface Confirmed {
  result: "changed" | "confirmed";
  payload: Payload;
  /** What an operator may want to know, in our own words. */
  notes: string[];
}

/** The guard holds the candidate back; what is published stands, and ages. */
export interface HeldBack {
  result: "held";
  /** In our own words. */
  reason: string;
  held: Held;
}

/** @throws StoreError when it could not be published; then the last snapshot stands. */
export async function confirm(store: Store, confirmation: Confirmation): Promise<Confirmed | HeldBack> {
  for (let attempt = 1; ; attempt++) {
    const read = await readSnapshot(store, confirmation.name, confirmation.now());
    const last = read.state === "found" ? read.snapshot : undefined;
    const snapshot = seal(confirmation, last);
    const held = await readHeld(store, confirmation.name);
    const verdict = guard(snapshot.payload, {
      ...confirmation,
      settings: confirmation.guard,
      last: await publishedLast(store, confirmation.name, read),
      held,
    });
    if (!verdict.publish) {
      await writeHeld(store, confirmation.name, verdict.held);
      return { result: "held", reason: heldReasons(verdict.held).join("; "), held: verdict.held };
    }
    try {
      await publish(store, snapshot, { snapshot: last, version: read.version });
    } catch (error) {
      // Somebody published in between: look again, and let the newer one win.
      if (error instanceof Conflict && attempt < MAX_ATTEMPTS) continue;
      throw error;
    }
    // It is published whatever becomes of the note; the next run strikes it out again.
    if (held) await writeHeld(store, confirmation.name, undefined).catch(() => {});
    return {
      result: snapshot.revision === last?.revision ? "confirmed" : "changed",
      payload: snapshot.payload,
      notes: [
        ...(read.damage === undefined ? [] : [`replaced a damaged snapshot (${read.damage})`]),
        ...(verdict.why === undefined ? [] : [verdict.why]),
      ],
    };
  }
}

/** What the guard compares with. Of a snapshot that is damaged or dated in the future, its history tells: otherwise a bad
 * sector or a wrong clock would let an accident pass as a first publication. */
export async function publishedLast(store: Store, name: SnapshotName, read: Read): Promise<Payload | undefined> {
  if (read.state === "found") return read.snapshot.payload;
  if (read.damage === undefined) return undefined;
  try {
    for await (const { payload } of readHistory(store, name)) if (payload) return payload;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return undefined;
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

/** Compared as JSON: -0 and 0 are one number there, and the order of keys says nothing. */
export function isSame(a: Payload, b: Payload): boolean {
  const [one, other] = [payloadText(a), payloadText(b)];
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
