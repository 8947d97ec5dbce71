// Facts that have passed the gate may contradict themselves. Such probable mistakes are shown to the operator, and published; only
// two prices that were one until now are held, by the guard. Runs, dry runs and `check` show them. Without this feature, they are
// published without a word.
// after: kinds, prices
import type { Payload } from "../../../snapshots/snapshot.ts";
import type { Describe } from "../../source.ts";
import { planWarnings } from "./plan-warnings.ts";
import { releaseWarnings } from "./release-warnings.ts";

/** Adds the warnings that a fact itself gives rise to. */
export const contradictions: Describe = ({ fact, warnings }) => ({
  warnings: [...warnings, ...warningsOf(fact.payload)],
});

/** A line quotes no more of the facts than ids, keys and versions. */
export function warningsOf(payload: Payload): string[] {
  if ("plans" in payload) return planWarnings(payload);
  return payload.hasUpdate ? releaseWarnings(payload.latest) : [];
}
