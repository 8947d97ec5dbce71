// The first lines an operator reads: what runs, and where it answers.
import { isLoopback } from "../../snapshots/rules.ts";
import type { RunningServer } from "../../server/serve.ts";
import type { Configuration } from "../settings/configure.ts";
import { typed, VERSION } from "../package-files.ts";
import type { LogEvent } from "./log.ts";
import { span, type Terminal } from "./terminal.ts";

/** Name, version, and whose facts these are. */
export function heading({ style }: Terminal, { isDemo, settings, file }: Configuration): string {
  const whose = isDemo
    ? `demo product: no settings found (${typed("init")} makes yours)`
    : `${settings.api.name} (${file})`;
  return `\n  ${style("bold", `Vitrine ${VERSION}`)}   ${whose}\n`;
}

/** A service begins. */
export function starting(terminal: Terminal, configuration: Configuration): LogEvent {
  const { isDemo, file } = configuration;
  const fields = { version: VERSION, settings: isDemo ? "demo" : file };
  return { event: "starting", level: "info", text: heading(terminal, configuration), fields };
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

/** The addresses to try. `base`: the public base URL; `metrics`: of the operator's; `next`: when facts are fetched
 * again, if they are. */
export function addresses(
  base: string,
  { settings }: Configuration,
  { metrics, next }: { metrics?: string | undefined; next?: Date | null | undefined } = {},
): string {
  const { host, api } = settings;
  const isLocal = isLoopback(host) || host === "::1";
  const slug =
    api.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "product";
  const closing = [
    ...(isLocal ? ["This computer only (--host 0.0.0.0 to share)."] : []),
    ...(isLocal || api.baseUrl ? [] : ["Links say localhost: set BASE_URL to the public address."]),
    ...(next ? [`Next collection in ${span(next.getTime() - Date.now())}.`] : []),
    "Ctrl+C stops.",
  ];
  return `
  Page     ${base}/
  API      ${base}/api/v1
  OpenAPI  ${base}/openapi.json
  MCP      ${base}/mcp
           claude mcp add --transport http ${slug} ${base}/mcp
${metrics ? `  Metrics  ${metrics}\n` : ""}
  ${closing.join(" ")}
`;
}
