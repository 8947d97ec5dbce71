// Keeping the history: what is published and not yet written down is written down, then what is too much or too old is
// removed. Done before a run for what a crash left out, and after each publication. Never a reason to fail: the snapshot
// is what readers are owed, its history a convenience.
import { readSnapshot } from "../../snapshots/snapshot-io.ts";
import { appendHistory, pruneHistory, type Keeping } from "../../snapshots/history.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";

/** Brings the history of a snapshot up to date; returns what an operator should know, if anything. `now`: milliseconds
 * since the epoch. */
export async function recordHistory(
  store: Store,
  name: SnapshotName,
  keeping: Keeping & { now: number },
): Promise<string[]> {
  try {
    const read = await readSnapshot(store, name, keeping.now);
    if (keeping.keep > 0 && read.state === "found") await appendHistory(store, read.snapshot);
    await pruneHistory(store, name, keeping);
    return [];
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "a bug in keeping it";
    return [`its history is not up to date: ${reason}`];
  }
}
