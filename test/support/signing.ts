// Keys that sign snapshots in tests, and the forgeries of who may write where they lie.
import { createHash } from "node:crypto";
import { openSigning } from "../../collector/features/signatures/signing.ts";
import type { Signing } from "../../collector/hooks.ts";
import {
  generateKey,
  signingKey,
  trustIn as trustInKeys,
  withProof,
  type SigningKey,
} from "../../snapshots/features/signatures/proof.ts";
import { decodeSnapshot, type Snapshot, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { PlansResponse } from "../../snapshots/schema.ts";
import type { Trust } from "../../snapshots/facts.ts";

export const ISSUER = "https://api.acme.com";

/** A collector's key, the public keys beside its proofs, and the API that it signs for. */
export interface TestSigning extends Signing {
  key: SigningKey;
  keys: string[];
  issuer: string;
}

/** A new key that signs for the vendor's API. `also`: public keys to publish beside its own. */
export function newSigning({ also = [], issuer = ISSUER }: { also?: string[]; issuer?: string } = {}): TestSigning {
  const environment = { SIGNING_KEY: generateKey().key };
  const key = signingKey(environment.SIGNING_KEY, "SIGNING_KEY");
  const settings = { signing: { key: "$SIGNING_KEY", also } };
  const { signing } = openSigning(settings, { directory: ".", environment, file: "a test", base: issuer });
  if (!signing) throw new Error("it does not sign");
  return { ...signing, key, keys: [key.publicKey, ...also], issuer };
}

export function trustIn(...signings: TestSigning[]): Trust {
  return trustInKeys({
    keys: signings.map(({ key }) => key.publicKey),
    issuers: [...new Set(signings.map(({ issuer }) => issuer))],
  });
}

/** The snapshot as a collector publishes it. */
export function signedBy(signing: Pick<TestSigning, "key" | "keys" | "issuer">, snapshot: Snapshot): Snapshot {
  return withProof(snapshot, signing);
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
