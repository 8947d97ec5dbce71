// A candidate that the guard holds back as a likely accident, recorded beside the snapshots so that a restart keeps
// count and an operator can see it. The record has no payload, so it can never be served.
import * as z from "zod";
import { readDocument, readDocumentIfNot } from "./read-document.ts";
import type { SnapshotName } from "./snapshot.ts";
import type { Reader, Store, Version } from "./store.ts";

/** The reasons for holding a candidate, in words that contain none of its values. */
const HOLD_REASONS = {
  plans: "more than half of the plans would vanish",
  price: "a price would become 0 or move by a large factor",
  currency: "the currency would change",
  release: "the release would vanish",
  version: "the version would go back",
  host: "the same version would be downloaded from another host",
} as const;
export type HoldReason = keyof typeof HOLD_REASONS;
export const HOLD_REASON_NAMES = ["plans", "price", "currency", "release", "version", "host"] as const;

const Held = z.strictObject({
  /** Of the payload: equal payloads have equal fingerprints. */
  fingerprint: z.string().length(64),
  reasons: z.array(z.enum(HOLD_REASON_NAMES)).min(1),
  /** When it was first and last seen; ISO 8601, UTC. */
  since: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** Consecutive ones. */
  sightings: z.int().min(1),
  /** The differences from the published facts in words; for the operator only. */
  changes: z.array(z.string().max(200)).max(20),
});
export type Held = z.infer<typeof Held>;

// Null when nothing is held: the record is overwritten, not removed.
const HeldFile = z.strictObject({ format: z.literal(1), held: Held.nullable() });

/** The candidate held under a name. An unreadable record counts as none: counting sightings from the start holds a
 * candidate longer, never shorter. */
export async function readHeld(store: Reader, name: SnapshotName): Promise<Held | undefined> {
  return (await readDocument(store, heldKey(name), HeldFile))?.held ?? undefined;
}

/** The same with its version, or `unchanged` while it still has the version `ifNot`. Never throws. */
export async function readHeldIfNot(
  store: Reader,
  name: SnapshotName,
  ifNot: Version | undefined,
): Promise<{ held: Held | undefined; version: Version | undefined } | "unchanged"> {
  const read = await readDocumentIfNot(store, heldKey(name), { schema: HeldFile, ifNot });
  return read === "unchanged" ? read : { held: read.document?.held ?? undefined, version: read.version };
}

/** Records the candidate held under a name; undefined for none. @throws StoreError */
export async function writeHeld(store: Store, name: SnapshotName, held: Held | undefined): Promise<void> {
  await store.put(heldKey(name), Buffer.from(`${JSON.stringify({ format: 1, held: held ?? null })}\n`));
}

/** The reasons in words. */
export function heldReasons({ reasons }: Held): string[] {
  return reasons.map((reason) => HOLD_REASONS[reason]);
}

function heldKey(name: SnapshotName): string {
  return `${name}.held.json`;
}
