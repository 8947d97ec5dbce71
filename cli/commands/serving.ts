// Serving as `serve`, `start` and `mcp` share it: the HTTP server of the settings, and warnings about snapshots.
import { pid, platform } from "node:process";
import { isUnsafePort } from "get-port-please";
import type { Facts } from "../../snapshots/facts.ts";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { PortInUse } from "../../server/door/listen.ts";
import { startServer, type RunningServer } from "../../server/serve.ts";
import { statusOfStore } from "../../snapshots/fact-state.ts";
import { Unreachable } from "../../snapshots/store.ts";
import { isFollowed } from "../../snapshots/stores/open-store.ts";
import { typedHere } from "../command-hints.ts";
import { EXIT, stopped, type Companions } from "../command.ts";
import { conditionChanged, type Log } from "../output/log.ts";
import { messageOf, shortName } from "../output/terminal.ts";
import { VERSION } from "../package-files.ts";
import type { Configuration } from "../settings/configure.ts";
import { hostProblems } from "../settings/hosts.ts";
import { skewWarning } from "../with-store.ts";

/** Starts the server of a command. If it cannot listen, logs the reason and resolves to undefined. @throws SettingsProblems */
export async function serve(
  configuration: Configuration,
  facts: Facts,
  { log, companions, command }: { log: Log; companions: Companions; command: "start" | "serve" },
): Promise<RunningServer | undefined> {
  const { settings, environment, file } = configuration;
  const { api, host, port, expressLane, metrics, share } = settings;
  const problems = await hostProblems(configuration);
  if (problems.length > 0) throw new SettingsProblems(file, problems);
  const lastCopy = companions.lastCopyOf(configuration);
  try {
    return await startServer({
      api,
      host,
      port,
      expressLane,
      metrics,
      share,
      descriptor: inheritedSocket(environment),
      version: VERSION,
      facts,
      lastCopy,
      warn: log.warn,
      onCondition(change) {
        log[change.condition === "fresh" ? "out" : "err"](conditionChanged(change));
      },
    });
  } catch (error) {
    const remedy = error instanceof PortInUse ? `: ${onNextPort(command, configuration)}` : "";
    log.fail(messageOf(error) + remedy);
    return undefined;
  }
}

/** Resolves to the exit code when the process is asked to stop, or when the server has logged why it cannot go on. */
export async function untilOver({ failed }: RunningServer, stop: AbortSignal, log: Log): Promise<number> {
  const reason = await Promise.race([stopped(stop), failed]);
  if (!reason) return EXIT.ok;
  log.fail(reason.message);
  return EXIT.failed;
}

/** What helps against snapshots that are not fresh. `here`: where they are collected. */
export function remedyFor({ location }: Configuration, here = typedHere("collect")): string {
  return isFollowed(location) ? "see to the server that is followed" : here;
}

/** Warns of snapshots that are not fresh, and of those that soon will not be. */
export async function warnOfTrouble(
  facts: Facts,
  log: Log,
  { consequence = "answered with 502", remedy }: { consequence?: string; remedy: string },
): Promise<void> {
  const rows = await statusOfStore(facts).catch((error: unknown) => {
    // The server itself warns of a store that does not answer.
    if (error instanceof Unreachable) return [];
    throw error;
  });
  const missing = rows.filter(({ state }) => state !== "fresh").map(({ name }) => shortName(name));
  const aging = rows.filter(({ aging }) => aging).map(({ name }) => shortName(name));
  const warn = (problem: string) => log.warn(`${problem} (${remedy})`);
  if (missing.length > 0) warn(`not fresh, ${consequence}: ${missing.join(", ")}`);
  if (aging.length > 0) warn(`aging, not confirmed for half of the lifetime: ${aging.join(", ")}`);
  const skew = await skewWarning(facts.store);
  if (skew !== undefined) log.warn(skew);
}

/** The first socket that systemd passes is descriptor 3 (sd_listen_fds); LISTEN_PID is the process it is meant for. */
function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: Configuration["environment"]): number | undefined {
  if (!/^[1-9]\d*$/.test(LISTEN_FDS ?? "")) return undefined;
  return LISTEN_PID === undefined || Number(LISTEN_PID) === pid ? 3 : undefined;
}

/** The command with another port: `PORT=3001 npm start`, but with --port where PORT has no effect. */
function onNextPort(command: string, { settings, origins }: Configuration): string {
  let port = settings.port + 1;
  while (isUnsafePort(port)) port++;
  const isVariable = origins.get("port") !== "flag" && platform !== "win32";
  return isVariable ? `PORT=${port} ${typedHere(command)}` : typedHere(`${command} --port ${port}`);
}
