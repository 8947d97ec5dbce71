// `vitrine serve`: answers from the snapshots, and fetches nothing.
import { pid } from "node:process";
import { startServer, type RunningServer } from "../../server/serve.ts";
import { openStore } from "../../snapshots/open-store.ts";
import { EXIT, stopped, type Context } from "../command.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { serving, starting } from "../output/banner.ts";
import { VERSION } from "../package-files.ts";
import { conditionChanged, failure, warning } from "../output/events.ts";
import { askedFormat, openLog, type Log } from "../output/log.ts";
import { shortName, type Terminal } from "../output/terminal.ts";
import { statusOfStore } from "../status.ts";

export async function run(context: Context): Promise<number> {
  const configuration = configure(context);
  const { terminal } = context;
  const log = openLog(terminal, askedFormat(context));
  const server = await serve(configuration, { ...context, log });
  if (!server) return EXIT.failed;
  log.out(starting(terminal, configuration));
  log.out(serving(server, configuration));
  await warnOfTrouble(configuration, { terminal, log });
  await stopped(context.stop);
  await server.stop();
  return EXIT.ok;
}

interface Telling {
  terminal: Terminal;
  log: Log;
  /** What comes of facts that are not there, and what to do. */
  consequence?: string;
  remedy?: string;
}

/** A line for the facts that the store cannot give, and one for those that it will soon not give any more. */
export async function warnOfTrouble(
  { settings }: Configuration,
  { terminal, log, consequence = "answered with 502", remedy = "vitrine collect" }: Telling,
): Promise<void> {
  const rows = await statusOfStore(openStore(settings.snapshots));
  const missing = rows.filter(({ state }) => state !== "fresh").map(({ name }) => shortName(name));
  const aging = rows.filter(({ aging }) => aging).map(({ name }) => shortName(name));
  if (missing.length > 0) log.err(warning(terminal, `not fresh, so ${consequence}: ${missing.join(", ")} (${remedy})`));
  if (aging.length > 0) log.err(warning(terminal, `half of the lifetime is spent: ${aging.join(", ")} (${remedy})`));
}

/** Starts the server of the settings; undefined, and a line that says why, when it cannot listen. */
export async function serve(
  { settings }: Configuration,
  { environment, terminal, log }: Pick<Context, "environment" | "terminal"> & { log: Log },
): Promise<RunningServer | undefined> {
  const { api, host, port, expressLane, metrics, snapshots } = settings;
  try {
    return await startServer({
      api,
      host,
      port,
      expressLane,
      metrics,
      descriptor: inheritedSocket(environment),
      version: VERSION,
      store: openStore(snapshots),
      clock: { wall: () => Date.now(), steady: () => performance.now() },
      warn: (message) => log.err(warning(terminal, message)),
      onCondition(change) {
        log[change.condition === "fresh" ? "out" : "err"](conditionChanged(terminal, change));
      },
    });
  } catch (error) {
    log.err(failure(terminal, error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}

/** The first socket that systemd passes is descriptor 3 (sd_listen_fds); LISTEN_PID says for which process. */
function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: Context["environment"]): number | undefined {
  if (!/^[1-9]\d*$/.test(LISTEN_FDS ?? "")) return undefined;
  return LISTEN_PID === undefined || Number(LISTEN_PID) === pid ? 3 : undefined;
}
