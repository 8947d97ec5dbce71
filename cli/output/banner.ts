// The first lines an operator reads: the program, its settings and its addresses.
import { isLoopback } from "../../snapshots/rules.ts";
import { hostName } from "../../server/mcp/identity.ts";
import type { RunningServer } from "../../server/serve.ts";
import type { Configuration } from "../settings/configure.ts";
import { typed, VERSION } from "../package-files.ts";
import type { LogEvent } from "./log.ts";
import { span, type Terminal } from "./terminal.ts";

/** A service starts. */
export function starting({ style }: Terminal, { isDemo, settings, file }: Configuration): LogEvent {
  const product = isDemo
    ? `demo product, no settings read (${typed("init")} writes yours)`
    : `${settings.api.name} (${file})`;
  const text = `\n  ${style("bold", `Vitrine ${VERSION}`)}   ${product}\n`;
  return { event: "starting", level: "info", text, fields: { version: VERSION, settings: isDemo ? "demo" : file } };
}

/** A server answers. `next`: as in `addresses`. */
export function serving(
  { base, metrics }: Pick<RunningServer, "base" | "metrics">,
  configuration: Configuration,
  next?: Date | null,
): LogEvent {
  const text = addresses(base, configuration, { metrics, next });
  return { event: "serving", level: "info", text, fields: { base, metrics, next: next?.toISOString() } };
}

/** The addresses to try. `base`: the public base URL. `metrics`: the URL of the metrics, if any. `next`: when the next
 * collection begins, if any. */
export function addresses(
  base: string,
  { settings }: Configuration,
  { metrics, next }: { metrics?: string | undefined; next?: Date | null | undefined } = {},
): string {
  const { host, api } = settings;
  const isLocal = isLoopback(host) || host === "::1";
  const closing = [
    ...(isLocal ? ["This computer only (--host 0.0.0.0 to share)."] : []),
    ...(isLocal || api.baseUrl ? [] : ["Links point to localhost: set BASE_URL to the public address."]),
    ...(next ? [`Next collection in ${span(next.getTime() - Date.now())}.`] : []),
    "Ctrl+C stops.",
  ];
  return `
  Page     ${base}/
  API      ${base}/api/v1
  OpenAPI  ${base}/openapi.json
  MCP      ${base}/mcp
           claude mcp add --transport http ${hostName(api.name, base)} ${base}/mcp
${metrics ? `  Metrics  ${metrics}\n` : ""}
  ${closing.join(" ")}
`;
}
