// The collector under load: a separate process that runs on request, and reports the longest block of its event loop, its
// peak memory and the outcome of each run.
import { partsOf } from "../../support/collecting/parts.ts";
import { Settings } from "../../../cli/settings/schema.ts";
import { collect } from "../../../collector/run/collect.ts";
import { memoryOf, openSources } from "../../../collector/settings.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { factsIn } from "../../support/snapshot.ts";

export interface LoadOrder {
  /** In the form of a settings file. */
  settings: object;
  /** The base of relative paths, and the parent of the snapshots. */
  directory: string;
  environment: Record<string, string>;
  /** The number of consecutive runs. */
  runs: number;
}

export interface LoadReport {
  /** `reasons`: of the failed snapshots. */
  runs: { milliseconds: number; failed: number; reasons: string[] }[];
  /** Longest block of the event loop. */
  longestBlockMs: number;
  /** Peak memory since the start of the process, in bytes. */
  peakMemory: number;
}

process.on("message", (order: LoadOrder) => void carryOut(order).then((report) => process.send?.(report)));

async function carryOut({ settings: given, directory, environment, runs }: LoadOrder): Promise<LoadReport> {
  const settings = Settings.parse(given);
  const { staleAfter } = settings;
  const sources = openSources(settings, { directory, environment, file: "vitrine.config.json" });
  const common = {
    sources,
    facts: factsIn(openStore(`${directory}/facts`)),
    memory: memoryOf(settings, "load"),
    staleAfter,
    ...partsOf(settings),
    onOutcome: () => {},
  };
  const report: LoadReport = { runs: [], longestBlockMs: 0, peakMemory: 0 };
  const blocks = watchBlocks();
  for (let count = 0; count < runs; count++) {
    const start = performance.now();
    const outcomes = await collect({ ...common, signal: new AbortController().signal });
    if (outcomes === "busy") throw new Error("busy");
    const reasons = outcomes.flatMap((outcome) => (outcome.result === "failed" ? [outcome.reason] : []));
    report.runs.push({ milliseconds: performance.now() - start, failed: reasons.length, reasons });
  }
  report.longestBlockMs = blocks.longest();
  report.peakMemory = process.resourceUsage().maxRSS * 1024;
  return report;
}

/** Watches each turn of the event loop until `longest` is called. A turn counts as the time that this process computed, if that is
 * less than the time that passed: programs beside it do not block it. */
function watchBlocks(): { longest: () => number } {
  const clocks = () => ({ wall: performance.now(), cpu: process.cpuUsage() });
  let [last, longestMs] = [clocks(), 0];
  const look = () => {
    const { user, system } = process.cpuUsage(last.cpu);
    longestMs = Math.max(longestMs, Math.min(performance.now() - last.wall, (user + system) / 1_000));
    last = clocks();
  };
  const timer = setInterval(look, 1);
  return {
    longest() {
      clearInterval(timer);
      look();
      return longestMs;
    },
  };
}
