// `vitrine serve`: answers from the snapshots, and fetches nothing.
import type { RunningServer } from "../../server/serve.ts";
import { type Facts } from "../../snapshots/facts.ts";
import { EXIT, stopped, type Companions, type Context } from "../command.ts";
import { askedFormat, openLog, serving, starting, type Log } from "../output/log.ts";
import { remedyFor, serve, untilOver, warnOfTrouble } from "./serving.ts";
import { configure, withoutSources, type Configuration } from "../settings/configure.ts";
import { settingWarnings } from "../settings/schema.ts";
import { withReader } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = withoutSources(configure(context));
  return withReader(configuration, (facts) => serveUntilOver(configuration, facts, context));
}

async function serveUntilOver(configuration: Configuration, facts: Facts, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const companions = await context.companions();
  const server = await serve(configuration, facts, { log, companions, command: "serve" });
  if (!server) return EXIT.failed;
  log.out(starting(configuration));
  log.out(serving(server, configuration));
  for (const warning of settingWarnings(configuration)) log.warn(warning);
  companions.attend({ configuration, facts, stop: context.stop, warn: log.warn });
  // A store that hangs must not keep the server from stopping.
  await Promise.race([warn(configuration, facts, { log, companions, server }), stopped(context.stop)]);
  const code = await untilOver(server, context.stop, log);
  await server.stop();
  return code;
}

async function warn(
  configuration: Configuration,
  facts: Facts,
  { log, companions, server }: { log: Log; companions: Companions; server: RunningServer },
): Promise<void> {
  await warnOfTrouble(facts, log, { remedy: remedyFor(configuration) });
  for (const remark of [...(await companions.remarks(facts, configuration)), ...server.remarks()]) log.warn(remark);
}
