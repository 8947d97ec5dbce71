// Keeps each change of a snapshot, for `vitrine history`, `vitrine diff`, the feeds and /history. Without it, nothing is kept, and after
// the loss of a snapshot no earlier facts are known.
import * as z from "zod";
import { appendHistory, pruneHistory } from "../../../snapshots/features/history/history.ts";
import { historyPlaceOf } from "../../../snapshots/features/history/entry.ts";
import { listHistory, newestPayload, readBelieved } from "../../../snapshots/features/history/timeline.ts";
import { StoreError, Unreachable } from "../../../snapshots/store.ts";
import type { Judge, Recorder, RunPart, Trace } from "../../hooks.ts";
import { duration } from "../../setting-values.ts";

const History = z.strictObject({
  keep: z.int().min(0).max(1_000).default(100).describe("How many changes of each snapshot are kept; 0 keeps none"),
  age: duration("400d", "3650d").describe("How long a change is kept; the newest is always kept"),
});

export const historySettings = {
  history: History.prefault({}).describe(
    "How much history is kept, for `vitrine history`, `vitrine diff` and the feed",
  ),
};

export function openHistory({ history }: { history: z.infer<typeof History> }): RunPart {
  return { judges: [sayReturn], recorders: [recorder(history)], traces: [newestRecorded] };
}

/** Says that a fact is the one that the published one has replaced, as when an accident that was accepted is put right. It is held like
 * any other: an upstream with an old copy in a cache goes back in the same way. */
const sayReturn: Judge = async ({ fact }, { published, facts }) => {
  if (!published || published.sha256 === fact.sha256) return {};
  try {
    const place = historyPlaceOf(published);
    const before = (await readBelieved(facts, place))?.before;
    if (before?.sha256 !== fact.sha256) return {};
    const until = published.changedAt.slice(0, 16).replace("T", " ");
    return { notes: [`these facts were published before, until ${until} UTC`] };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return {};
  }
};

/** Appends the snapshot to the history unless it is recorded already, such as after a crash of the last run, and prunes old entries.
 * Never fails a run: the snapshot matters to clients, its history is a convenience. */
function recorder(history: z.infer<typeof History>): Recorder {
  return async (facts, name, snapshot) => {
    try {
      if (history.keep > 0 && snapshot) await appendHistory(facts, snapshot);
      await pruneHistory(facts, name, history);
      return [];
    } catch (error) {
      const reason = error instanceof StoreError ? error.message : "internal error";
      return [`its history is not up to date: ${reason}`];
    }
  };
}

/** The newest payload in the history. */
const newestRecorded: Trace = async (facts, name) => {
  try {
    return await newestPayload(facts, await listHistory(facts, name));
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof Unreachable) throw error;
    return undefined;
  }
};
