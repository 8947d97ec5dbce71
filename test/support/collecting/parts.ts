// What the settings of features add to a run, as collector/settings.ts opens them.
import { judgeAccident, type GuardSettings } from "../../../collector/features/guard/guard.ts";
import { openHistory } from "../../../collector/features/history/recording.ts";
import { openReplacedFiles } from "../../../collector/features/kinds/releases/files.ts";
import { linkCheck } from "../../../collector/features/link-check/link-check.ts";
import { crossCheck, examiner, type CrossCheck } from "../../../collector/features/witnesses/cross-check.ts";
import type { CrossChecked, RunPart } from "../../../collector/hooks.ts";
import type { StandIns } from "../../../collector/http/fetch.ts";

export interface PartSettings {
  links?: { standIns: StandIns } | undefined;
  guard?: GuardSettings | false;
  history?: { keep: number; age: number } | undefined;
  crossChecks?: readonly CrossCheck[];
  onCrossCheck?: (checked: CrossChecked) => void;
}

export function partsOf({ links, guard = false, history, crossChecks = [], onCrossCheck }: PartSettings) {
  const parts: RunPart[] = [
    links ? { judges: [linkCheck(links)] } : {},
    openReplacedFiles(),
    guard ? { judges: [(...asked) => judgeAccident(...asked, guard)] } : {},
    history ? openHistory({ history }) : { traces: openHistory({ history: { keep: 0, age: 0 } }).traces ?? [] },
  ];
  return {
    judges: parts.flatMap(({ judges = [] }) => judges),
    traces: parts.flatMap(({ traces = [] }) => traces),
    recorders: parts.flatMap(({ recorders = [] }) => recorders),
    hooks: [
      {
        name: "crossChecks",
        after: (run: Parameters<typeof crossCheck>[1]) => crossCheck(crossChecks, run, onCrossCheck),
      },
    ],
    examiners: [examiner(crossChecks)],
  };
}
