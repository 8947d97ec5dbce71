// `vitrine serve`: answers from the snapshots, and fetches nothing.
import { startServer, type RunningServer } from "../../server/serve.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { addresses, heading } from "../banner.ts";
import { shortName, type Terminal } from "../terminal.ts";
import { statusOfStore } from "./status.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal } = context;
  const server = await serve(configuration, terminal);
  if (!server) return EXIT.failed;
  terminal.out(heading(terminal, configuration));
  terminal.out(addresses(server.base, configuration));
  await warnOfMissing(configuration, terminal);
  await stopped(context.stop);
  await server.stop();
  return EXIT.ok;
}

async function warnOfMissing({ settings }: Configuration, { err, style }: Terminal): Promise<void> {
  const rows = await statusOfStore(openStore(settings.snapshots));
  const missing = rows.filter(({ state }) => state !== "fresh").map(({ name }) => shortName(name));
  if (missing.length > 0)
    err(`${style("yellow", "!")} not fresh, so answered with 502: ${missing.join(", ")} (vitrine collect)`);
}

/** Starts the server of the settings; undefined, and a line that says why, when it cannot listen. */
export async function serve({ settings }: Configuration, terminal: Terminal): Promise<RunningServer | undefined> {
  const { api, host, port, snapshots } = settings;
  try {
    return await startServer({
      api,
      host,
      port,
      store: openStore(snapshots),
      clock: { wall: () => Date.now(), steady: () => performance.now() },
      warn: (message) => terminal.err(`${terminal.style("yellow", "!")} ${message}`),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`${terminal.style("red", "✖")} cannot serve on ${host}:${port}: ${reason}`);
    return undefined;
  }
}
