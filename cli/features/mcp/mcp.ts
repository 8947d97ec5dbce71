// `vitrine mcp`: an MCP server that a host starts as a local process and talks to on stdin and stdout. Answers from the
// snapshots and fetches nothing; with --collect it collects now and on schedule, as `start` does. stdout carries
// messages only: the log goes to stderr, where hosts keep it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Facts } from "../../../snapshots/facts.ts";
import { openStdio } from "../../../server/features/mcp/stdio.ts";
import { typedHere } from "../../command-hints.ts";
import { EXIT, stopped, type Context } from "../../command.ts";
import { askedFormat, openLog, starting, type Log } from "../../output/log.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { confineToFolder } from "./found-settings.ts";
import { withReader, withStore } from "../../with-store.ts";
import { collectOnSchedule, firstRun, openCollector, type Collector } from "../../commands/collecting.ts";
import { remedyFor, warnOfTrouble } from "../../commands/serving.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  if (configuration.isFound) confineToFolder(configuration, context.flags.collect === true);
  const terminal = { ...context.terminal, out: context.terminal.err };
  const isTemporary = configuration.isDemo && configuration.origins.get("snapshots") === "default";
  if (!isTemporary) return answer(configuration, { ...context, terminal });
  // The demo's snapshots last for one conversation: the host's working directory is not ours to write into.
  const directory = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  configuration.location = configuration.settings.snapshots = directory;
  try {
    return await answer(configuration, { ...context, terminal });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function answer(configuration: Configuration, context: Context): Promise<number> {
  // Text by default: hosts show these lines to a person.
  const log = openLog(context.terminal, askedFormat(context) ?? "text");
  // The demo always collects: its store starts empty, and its sources are files of the package.
  const isCollecting = configuration.isDemo || context.flags.collect === true;
  if (!isCollecting) return withReader(configuration, (facts) => converse(configuration, { ...context, log }, facts));
  return withStore(configuration, async (facts) => {
    const collector = openCollector(configuration, facts, { log, companions: await context.companions() });
    return converse(configuration, { ...context, log }, facts, collector);
  });
}

async function converse(
  configuration: Configuration,
  { stop, pipes, log, ...context }: Context & { log: Log },
  facts: Facts,
  collector?: Collector,
): Promise<number> {
  const { input, output } = pipes();
  const companions = await context.companions();
  const server = await openStdio({
    api: configuration.settings.api,
    facts,
    lastCopy: companions.lastCopyOf(configuration),
    warn: log.warn,
  });
  log.out(starting(configuration, "MCP on stdin and stdout"));
  const remedy = remedyFor(configuration, `${typedHere("collect")}, or ${typedHere("mcp --collect")}`);
  const trouble = { consequence: "tools report unavailable", remedy };
  const schedule = collector && collectOnSchedule(collector, { server });
  companions.attend({ configuration, facts, stop, warn: log.warn, ...(schedule && { schedule }) });
  if (schedule) await firstRun(schedule, stop);
  else await Promise.race([warnOfTrouble(facts, log, trouble), stopped(stop)]);
  await server.answer(input, output, stop);
  await schedule?.stop();
  server.stop();
  return EXIT.ok;
}
