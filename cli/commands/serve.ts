// `vitrine serve`: answers from the snapshots, and fetches nothing.
import { issuerOf } from "../../snapshots/features/signatures/proof.ts";
import { readSnapshot, type Facts } from "../../snapshots/facts.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { askedFormat, openLog, serving, starting, type Log } from "../output/log.ts";
import { remedyFor, serve, untilOver, warnOfTrouble } from "./serving.ts";
import { configure, withoutSources, type Configuration } from "../settings/configure.ts";
import { warnWhenEdited } from "./edited.ts";
import { publishedSampleWarning } from "../settings/sample-facts.ts";
import { withReader } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const configuration = withoutSources(configure(context));
  return withReader(configuration, (facts) => serveUntilOver(configuration, facts, context));
}

async function serveUntilOver(configuration: Configuration, facts: Facts, context: Context): Promise<number> {
  const log = openLog(context.terminal, askedFormat(context));
  const server = await serve(configuration, facts, { log, command: "serve" });
  if (!server) return EXIT.failed;
  log.out(starting(configuration));
  log.out(serving(server, configuration));
  warnWhenEdited(configuration, context.stop, log);
  // A store that hangs must not keep the server from stopping.
  await Promise.race([warn(configuration, facts, { log, base: server.base }), stopped(context.stop)]);
  const code = await untilOver(server, context.stop, log);
  await server.stop();
  return code;
}

async function warn(
  configuration: Configuration,
  facts: Facts,
  { log, base }: { log: Log; base: string },
): Promise<void> {
  await warnOfTrouble(facts, log, { remedy: remedyFor(configuration) });
  const samples = configuration.isDemo ? undefined : await publishedSampleWarning(facts);
  if (samples !== undefined) log.warn(samples);
  // With trust, the settings name the issuer, and other proofs are refused.
  const issuer = configuration.trust ? undefined : await issuerOfProofs(facts);
  if (issuer !== undefined && issuer !== base)
    log.warn(`the facts are signed for ${issuer}, and this server is ${base}: who verifies its answers refuses them`);
}

/** The issuer of the first proof, as a run signs all facts for the same API; undefined without one, and while the store is away. */
async function issuerOfProofs(facts: Facts): Promise<string | undefined> {
  const read = await readSnapshot(facts, "plans").catch(() => undefined);
  return read?.state === "found" && read.snapshot.proof !== undefined ? issuerOf(read.snapshot.proof) : undefined;
}
