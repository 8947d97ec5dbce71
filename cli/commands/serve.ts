// `vitrine serve`: answers from the snapshots, and fetches nothing.
import { pid } from "node:process";
import { startServer, type RunningServer } from "../../server/serve.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { addresses, heading } from "../banner.ts";
import { shortName, type Terminal } from "../terminal.ts";
import { statusOfStore } from "../status.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal } = context;
  const server = await serve(configuration, context);
  if (!server) return EXIT.failed;
  terminal.out(heading(terminal, configuration));
  terminal.out(addresses(server.base, configuration));
  await warnOfMissing(configuration, terminal, "answered with 502", "vitrine collect");
  await stopped(context.stop);
  await server.stop();
  return EXIT.ok;
}

/** A line for the facts that the store cannot give: what comes of it, and what to do. */
export async function warnOfMissing(
  { settings }: Configuration,
  { err, style }: Terminal,
  consequence: string,
  remedy: string,
): Promise<void> {
  const rows = await statusOfStore(openStore(settings.snapshots));
  const missing = rows.filter(({ state }) => state !== "fresh").map(({ name }) => shortName(name));
  if (missing.length > 0)
    err(`${style("yellow", "!")} not fresh, so ${consequence}: ${missing.join(", ")} (${remedy})`);
}

/** Starts the server of the settings; undefined, and a line that says why, when it cannot listen. */
export async function serve(
  { settings }: Configuration,
  { environment, terminal }: Pick<Context, "environment" | "terminal">,
): Promise<RunningServer | undefined> {
  const { api, host, port, expressLane, snapshots } = settings;
  const descriptor = inheritedSocket(environment);
  try {
    return await startServer({
      api,
      host,
      port,
      expressLane,
      descriptor,
      store: openStore(snapshots),
      clock: { wall: () => Date.now(), steady: () => performance.now() },
      warn: (message) => terminal.err(`${terminal.style("yellow", "!")} ${message}`),
    });
  } catch (error) {
    const place = descriptor === undefined ? `${host}:${port}` : `the inherited descriptor ${descriptor}`;
    const reason = error instanceof Error ? error.message : String(error);
    terminal.err(`${terminal.style("red", "✖")} cannot serve on ${place}: ${reason}`);
    return undefined;
  }
}

/** The first socket that systemd passes is descriptor 3 (sd_listen_fds); LISTEN_PID says for which process. */
function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: Context["environment"]): number | undefined {
  if (!/^[1-9]\d*$/.test(LISTEN_FDS ?? "")) return undefined;
  return LISTEN_PID === undefined || Number(LISTEN_PID) === pid ? 3 : undefined;
}
