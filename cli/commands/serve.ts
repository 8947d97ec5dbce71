// `vitrine serve`: answers from the snapshots, and fetches nothing.
import type { Reader } from "../../snapshots/store.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { serving, starting } from "../output/banner.ts";
import { askedFormat, openLog, type Log } from "../output/log.ts";
import { remedyFor, serve, untilOver, warnOfTrouble } from "./serving.ts";
import { configure, withoutSources, type Configuration } from "../settings/configure.ts";
import { warnWhenEdited } from "./edited.ts";
import { publishedSampleWarning } from "../settings/sample-facts.ts";
import { withReader } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = withoutSources(configure(context));
  return withReader(configuration, (store) => serveUntilOver(configuration, store, context));
}

async function serveUntilOver(configuration: Configuration, store: Reader, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const server = await serve(configuration, store, { ...context, log, command: "serve" });
  if (!server) return EXIT.failed;
  log.out(starting(configuration));
  log.out(serving(server, configuration));
  warnWhenEdited(configuration, context.stop, log);
  // A store that hangs must not keep the server from stopping.
  await Promise.race([warn(configuration, store, log), stopped(context.stop)]);
  const code = await untilOver(server, context.stop, log);
  await server.stop();
  return code;
}

async function warn(configuration: Configuration, store: Reader, log: Log): Promise<void> {
  await warnOfTrouble(store, log, { remedy: remedyFor(configuration) });
  const samples = configuration.isDemo ? undefined : await publishedSampleWarning(store);
  if (samples !== undefined) log.warn(samples);
}
