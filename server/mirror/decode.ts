// Stored bytes become a snapshot: a small one at once, a large one on another thread, where parsing and validation hold
// up no request. The thread ends with its work, so that its memory goes back.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { decodeServable, type Servable, type SnapshotName } from "../../snapshots/snapshot.ts";

/** What is decoded within a few milliseconds, bytes; to start a thread takes longer. */
const SMALL = 128 * 1024;

const isBuilt = import.meta.url.endsWith(".mjs");
const THREAD = new URL(isBuilt ? "./decode-thread.mjs" : "./decode-thread.dev.mjs", import.meta.url);

/** What the thread is given, and what it says: the snapshot, or what is damaged. */
export type Task = { bytes: Uint8Array; name: SnapshotName };
export type Result = { snapshot: Servable } | { damage: string };

/** @throws Error saying what is damaged, without quoting it. */
export function decode(bytes: Uint8Array, name: SnapshotName): Servable | Promise<Servable> {
  return bytes.byteLength <= SMALL ? decodeServable(bytes, name) : decodeAside({ bytes, name });
}

async function decodeAside(workerData: Task): Promise<Servable> {
  const thread = new Worker(THREAD, { workerData });
  // Should it end without a word, that is no reason to wait for ever.
  const [result] = (await Promise.race([once(thread, "message"), once(thread, "exit")])) as [Result | number];
  if (typeof result === "number") throw new Error("the thread that decodes it has ended");
  if ("damage" in result) throw new Error(result.damage);
  return result.snapshot;
}
