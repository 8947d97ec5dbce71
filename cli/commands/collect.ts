// `vitrine collect`: one run, with --watch a run on every slot of the schedule, with --dry-run one that writes nothing.
import type { Outcome } from "../../collector/outcome.ts";
import { dryRun } from "../../collector/features/dry-run/dry-run.ts";
import { withRunDeadline } from "../../collector/run/schedule.ts";
import { openRun } from "../../collector/settings.ts";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { needsLook, readReport } from "../../snapshots/records.ts";
import { OtherProduct, type Facts } from "../../snapshots/facts.ts";
import type { Store } from "../../snapshots/store.ts";
import { collectOnSchedule, openCollector, type Exceptions } from "./collecting.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { findingLines } from "../features/dry-run/dry-run-lines.ts";
import { runOver, askedFormat, openLog } from "../output/log.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { collectWhenEdited, warnWhenEdited } from "./edited.ts";
import { readNames } from "../features/history/snapshot-arguments.ts";
import { acceptance, warningLine } from "../output/terminal.ts";
import { settingWarnings } from "../features/check/sources.ts";
import { isSample } from "../settings/sample-facts.ts";
import { withStore } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  refuseCombinations(context);
  const configuration = configure(context);
  const { flags } = context;
  const [accept, askNow] = [readNames(flags.accept), readNames(flags.now)];
  if (flags["dry-run"] === true) {
    return withStore(configuration, (facts) => preview(configuration, facts, { ...context, accept }));
  }
  return withStore(configuration, (facts) =>
    flags.watch === true
      ? watch(configuration, facts, context)
      : collectOnce(configuration, facts, { ...context, accept, askNow }),
  );
}

async function collectOnce(
  configuration: Configuration,
  facts: Facts<Store>,
  context: Context & Exceptions,
): Promise<number> {
  const { terminal, stop, accept, askNow } = context;
  const log = openLog(terminal, "text");
  const collector = openCollector(configuration, facts, { accept, askNow, log });
  const logEnd = (milliseconds: number) => {
    // A script gets a line for each snapshot and each cross-check to look at, and nothing else.
    if (log.isScreen) log.out(runOver({ milliseconds }));
  };
  const run = withRunDeadline(stop, (signal) => collector.run(signal, logEnd));
  const outcomes = await run.catch((error: unknown) => {
    if (error instanceof OtherProduct) throw error;
    collector.logFailure(error);
  });
  if (outcomes === undefined) return EXIT.failed;
  if (outcomes === "busy") return EXIT.busy;
  const code = exitCode(outcomes.map(({ result }) => result));
  const { crossChecks = [] } = (await readReport(facts)) ?? {};
  const disagrees = crossChecks.some(({ disagreement }) => needsLook(disagreement));
  return code === EXIT.ok && disagrees ? EXIT.disagreement : code;
}

async function watch(configuration: Configuration, facts: Facts<Store>, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const schedule = collectOnSchedule(openCollector(configuration, facts, { log }));
  warnWhenEdited(configuration, context.stop, log);
  collectWhenEdited(configuration, context.stop, schedule);
  await stopped(context.stop);
  await schedule.stop();
  return EXIT.ok;
}

async function preview(
  configuration: Configuration,
  facts: Facts,
  { terminal, stop, flags, accept }: Context & Pick<Exceptions, "accept">,
): Promise<number> {
  const { settings } = configuration;
  const log = (line: string) => terminal.err(`  ${line}`);
  for (const warning of settingWarnings(configuration)) terminal.err(warningLine(warning));
  const run = openRun(settings, { ...configuration, base: settings.api.baseUrl, log });
  const findings = await withRunDeadline(stop, (signal) =>
    dryRun({ ...run, facts, known: { isSample }, accept, signal }),
  );
  if (flags.json === true) {
    const shown = findings.map((one) => (one.result === "held" ? { ...one, remedy: acceptance(one.name) } : one));
    terminal.out(JSON.stringify({ findings: shown }, null, 2));
  } else for (const finding of findings) terminal.out(findingLines(terminal, finding));
  return exitCode(findings.map(({ result }) => result));
}

function refuseCombinations({ flags }: Context): void {
  const [isWatching, isDry] = [flags.watch === true, flags["dry-run"] === true];
  const problems = [
    // The operator has reviewed one candidate; with --watch it would accept every later one, too.
    ...(isWatching && flags.accept !== undefined ? ["--accept cannot be combined with --watch"] : []),
    // It would ignore every later pause, too.
    ...(isWatching && flags.now !== undefined ? ["--now cannot be combined with --watch"] : []),
    ...(isDry && flags.now !== undefined ? ["--now cannot be combined with --dry-run, which always asks"] : []),
    ...(isWatching && isDry ? ["--dry-run cannot be combined with --watch"] : []),
    ...(flags.log !== undefined && !isWatching ? ["--log requires --watch"] : []),
    ...(flags.json === true && !isDry ? ["--json requires --dry-run"] : []),
  ];
  if (problems.length > 0) throw new SettingsProblems("the command line", problems);
}

/** A failure outranks something held. */
function exitCode(results: readonly Outcome["result"][]): number {
  if (results.includes("failed")) return EXIT.failed;
  return results.includes("held") ? EXIT.held : EXIT.ok;
}
