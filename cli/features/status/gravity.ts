// How grave the state of a fact is, for the exit code of `status` and the marks of its table.
import { needsLook } from "../../../snapshots/records.ts";
import type { SnapshotStatus } from "../../../snapshots/fact-state.ts";

/** The worst that is wrong with a fact. `doubtful`: nothing yet, but it is aging, its last collection has failed, or a cross-check has
 * begun to disagree. */
export function gravityOf(status: SnapshotStatus): "unavailable" | "held" | "disputed" | "doubtful" | undefined {
  const { state, aging, held, disagreements = [], lastOutcome } = status;
  if (state !== "fresh") return "unavailable";
  if (held) return "held";
  if (disagreements.some((one) => needsLook(one))) return "disputed";
  return aging || disagreements.length > 0 || lastOutcome?.result === "failed" ? "doubtful" : undefined;
}
