// `vitrine start`: collector and server in one process. Serves at once what was collected before, collects, and goes on
// collecting on schedule.
import { setTimeout as sleep } from "node:timers/promises";
import { startSchedules } from "../../collector/schedules.ts";
import { addresses, heading } from "../banner.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure } from "../config.ts";
import { collectFailure, collector } from "./collect.ts";
import { serve } from "./serve.ts";

/** How long the addresses wait for the first collection's lines, milliseconds. */
const PATIENCE = 2_000;

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal, stop } = context;
  const collectOnce = collector(configuration, context);
  const server = await serve(configuration, context);
  if (!server) return EXIT.failed;
  terminal.out(heading(terminal, configuration));
  const schedule = startSchedules(
    collectOnce.due,
    async (signal, due) => {
      await collectOnce.run(signal, due);
      await server.refresh();
    },
    (error) => terminal.err(collectFailure(terminal, error, configuration.settings.snapshots)),
  );
  await Promise.race([schedule.first, sleep(PATIENCE, undefined, { ref: false }), stopped(stop)]);
  terminal.out(addresses(server.base, configuration, schedule.next()));
  await stopped(stop);
  await Promise.all([schedule.stop(), server.stop()]);
  return EXIT.ok;
}
