// `vitrine collect`: one run, or with --watch a run on every slot of the schedule. A line for each snapshot as soon as its
// source has answered; people are told how long the run took, too.
import { collect, type Outcome } from "../../collector/run/collect.ts";
import { fingerprintsOf, openSources, schedulesOf } from "../../collector/settings.ts";
import { SettingsProblems } from "../../collector/settings/problems.ts";
import { dryRun } from "../../collector/run/dry-run.ts";
import { withRunDeadline } from "../../collector/schedule.ts";
import { startSchedules } from "../../collector/schedule.ts";
import { openStore } from "../../snapshots/open-store.ts";
import type { Source } from "../../collector/source.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { VERSION } from "../package-files.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { collected, runFailed, runOver } from "../output/events.ts";
import { findingLines } from "../output/dry-run-lines.ts";
import { inOrder } from "../output/in-order.ts";
import { askedFormat, openLog, type Log, type LogEvent } from "../output/log.ts";
import { namedSnapshots } from "../snapshot-names.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal, stop, flags } = context;
  const accept = typeof flags.accept === "string" ? namedSnapshots(flags.accept) : undefined;
  refuseMixtures(flags);
  if (flags["dry-run"] === true) return look(configuration, context, accept);
  if (flags.watch === true) return watch(configuration, context);
  const log = openLog(terminal, "text");
  // A script gets a line for each snapshot, and nothing else.
  const collectOnce = collector(configuration, context, { log, accept, isRunTold: () => terminal.isScreen.out });
  const outcomes = await withRunDeadline(stop, (signal) => collectOnce.run(signal)).catch((error: unknown) => {
    log.err(runFailed(terminal, error, configuration.settings.snapshots));
  });
  if (outcomes === undefined) return EXIT.failed;
  if (outcomes === "busy") return EXIT.busy;
  return exitCode(outcomes.map(({ result }) => result));
}

/** `collect --watch`: goes on until it is asked to stop. */
async function watch(configuration: Configuration, context: Context): Promise<number> {
  const { terminal, stop } = context;
  const log = openLog(terminal, askedFormat(context));
  const { due, run } = collector(configuration, context, { log, next: () => schedule.next() });
  const schedule = startSchedules(
    due,
    async (signal, sources) => void (await run(signal, sources)),
    (error) => log.err(runFailed(terminal, error, configuration.settings.snapshots)),
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
  const findings = await withRunDeadline(stop, (signal) => dryRun({ sources, store, guard, accept, signal }));
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
    ...(flags.log !== undefined && !watches ? ["--log goes with --watch"] : []),
    ...(flags.json === true && !isDry ? ["--json goes with --dry-run"] : []),
  ];
  if (problems.length > 0) throw new SettingsProblems("the command line", problems);
}

/** A failure says more than something held. */
export function exitCode(results: readonly Outcome["result"][]): number {
  if (results.includes("failed")) return EXIT.failed;
  return results.includes("held") ? EXIT.held : EXIT.ok;
}

const AT_WORK = "another collector is at work on these snapshots; this run is left out";
const BUSY: LogEvent = { event: "run", level: "warn", text: `  ${AT_WORK}`, fields: { message: AT_WORK } };

/** Sources and store, opened. */
export interface Collector {
  /** Which sources are due at which cron expression. */
  due: ReadonlyMap<string, readonly Source[]>;
  /** One run over the sources that are due, or over all. */
  run(signal: AbortSignal, due?: readonly Source[]): Promise<Outcome[] | "busy">;
}

interface Telling {
  log: Log;
  /** What is not held back. */
  accept?: ReadonlySet<SnapshotName> | undefined;
  /** When the next run begins, asked when one is over. */
  next?: () => Date | null;
  /** Whether it is told that a run is over; it is by default. */
  isRunTold?: () => boolean;
}

/** Opens the sources and the store of the settings. @throws SettingsProblems */
export function collector(
  { settings, directory, file }: Configuration,
  { environment, terminal }: Pick<Context, "environment" | "terminal">,
  { log, accept = new Set(), next = () => null, isRunTold = () => true }: Telling,
): Collector {
  const said = (line: string) =>
    log.err({ event: "source", level: "info", text: `  ${line}`, fields: { message: line } });
  const sources = openSources(settings, { directory, environment, file, log: said });
  const store = openStore(settings.snapshots);
  const memory = new Map();
  const fingerprints = fingerprintsOf(settings, VERSION);
  const telling = inOrder<Outcome>(
    ({ name }) => SNAPSHOT_NAMES.indexOf(name),
    (outcome) => log.out(collected(terminal, outcome)),
  );
  const { staleAfter, guard, history } = settings;
  const common = { store, memory, fingerprints, staleAfter, guard, history, accept, onOutcome: telling.add };
  return {
    due: schedulesOf(settings, sources),
    async run(signal, due = sources) {
      const started = performance.now();
      const outcomes = await collect({ ...common, sources: due, signal }).finally(telling.flush);
      if (outcomes === "busy") log.err(BUSY);
      else if (isRunTold()) log.out(runOver({ milliseconds: performance.now() - started, next: next() }));
      return outcomes;
    },
  };
}
