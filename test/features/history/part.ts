// The history in a run of a test. Without its settings, earlier facts are known, and none is kept.
import { openHistory } from "../../../collector/features/history/recording.ts";
import type { RunPart } from "../../../collector/hooks.ts";
import type { PartSettings } from "../../support/collecting/parts.ts";

export function historyPart({ history }: PartSettings): RunPart {
  if (history) return openHistory({ history });
  return { traces: openHistory({ history: { keep: 0, age: 0 } }).traces ?? [] };
}
