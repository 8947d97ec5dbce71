// The guard in a run of a test.
import { judgeAccident, type GuardSettings } from "../../../collector/features/guard/guard.ts";
import type { RunPart } from "../../../collector/hooks.ts";
import type { PartSettings } from "../../support/collecting/parts.ts";

export function guardPart({ guard }: PartSettings): RunPart {
  return guard ? { judges: [(...asked) => judgeAccident(...asked, guard as GuardSettings)] } : {};
}
