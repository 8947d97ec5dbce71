// `vitrine collect`: one run, or with --watch a run on every slot of the schedule. A line for each source.
import { collect, type Outcome } from "../../collector/collect.ts";
import { openSources } from "../../collector/config.ts";
import { startSchedule, withinRunTime } from "../../collector/schedule.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { outcomeLine, type Terminal } from "../terminal.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal, stop } = context;
  const collectOnce = collector(configuration, context);
  if (context.flags.watch !== true) {
    const outcomes = await withinRunTime(stop, collectOnce).catch((error: unknown) => {
      terminal.err(collectFailure(terminal, error, configuration.settings.snapshots));
    });
    if (outcomes === undefined) return EXIT.failed;
    if (outcomes === "busy") return EXIT.busy;
    return outcomes.every(({ result }) => result !== "failed") ? EXIT.ok : EXIT.failed;
  }
  const schedule = startSchedule(
    configuration.settings.schedule,
    async (signal) => void (await collectOnce(signal)),
    (error) => terminal.err(collectFailure(terminal, error, configuration.settings.snapshots)),
  );
  await stopped(stop);
  await schedule.stop();
  return EXIT.ok;
}

/** Opens the sources and the store of the settings; the result does one run. @throws SettingsProblems */
export function collector(
  { settings, directory, file }: Configuration,
  { environment, terminal }: Pick<Context, "environment" | "terminal">,
): (signal: AbortSignal) => Promise<Outcome[] | "busy"> {
  const sources = openSources(settings, { directory, environment, file });
  const store = openStore(settings.snapshots);
  const memory = new Map();
  const onOutcome = (outcome: Outcome) => terminal.out(outcomeLine(terminal, outcome));
  return async (signal) => {
    const outcomes = await collect({ sources, store, memory, staleAfter: settings.staleAfter, signal, onOutcome });
    if (outcomes === "busy") terminal.err("  another collector is at work on these snapshots; this run is left out");
    return outcomes;
  };
}

/** The line for a run that could not be done at all. */
export function collectFailure({ style }: Terminal, error: unknown, snapshots: string): string {
  return `${style("red", "✖")} collecting into ${snapshots} failed: ${error instanceof Error ? error.message : String(error)}`;
}
