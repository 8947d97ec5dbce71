// Seal → guard → publish: a gated payload becomes the snapshot, or is held back. If another one was published meanwhile, the
// newer one wins.
import { isDeepStrictEqual } from "node:util";
import { readHistory } from "../../snapshots/history.ts";
import { heldReasons, readHeld, writeHeld, type Held, type HoldReason } from "../../snapshots/records.ts";
import {
  factOf,
  OtherProduct,
  publish,
  readSnapshot,
  type Damage,
  type Payload,
  type Snapshot,
  type SnapshotName,
  type SnapshotRead,
} from "../../snapshots/snapshot.ts";
import { Conflict, StoreError, Unreachable, type Reader, type Store } from "../../snapshots/store.ts";
import { guard, type GuardSettings } from "./guard.ts";

interface Confirmation {
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
  known?: KnownFacts | undefined;
  /** Reasons to hold it that are not in the payload. */
  doubts?: readonly HoldReason[] | undefined;
  /** Publishes even if the guard would hold it. */
  isAccepted: boolean;
  /** The current time in ms since the epoch. */
  now: () => number;
}

/** What the collector cannot learn from the store. */
export interface KnownFacts {
  /** True for made-up facts, which the guard lets anything replace. */
  isSample?: (name: SnapshotName, payload: Payload) => boolean;
  /** The payload that the server of this process read last, though the store may have lost it. */
  mirrored?: ((name: SnapshotName) => Payload | undefined) | undefined;
}

interface Confirmed {
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
  /** True if there is a last snapshot, which stays published. */
  isKept: boolean;
}

const MAX_ATTEMPTS = 3;

/** Publishes a gated payload, or holds it back. `read`: the published snapshot, as read before. @throws StoreError when
 * nothing could be published; the last snapshot then stays. */
export async function confirm(
  store: Store,
  read: SnapshotRead,
  confirmation: Confirmation,
): Promise<Confirmed | HeldBack> {
  const { name } = confirmation;
  for (let attempt = 1; ; attempt++) {
    if (read.damage?.reason === "other") throw new OtherProduct(read.damage);
    const last = read.state === "found" ? read.snapshot : undefined;
    const snapshot = seal({ ...confirmation, product: store.product }, last);
    const held = await readHeld(store, name);
    const verdict = guard(snapshot.payload, {
      ...confirmation,
      settings: confirmation.guard,
      ...(await lastFacts(store, name, { read, known: confirmation.known })),
      held,
    });
    if (!verdict.publish) {
      await writeHeld(store, name, verdict.held);
      const reason = heldReasons(verdict.held).join("; ");
      return { result: "held", reason, held: verdict.held, isKept: last !== undefined };
    }
    try {
      await publish(store, snapshot, read);
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
        ...(read.damage ? [replacementOf(read.damage)] : []),
        ...(verdict.why === undefined ? [] : [verdict.why]),
      ],
    };
  }
}

function replacementOf({ reason, text }: Damage): string {
  return `replaced a ${reason === "forbidden" || reason === "skewed" ? "" : "damaged "}snapshot (${text})`;
}

/** What the guard compares with: the snapshot, else the newest trace of earlier facts in the history or in the server of
 * this process. Otherwise a bad sector, a wrong clock or an emptied store would let an accident pass as a first publication. */
export async function lastFacts(
  store: Reader,
  name: SnapshotName,
  { read, known }: { read: SnapshotRead; known: KnownFacts | undefined },
): Promise<{ last: Payload | undefined; isLastSample: boolean }> {
  const published = read.state === "found" ? read.snapshot.payload : await newestRecorded(store, name);
  const last = published ?? known?.mirrored?.(name);
  return { last, isLastSample: last !== undefined && known?.isSample?.(name, last) === true };
}

async function newestRecorded(store: Reader, name: SnapshotName): Promise<Payload | undefined> {
  try {
    for await (const { payload } of readHistory(store, name)) if (payload) return payload;
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof Unreachable) throw error;
  }
  return undefined;
}

/** Compares as JSON, in which -0 equals 0 and the order of keys has no meaning. */
export function isSamePayload(a: Payload, b: Payload): boolean {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

/** The snapshot of a payload: when it was confirmed, and until when it may be served. An equal payload keeps its bytes
 * and `changedAt`; only `confirmedAt` and `freshUntil` move, `confirmedAt` never backwards. `last`: the published
 * snapshot, if it can be read. @throws StoreError if the answer confirms nothing, or is older than the published
 * snapshot. */
function seal(confirmation: Confirmation & { product: string | undefined }, last: Snapshot | undefined): Snapshot {
  const { name, product, kind, askedAt, staleAfter } = confirmation;
  const payload = confirmation.payload === "unchanged" ? last?.payload : confirmation.payload;
  if (payload === undefined) throw new StoreError("the upstream says unchanged, but the snapshot cannot be read");
  const isNewer = last !== undefined && Date.parse(last.confirmedAt) > askedAt;
  const same = last !== undefined && isSamePayload(payload, last.payload);
  if (isNewer && !same) throw new StoreError("the stored snapshot is newer than this answer: check the system clock");
  const confirmedAt = isNewer ? Date.parse(last.confirmedAt) : askedAt;
  return {
    product,
    name,
    revision: same ? last.revision : (last?.revision ?? 0) + 1,
    changedAt: same ? last.changedAt : isoTime(confirmedAt),
    confirmedAt: isoTime(confirmedAt),
    // Not from `confirmedAt`, which is later than the answer if the clock was ahead at the last run.
    freshUntil: isoTime(askedAt + staleAfter),
    source: kind,
    ...factOf(same ? last.payload : payload),
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
