// `vitrine start`: collector and server in one process. Serves the stored snapshots at once, and collects now and on
// schedule.
import type { Facts } from "../../snapshots/facts.ts";
import type { Store } from "../../snapshots/store.ts";
import { collectOnSchedule, firstRun, openCollector } from "./collecting.ts";
import { EXIT, type Context } from "../command.ts";
import { askedFormat, openLog, serving, starting } from "../output/log.ts";
import { serve, untilOver, warnOfTrouble } from "./serving.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { typedHere } from "../command-hints.ts";
import { withStore } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context, { hasDemo: true });
  return withStore(configuration, (facts) => collectAndServe(configuration, facts, context));
}

async function collectAndServe(configuration: Configuration, facts: Facts<Store>, context: Context): Promise<number> {
  const { stop } = context;
  const log = openLog(context.terminal, askedFormat(context));
  const companions = await context.companions();
  const collector = openCollector(configuration, facts, { log, companions });
  const server = await serve(configuration, facts, { log, companions, command: "start" });
  if (!server) return EXIT.failed;
  log.out(starting(configuration));
  // The addresses follow the first run instead of its closing line.
  let isOpen = false;
  const schedule = collectOnSchedule(collector, { server, isEndLogged: () => isOpen });
  companions.attend({ configuration, facts, stop, warn: log.warn, schedule });
  await firstRun(schedule, stop);
  log.out(serving(server, configuration, schedule.next()));
  isOpen = true;
  const remedy = `${typedHere("status")} shows why`;
  void schedule.first.then(() => (stop.aborted ? undefined : warnOfTrouble(facts, log, { remedy })));
  const code = await untilOver(server, stop, log);
  await Promise.all([schedule.stop(), server.stop()]);
  return code;
}
