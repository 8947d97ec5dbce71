// What the settings of features add to a run, as collector/settings.ts opens them. A registry, like those of the product: `npm run rooms`
// takes lines out of it.
import type { CrossChecked, RunPart } from "../../../collector/hooks.ts";
import type { StandIns } from "../../../collector/http/fetch.ts";
import { openReplacedFiles } from "../../../collector/features/kinds/releases/files.ts";
import { guardPart } from "../../features/guard/part.ts";
import { historyPart } from "../../features/history/part.ts";
import { linkPart } from "../../features/link-check/part.ts";
import { crossCheckPart } from "../../features/witnesses/part.ts";

/** In the types of no feature. */
export interface PartSettings {
  links?: { standIns: StandIns } | undefined;
  guard?: object | false;
  history?: { keep: number; age: number } | undefined;
  crossChecks?: readonly object[];
  onCrossCheck?: (checked: CrossChecked) => void;
}

const PARTS: readonly ((settings: PartSettings) => RunPart)[] = [
  // A line for each.
  linkPart,
  openReplacedFiles,
  historyPart,
  guardPart,
  crossCheckPart,
];

/** Other settings may be there, too. */
export function partsOf(settings: PartSettings & Readonly<Record<string, unknown>>) {
  const parts = PARTS.map((open) => open(settings));
  return {
    judges: parts.flatMap(({ judges = [] }) => judges),
    traces: parts.flatMap(({ traces = [] }) => traces),
    recorders: parts.flatMap(({ recorders = [] }) => recorders),
    hooks: parts.flatMap(({ hooks = [] }) => hooks),
    examiners: parts.flatMap(({ examine = [] }) => examine),
  };
}
