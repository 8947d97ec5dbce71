// `vitrine mcp`: the MCP server as a local process that a host starts and speaks to on stdin and stdout. Answers from the
// snapshots, as `serve` does, and fetches nothing; with --collect it collects now and on schedule, as `start` does.
// stdout is for messages alone: everything there is to tell goes to stderr, where hosts keep their logs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Schedule } from "../../collector/schedule.ts";
import { startSchedules } from "../../collector/schedule.ts";
import { openStdio, type StdioServer } from "../../server/mcp/stdio.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { starting } from "../output/banner.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { runFailed, warning } from "../output/events.ts";
import { askedFormat, openLog, type Log } from "../output/log.ts";
import { collector } from "./collect.ts";
import { warnOfTrouble } from "./serve.ts";

const IN_VAIN = { consequence: "tools say unavailable", remedy: "vitrine collect, or vitrine mcp --collect" };

/** How long the first message waits for the first collection, milliseconds. */
const PATIENCE = 2_000;

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const terminal = { ...context.terminal, out: context.terminal.err };
  if (!isTemporary(configuration)) return answer(configuration, { ...context, terminal });
  const directory = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  configuration.settings.snapshots = directory;
  try {
    return await answer(configuration, { ...context, terminal });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The demo's snapshots are made for one conversation: a host starts this in whatever folder it likes, which is not ours
 * to write into. */
function isTemporary({ isDemo, origins }: Configuration): boolean {
  return isDemo && origins.get("snapshots") === "default";
}

async function answer(configuration: Configuration, context: Context): Promise<number> {
  const { terminal, stop, pipes } = context;
  const { settings, isDemo } = configuration;
  // A host shows these lines to a person.
  const log = openLog(terminal, askedFormat(context) ?? "text");
  const { input, output } = pipes();
  const server = await openStdio({
    api: settings.api,
    store: openStore(settings.snapshots),
    clock: { wall: () => Date.now(), steady: () => performance.now() },
    warn: (message) => log.err(warning(terminal, message)),
  });
  const start = starting(terminal, configuration);
  log.out({ ...start, text: `${start.text?.trim()}   MCP on stdin and stdout` });
  // A demo that is never collected would have nothing to show, and its sources are files of our own.
  const isCollecting = isDemo || context.flags.collect === true;
  const schedule = isCollecting ? collecting(configuration, { ...context, log }, server) : undefined;
  if (schedule) await Promise.race([schedule.first, sleep(PATIENCE, undefined, { ref: false }), stopped(stop)]);
  else await warnOfTrouble(configuration, { terminal, log, ...IN_VAIN });
  await server.answer(input, output, stop);
  await schedule?.stop();
  server.stop();
  return EXIT.ok;
}

function collecting(configuration: Configuration, context: Context & { log: Log }, server: StdioServer): Schedule {
  const { terminal, log } = context;
  const { due, run: collect } = collector(configuration, context, { log, next: () => schedule.next() });
  const schedule = startSchedules(
    due,
    async (signal, sources) => {
      await collect(signal, sources);
      await server.refresh();
    },
    (error) => log.err(runFailed(terminal, error, configuration.settings.snapshots)),
  );
  return schedule;
}
