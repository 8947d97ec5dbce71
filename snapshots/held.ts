// What the guard holds back: a candidate that looked like an accident, kept beside the snapshots so that a restart forgets
// nothing and an operator can ask. It holds no payload: nobody could ever serve it.
import * as z from "zod";
import type { SnapshotName } from "./snapshot.ts";
import type { Store, Version } from "./store.ts";

/** Why a candidate is held, and how that is told; no value of the candidate's stands in these words. */
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
  /** Names the candidate: equal payloads, equal fingerprints. */
  fingerprint: z.string().length(64),
  reasons: z.array(z.enum(HOLD_REASON_NAMES)).min(1),
  /** When it was first and last seen; ISO 8601, UTC. */
  since: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** How often it was seen in a row. */
  sightings: z.int().min(1),
  /** What it would change, in a reader's words; for the operator, because it is no fact yet. */
  changes: z.array(z.string().max(200)).max(20),
});
export type Held = z.infer<typeof Held>;

// A store forgets nothing: that nothing is held is written, too.
const HeldFile = z.strictObject({ format: z.literal(1), held: Held.nullable() });

/** What is held under a name. `version` is for the next look. Unreadable is as good as nothing: then the sightings are
 * counted anew, which holds longer, never shorter. */
export async function readHeld(store: Store, name: SnapshotName, ifNot: Version): Promise<HeldRead | "unchanged">;
export async function readHeld(store: Store, name: SnapshotName): Promise<HeldRead>;
export async function readHeld(store: Store, name: SnapshotName, ifNot?: Version): Promise<HeldRead | "unchanged"> {
  let version: Version | undefined;
  try {
    const stored = await store.get(heldKey(name), ifNot);
    if (stored === "unchanged") return stored;
    version = stored?.version;
    const text = stored && new TextDecoder("utf-8", { fatal: true }).decode(stored.bytes);
    return { held: text === undefined ? undefined : (HeldFile.parse(JSON.parse(text)).held ?? undefined), version };
  } catch {
    return { held: undefined, version };
  }
}
export interface HeldRead {
  held: Held | undefined;
  version: Version | undefined;
}

/** Keeps what is held under a name, or that nothing is. @throws StoreError */
export async function writeHeld(store: Store, name: SnapshotName, held: Held | undefined): Promise<void> {
  await store.put(heldKey(name), Buffer.from(`${JSON.stringify({ format: 1, held: held ?? null })}\n`));
}

/** The reasons in words. */
export function heldReasons({ reasons }: Held): string[] {
  return reasons.map((reason) => HOLD_REASONS[reason]);
}

export function heldKey(name: SnapshotName): string {
  return `${name}.held.json`;
}
