// When the demo product may stand in for missing settings. A wrong working directory or an unmounted volume must never
// publish invented prices, so only `start` shows it unasked, and only where nothing points at a real service.
import { isLoopback } from "../../snapshots/rules.ts";
import { typed } from "../typed.ts";
import type { Configuration, ConfigurationInput } from "./configure.ts";

/** The refusal and its remedies; undefined if the demo may be shown. `hasDemo`: whether the command shows it unasked. */
export function whyNoDemo(
  configuration: Configuration,
  { environment, directory }: ConfigurationInput,
  hasDemo: boolean,
): string | undefined {
  const sign = hasDemo ? signOfService(configuration, environment) : undefined;
  if (hasDemo && sign === undefined) return undefined;
  const remedies = `name it with --config FILE, write one with "${typed("init")}", or ask for the demo product with --demo`;
  const condition = sign === undefined ? "" : `, which is not shown unasked because ${sign}`;
  return `there is no such file in ${directory}: ${remedies}${condition}`;
}

/** A sign that the process is meant to serve somebody, if there is one. */
function signOfService(
  { settings, origins }: Configuration,
  { NODE_ENV, LISTEN_FDS = "" }: ConfigurationInput["environment"],
): string | undefined {
  const { host, api } = settings;
  if (!isLoopback(host) && host !== "::1") return `host is ${host}`;
  if (api.baseUrl !== undefined) return "a public base URL is set";
  if (NODE_ENV === "production") return "NODE_ENV is production";
  if (origins.get("snapshots") !== "default") return "the place of the snapshots is given";
  return LISTEN_FDS === "" ? undefined : "a socket was passed on by a supervisor";
}
