// `vitrine mcp`: the MCP server as a local process that a host starts and speaks to on stdin and stdout. Answers from the
// snapshots, as `serve` does, and fetches nothing; with --collect it collects now and on schedule, as `start` does.
// stdout is for messages alone: everything there is to tell goes to stderr, where hosts keep their logs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Schedule } from "../../collector/schedule.ts";
import { startSchedules } from "../../collector/schedules.ts";
import { openStdio, type StdioServer } from "../../server/stdio.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { heading } from "../banner.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { collectFailure, collector } from "./collect.ts";
import { warnOfMissing } from "./serve.ts";

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
  const { input, output } = pipes();
  const server = await openStdio({
    api: settings.api,
    store: openStore(settings.snapshots),
    clock: { wall: () => Date.now(), steady: () => performance.now() },
    warn: (message) => terminal.err(`${terminal.style("yellow", "!")} ${message}`),
  });
  terminal.out(`${heading(terminal, configuration).trim()}   MCP on stdin and stdout`);
  // A demo that is never collected would have nothing to show, and its sources are files of our own.
  const isCollecting = isDemo || context.flags.collect === true;
  const schedule = isCollecting ? collecting(configuration, context, server) : undefined;
  if (schedule) await Promise.race([schedule.first, sleep(PATIENCE, undefined, { ref: false }), stopped(stop)]);
  else
    await warnOfMissing(configuration, terminal, "tools say unavailable", "vitrine collect, or vitrine mcp --collect");
  await server.answer(input, output, stop);
  await schedule?.stop();
  server.stop();
  return EXIT.ok;
}

function collecting(configuration: Configuration, context: Context, server: StdioServer): Schedule {
  const { due, run: collect } = collector(configuration, context);
  return startSchedules(
    due,
    async (signal, sources) => {
      await collect(signal, sources);
      await server.refresh();
    },
    (error) => context.terminal.err(collectFailure(context.terminal, error, configuration.settings.snapshots)),
  );
}
