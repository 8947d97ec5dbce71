// The first lines an operator reads: the program, its settings and its addresses.
import { isLoopback } from "../../snapshots/rules.ts";
import { hostName } from "../../server/mcp/identity.ts";
import type { RunningServer } from "../../server/serve.ts";
import type { Configuration } from "../settings/configure.ts";
import { VERSION } from "../package-files.ts";
import { typed } from "../command-hints.ts";
import type { LogEvent } from "./log.ts";
import { span } from "./terminal.ts";

/** A service starts. `doing`: what it does, if not in the lines that follow. */
export function starting({ isDemo, settings, file }: Configuration, doing?: string): LogEvent {
  const product = isDemo
    ? `demo product, no settings read (${typed("init")} writes yours)`
    : `${settings.api.name} (${file})`;
  const fields = { version: VERSION, settings: isDemo ? "demo" : file };
  const line = `Vitrine ${VERSION}   ${product}`;
  const text = doing === undefined ? `\n  ${line}\n` : `${line}   ${doing}`;
  return { event: "starting", level: "info", text, fields };
}

/** A server answers at these addresses. `next`: when the next collection begins, if any. */
export function serving(
  { base, place, metrics }: Pick<RunningServer, "base" | "place" | "metrics">,
  { settings: { api } }: Configuration,
  next?: Date | null,
): LogEvent {
  const isLocal = isLoopback(place.replace(/:\d+$/, ""));
  const closing = [
    ...(isLocal || api.baseUrl ? [] : ["Links point to localhost: set BASE_URL to the public address."]),
    ...(next ? [`Next collection in ${span(next.getTime() - Date.now())}.`] : []),
    "Ctrl+C stops.",
  ];
  const text = `
  Page     ${base}/
  API      ${base}/api/v1
  OpenAPI  ${base}/openapi.json
  MCP      ${base}/mcp
           claude mcp add --transport http ${hostName(api.name, base)} ${base}/mcp
${metrics ? `  Metrics  ${metrics}\n` : ""}
  Listening on ${place}${isLocal ? ", this computer only (--host 0.0.0.0 to share)" : ""}.
  ${closing.join(" ")}
`;
  return { event: "serving", level: "info", text, fields: { base, place, metrics, next: next?.toISOString() } };
}
