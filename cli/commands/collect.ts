// `vitrine collect`: one run, with --watch a run on every slot of the schedule.
import { withRunDeadline } from "../../collector/run/schedule.ts";
import { needsLook, readReport } from "../../snapshots/records.ts";
import { OtherProduct, type Facts } from "../../snapshots/facts.ts";
import type { Store } from "../../snapshots/store.ts";
import { collectOnSchedule, openCollector, type Exceptions } from "./collecting.ts";
import { codeOf, EXIT, stopped, type Context } from "../command.ts";
import { factsNamed } from "../fact-names.ts";
import { runOver, askedFormat, openLog } from "../output/log.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { withStore } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { flags } = context;
  const exceptions = { accept: factsNamed(flags.accept), askNow: factsNamed(flags.now) };
  return withStore(configuration, (facts) =>
    flags.watch === true
      ? watch(configuration, facts, context)
      : collectOnce(configuration, facts, { ...context, ...exceptions }),
  );
}
async function collectOnce(
  configuration: Configuration,
  facts: Facts<Store>,
  context: Context & Exceptions,
): Promise<number> {
  const { terminal, stop, accept, askNow } = context;
  const log = openLog(terminal, "text");
  const companions = await context.companions();
  const collector = openCollector(configuration, facts, { accept, askNow, log, companions });
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
  const code = codeOf(outcomes.map(({ result }) => result));
  const { crossChecks = [] } = (await readReport(facts)) ?? {};
  const disagrees = crossChecks.some(({ disagreement }) => needsLook(disagreement));
  return code === EXIT.ok && disagrees ? EXIT.disagreement : code;
}

async function watch(configuration: Configuration, facts: Facts<Store>, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const companions = await context.companions();
  const schedule = collectOnSchedule(openCollector(configuration, facts, { log, companions }));
  companions.attend({ configuration, stop: context.stop, warn: log.warn, schedule });
  await stopped(context.stop);
  await schedule.stop();
  return EXIT.ok;
}
