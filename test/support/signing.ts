// Keys that sign snapshots in tests, and the forgeries of who may write where they lie.
import { createHash } from "node:crypto";
import {
  claimsOf,
  generateKey,
  publishedKeys,
  signClaims,
  signingKey,
  type Signing,
} from "../../snapshots/features/signatures/proof.ts";
import { decodeSnapshot, type Snapshot, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { PlansResponse } from "../../snapshots/schema.ts";
import type { Trust } from "../../snapshots/facts.ts";

export const ISSUER = "https://api.acme.com";

/** A new key that signs for the vendor's API. */
export function newSigning(changes: Partial<Signing> = {}): Signing {
  return { key: signingKey(generateKey().key, "SIGNING_KEY"), also: [], issuer: ISSUER, ...changes };
}

export function trustIn(...signings: Signing[]): Trust {
  return {
    keys: signings.map(({ key }) => key.publicKey),
    issuers: [...new Set(signings.map(({ issuer }) => issuer))],
  };
}

/** The snapshot as a collector publishes it. */
export function signedBy(signing: Signing, snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    proof: signClaims(claimsOf(snapshot, signing.issuer), signing.key),
    keys: publishedKeys(signing),
  };
}

/** What the JSON of a snapshot has, as far as forgeries read it. */
export interface Stored {
  payload: PlansResponse;
  files: readonly object[];
}

/** Stored bytes with other fields, and with checksums that agree with them. */
export function forged(bytes: Uint8Array, name: SnapshotName, change: (stored: Stored) => object): Buffer {
  const { checksum: _, ...stored } = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const changed = { ...stored, ...change(structuredClone(stored)) };
  changed.sha256 = sha256(JSON.stringify(changed.payload));
  const whole = Buffer.from(`${JSON.stringify({ ...changed, checksum: sha256(JSON.stringify(changed)) })}\n`);
  // A forgery that every reader finds damaged would prove nothing.
  decodeSnapshot(whole, name);
  return whole;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
