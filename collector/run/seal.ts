// Seals a gated payload into a snapshot: when it was confirmed, and until when it may be served. An equal payload keeps its
// bytes and `changedAt`; only `confirmedAt` and `freshUntil` move, `confirmedAt` never backwards.
import { isDeepStrictEqual } from "node:util";
import { payloadText, sha256, type Payload, type Snapshot } from "../../snapshots/snapshot.ts";
import { StoreError } from "../../snapshots/store.ts";
import type { Confirmation } from "./confirm.ts";

type Sealing = Pick<Confirmation, "name" | "kind" | "payload" | "askedAt" | "staleAfter">;

/** `last`: the published snapshot, if it can be read. @throws StoreError if the answer confirms nothing, or is older than the
 * published snapshot. */
export function seal(confirmation: Sealing, last: Snapshot | undefined): Snapshot {
  const { name, kind, askedAt, staleAfter } = confirmation;
  const payload = confirmation.payload === "unchanged" ? last?.payload : confirmation.payload;
  if (payload === undefined) throw new StoreError("the upstream says unchanged, but the snapshot cannot be read");
  const isNewer = last !== undefined && Date.parse(last.confirmedAt) > askedAt;
  const same = last !== undefined && isSamePayload(payload, last.payload);
  if (isNewer && !same) throw new StoreError("the stored snapshot is newer than this answer: check the system clock");
  const confirmedAt = isNewer ? Date.parse(last.confirmedAt) : askedAt;
  const kept = same ? last.payload : payload;
  return {
    name,
    revision: same ? last.revision : (last?.revision ?? 0) + 1,
    changedAt: same ? last.changedAt : isoTime(confirmedAt),
    confirmedAt: isoTime(confirmedAt),
    // Not from `confirmedAt`, which is later than the answer if the clock was ahead at the last run.
    freshUntil: isoTime(askedAt + staleAfter),
    source: kind,
    sha256: sha256(payloadText(kept)),
    payload: kept,
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Compares as JSON, in which -0 equals 0 and the order of keys has no meaning. */
export function isSamePayload(a: Payload, b: Payload): boolean {
  const [one, other] = [payloadText(a), payloadText(b)];
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
