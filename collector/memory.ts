// Which state of the upstream each source's snapshots were made from, so that the next request can be conditional.
// Forgotten with the process.
import { payloadText, sha256, type Payload, type SnapshotName } from "../snapshots/snapshot.ts";
import { readSnapshot } from "../snapshots/exchange.ts";
import type { Store } from "../snapshots/store.ts";
import type { Answer, Source, Validators } from "./source.ts";

export type Memory = Map<Source, { validators: Validators; sums: Map<SnapshotName, string> }>;

/** The validators to ask with: only while every snapshot that was made from them is still there, whole and the same.
 * Otherwise "not modified" would confirm something else. */
export async function recall(
  memory: Memory,
  source: Source,
  { store, now }: { store: Store; now: number },
): Promise<Validators | undefined> {
  const remembered = memory.get(source);
  if (!remembered) return undefined;
  for (const [name, sum] of remembered.sums) {
    const read = await readSnapshot(store, name, now);
    if (read.state !== "found" || read.snapshot.sha256 !== sum) return undefined;
  }
  return remembered.validators;
}

/** Remembers an answer all of whose snapshots are published; forgets the source when one of them failed. */
export function remember(
  memory: Memory,
  source: Source,
  answer: Answer | "unchanged",
  outcomes: readonly { name: SnapshotName; payload?: Payload }[],
): void {
  if (answer === "unchanged") return;
  memory.delete(source);
  const { validators } = answer;
  if (!validators?.etag && !validators?.lastModified) return;
  const sums = new Map<SnapshotName, string>();
  for (const { name, payload } of outcomes) if (payload) sums.set(name, sha256(payloadText(payload)));
  if (sums.size === source.names.length) memory.set(source, { validators, sums });
}
