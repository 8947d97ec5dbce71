// `vitrine collect`: one run, or with --watch a run on every slot of the schedule. A line for each source.
import { collect, type Outcome } from "../../collector/collect.ts";
import { fingerprintsOf, openSources, schedulesOf, SettingsProblems } from "../../collector/config.ts";
import { dryRun } from "../../collector/dry-run.ts";
import { withinRunTime } from "../../collector/schedule.ts";
import { startSchedules } from "../../collector/schedules.ts";
import { openStore } from "../../snapshots/open-store.ts";
import type { Source } from "../../collector/source.ts";
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { VERSION } from "../banner.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { findingLines } from "../findings.ts";
import { namedSnapshots } from "../names.ts";
import { outcomeLine, type Terminal } from "../terminal.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal, stop, flags } = context;
  const accept = typeof flags.accept === "string" ? namedSnapshots(flags.accept) : undefined;
  refuseMixtures(flags);
  if (flags["dry-run"] === true) return look(configuration, context, accept);
  const collectOnce = collector(configuration, context, accept);
  if (flags.watch !== true) {
    const outcomes = await withinRunTime(stop, (signal) => collectOnce.run(signal)).catch((error: unknown) => {
      terminal.err(collectFailure(terminal, error, configuration.settings.snapshots));
    });
    if (outcomes === undefined) return EXIT.failed;
    if (outcomes === "busy") return EXIT.busy;
    return exitCode(outcomes.map(({ result }) => result));
  }
  const schedule = startSchedules(
    collectOnce.due,
    async (signal, due) => void (await collectOnce.run(signal, due)),
    (error) => terminal.err(collectFailure(terminal, error, configuration.settings.snapshots)),
  );
  await stopped(stop);
  await schedule.stop();
  return EXIT.ok;
}

/** `collect --dry-run`: prints the findings, writes nothing. */
async function look(
  { settings, directory, file }: Configuration,
  { environment, terminal, stop, flags }: Context,
  accept: ReadonlySet<SnapshotName> = new Set(),
): Promise<number> {
  const sources = openSources(settings, { directory, environment, file });
  const { guard } = settings;
  const store = openStore(settings.snapshots);
  const findings = await withinRunTime(stop, (signal) => dryRun({ sources, store, guard, accept, signal }));
  if (flags.json === true) terminal.out(JSON.stringify({ findings }, null, 2));
  else for (const finding of findings) terminal.out(findingLines(terminal, finding));
  return exitCode(findings.map(({ result }) => result));
}

function refuseMixtures(flags: Context["flags"]): void {
  const [watches, isDry] = [flags.watch === true, flags["dry-run"] === true];
  const problems = [
    // What an operator has looked at is this run's; on a schedule it would be everything that ever comes.
    ...(watches && flags.accept !== undefined ? ["--accept is for a single run, without --watch"] : []),
    ...(watches && isDry ? ["--dry-run is for a single run, without --watch"] : []),
    ...(flags.json === true && !isDry ? ["--json goes with --dry-run"] : []),
  ];
  if (problems.length > 0) throw new SettingsProblems("the command line", problems);
}

/** A failure says more than something held. */
export function exitCode(results: readonly Outcome["result"][]): number {
  if (results.includes("failed")) return EXIT.failed;
  return results.includes("held") ? EXIT.held : EXIT.ok;
}

/** Sources and store, opened. */
export interface Collector {
  /** Which sources are due at which cron expression. */
  due: ReadonlyMap<string, readonly Source[]>;
  /** One run over the sources that are due, or over all. */
  run(signal: AbortSignal, due?: readonly Source[]): Promise<Outcome[] | "busy">;
}

/** Opens the sources and the store of the settings. `accept`: what is not held back. @throws SettingsProblems */
export function collector(
  { settings, directory, file }: Configuration,
  { environment, terminal }: Pick<Context, "environment" | "terminal">,
  accept: ReadonlySet<SnapshotName> = new Set(),
): Collector {
  const sources = openSources(settings, { directory, environment, file, log: (line) => terminal.err(`  ${line}`) });
  const store = openStore(settings.snapshots);
  const memory = new Map();
  const fingerprints = fingerprintsOf(settings, VERSION);
  const onOutcome = (outcome: Outcome) => terminal.out(outcomeLine(terminal, outcome));
  const { staleAfter, guard, history } = settings;
  const common = { store, memory, fingerprints, staleAfter, guard, history, accept, onOutcome };
  return {
    due: schedulesOf(settings, sources),
    async run(signal, due = sources) {
      const outcomes = await collect({ ...common, sources: due, signal });
      if (outcomes === "busy") terminal.err("  another collector is at work on these snapshots; this run is left out");
      return outcomes;
    },
  };
}

/** The line for a run that could not be done at all. */
export function collectFailure({ style }: Terminal, error: unknown, snapshots: string): string {
  return `${style("red", "✖")} collecting into ${snapshots} failed: ${error instanceof Error ? error.message : String(error)}`;
}
