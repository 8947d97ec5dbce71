// `vitrine start`: collector and server in one process. Serves at once what was collected before, collects, and goes on
// collecting on schedule.
import { setTimeout as sleep } from "node:timers/promises";
import { startSchedules } from "../../collector/schedule.ts";
import { serving, starting } from "../output/banner.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure } from "../settings/configure.ts";
import { runFailed } from "../output/events.ts";
import { askedFormat, openLog } from "../output/log.ts";
import { collector } from "./collect.ts";
import { serve, warnOfTrouble } from "./serve.ts";

/** How long the addresses wait for the first collection's lines, milliseconds. */
const PATIENCE = 2_000;

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal, stop } = context;
  const log = openLog(terminal, askedFormat(context));
  let isOpen = false;
  const { due, run: collect } = collector(configuration, context, {
    log,
    next: () => schedule.next(),
    // The addresses close the first run.
    isRunTold: () => isOpen,
  });
  const server = await serve(configuration, { ...context, log });
  if (!server) return EXIT.failed;
  log.out(starting(terminal, configuration));
  const schedule = startSchedules(
    due,
    async (signal, sources) => {
      await collect(signal, sources);
      await server.refresh();
    },
    (error) => log.err(runFailed(terminal, error, configuration.settings.snapshots)),
  );
  await Promise.race([schedule.first, sleep(PATIENCE, undefined, { ref: false }), stopped(stop)]);
  log.out(serving(server, configuration, schedule.next()));
  isOpen = true;
  const warnAfterFirst = async () => {
    await schedule.first;
    if (!stop.aborted) await warnOfTrouble(configuration, { terminal, log, remedy: "vitrine status tells why" });
  };
  void warnAfterFirst();
  await stopped(stop);
  await Promise.all([schedule.stop(), server.stop()]);
  return EXIT.ok;
}
