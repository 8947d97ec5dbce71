// Records a published snapshot in the history, then prunes old entries. It never fails a run: the snapshot matters to
// clients, its history is a convenience.
import { appendHistory, pruneHistory, type Retention } from "../../snapshots/history.ts";
import type { Snapshot, SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError, type Store } from "../../snapshots/store.ts";

/** Appends the snapshot unless it is recorded already. Returns notes for the operator. `now`: in ms since the epoch. */
export async function recordHistory(
  store: Store,
  name: SnapshotName,
  { snapshot, ...retention }: Retention & { snapshot: Snapshot | undefined; now: number },
): Promise<string[]> {
  try {
    if (retention.keep > 0 && snapshot) await appendHistory(store, snapshot);
    await pruneHistory(store, name, retention);
    return [];
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "a bug in recording it";
    return [`its history is not up to date: ${reason}`];
  }
}
