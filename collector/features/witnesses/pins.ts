// A setting such as `tag` pins a source to a part of its releases, and ends with that part: its own source then names the later release
// that is left out. The report keeps it as a disagreement, so log, `status`, exit code, metrics and messages know of it. Facts are
// published as before.
import type { CrossCheckRecord } from "../../../snapshots/records.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import type { CrossChecked, FinishedRun } from "../../hooks.ts";
import type { Outcome } from "../../outcome.ts";

/** No hash of a cross-check. */
const FINGERPRINT = "pin";
const HINT = ' (if that is meant, add "pinned": true)';

/** Returns the records of all pins after a run, and tells of those that were collected. */
export function pinsAfter(
  { outcomes, report: { crossChecks = [] }, facts, signal }: Omit<FinishedRun, "before" | "published">,
  onCrossCheck: (checked: CrossChecked) => void,
): CrossCheckRecord[] {
  const records = crossChecks.filter(({ fingerprint }) => fingerprint === FINGERPRINT);
  const now = facts.clock.wall();
  return SNAPSHOT_NAMES.flatMap((name) => {
    const last = records.find((record) => record.name === name);
    const outcome = outcomes.find((one) => one.name === name);
    const next = outcome ? nextRecord(outcome, last, now) : last;
    const checked = outcome && checkedBy(name, next ?? last, { isOver: !next });
    if (checked && !signal.aborted) onCrossCheck(checked);
    return next ?? [];
  });
}

/** Only a list that was read says anything new: an upstream may answer "unchanged", or not at all. */
function nextRecord(outcome: Outcome, last: CrossCheckRecord | undefined, now: number): CrossCheckRecord | undefined {
  if (!("found" in outcome) || !outcome.found) return last;
  const { beyond, fact } = outcome.found;
  if (!beyond || !("latest" in fact.payload)) return undefined;
  // A clock that was set back must not delay the alarm.
  const since = new Date(Math.min(now, Date.parse(last?.disagreement?.since ?? "") || now)).toISOString();
  const disagreement = { since, published: fact.payload.latest.version, found: beyond.release };
  const witness = `with releases outside ${beyond.setting}${HINT}`;
  return { name: outcome.name, fingerprint: FINGERPRINT, witness, askedAt: new Date(now).toISOString(), disagreement };
}

function checkedBy(
  name: SnapshotName,
  record: CrossCheckRecord | undefined,
  { isOver }: { isOver: boolean },
): CrossChecked | undefined {
  if (!record?.disagreement) return undefined;
  const { witness, disagreement } = record;
  if (isOver) return { name, witness: witness.replace(HINT, ""), result: "agrees", isNew: true };
  return { name, witness, result: "disagrees", ...disagreement };
}
