// Witnesses in a run of a test.
import { crossCheck, examiner, type CrossCheck } from "../../../collector/features/witnesses/cross-check.ts";
import type { RunPart } from "../../../collector/hooks.ts";
import type { PartSettings } from "../../support/collecting/parts.ts";

export function crossCheckPart({ crossChecks = [], onCrossCheck }: PartSettings): RunPart {
  const checks = crossChecks as readonly CrossCheck[];
  const hook = {
    name: "crossChecks",
    after: (run: Parameters<typeof crossCheck>[1]) => crossCheck(checks, run, onCrossCheck),
  };
  return { hooks: [hook], examine: examiner(checks) };
}
