// The collector under load: a separate process that runs on request, and reports the longest block of its event loop, its
// peak memory and the outcome of each run.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Settings } from "../../../cli/settings/schema.ts";
import { collect } from "../../../collector/run/collect.ts";
import { fingerprintsOf, openSources } from "../../../collector/settings.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";

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
  const { staleAfter, guard, history } = settings;
  const sources = openSources(settings, { directory, environment, file: "vitrine.config.json" });
  const store = openStore(`${directory}/facts`);
  const common = {
    sources,
    store,
    fingerprints: fingerprintsOf(settings, "load"),
    staleAfter,
    guard,
    history,
    onOutcome: () => {},
  };
  const report: LoadReport = { runs: [], longestBlockMs: 0, peakMemory: 0 };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let count = 0; count < runs; count++) {
    const start = performance.now();
    const outcomes = await collect({ ...common, signal: new AbortController().signal });
    if (outcomes === "busy") throw new Error("busy");
    const reasons = outcomes.flatMap((outcome) => (outcome.result === "failed" ? [outcome.reason] : []));
    report.runs.push({ milliseconds: performance.now() - start, failed: reasons.length, reasons });
  }
  delay.disable();
  report.longestBlockMs = delay.max / 1e6;
  report.peakMemory = process.resourceUsage().maxRSS * 1024;
  return report;
}
