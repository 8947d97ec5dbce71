// `vitrine collect --dry-run`: says what a run would do, and writes nothing. For an operator who tries new sources, or wonders why
// something is held. Without it, only a run shows what the sources have.
// after: differences
import type { Mode } from "../../command.ts";

export const dryRunMode: Mode = {
  of: "collect",
  behind: "watch",
  switch: "dry-run",
  options: {
    "dry-run": { help: "write nothing; show what would change and what would be held" },
    json: { help: "with --dry-run: print JSON" },
  },
  conflicts: ({ "dry-run": dryRun, watch, now, json }) => [
    dryRun === true && now !== undefined && "--now cannot be combined with --dry-run, which always asks",
    dryRun === true && watch === true && "--dry-run cannot be combined with --watch",
    json === true && dryRun !== true && "--json requires --dry-run",
  ],
  load: () => import("./dry-run.ts"),
};
