// The server's part of the settings.
import * as z from "zod";
import { Api } from "./api-settings.ts";
import { HOST_FORM, readHost } from "./hosts.ts";

/** `on`: at the server's own address; an object: at this separate address. */
export type MetricsSettings = "off" | "on" | { host: string; port: number };

const metrics = z
  .string()
  .refine((text) => readMetrics(text) !== undefined, 'use "on", "off" or an address such as "127.0.0.1:9464"')
  .default("off")
  .transform((text) => readMetrics(text) ?? "off")
  .describe("Prometheus metrics: `on` at /metrics, open to every client; or a separate address such as 127.0.0.1:9464");

/** The server's settings, part of the schema of the settings file. */
export const serverSettings = {
  api: Api.prefault({}),
  host: z
    .string()
    .min(1)
    .max(255)
    .refine((text) => readHost(text) !== undefined, HOST_FORM)
    .default("127.0.0.1")
    .transform((text) => readHost(text) ?? text)
    .describe("Address to listen on; 0.0.0.0 for all addresses"),
  port: z
    .int("use a whole number from 0 to 65535")
    .min(0, "use a whole number from 0 to 65535")
    .max(65_535, "use a whole number from 0 to 65535")
    .default(3000)
    .describe("Port to listen on; 0 for any free port"),
  expressLane: z.boolean().default(true).describe("Answer plain requests twice as fast, with identical bytes"),
  metrics,
  lastCopy: z
    .string()
    .min(1)
    .optional()
    .describe("Directory where a server keeps the last good snapshots, for a restart while a remote store is away"),
  share: z.boolean().default(false).describe("Offer the snapshots to servers that follow this one, at /snapshots/"),
};

function readMetrics(text: string): MetricsSettings | undefined {
  if (text === "on" || text === "off") return text;
  const { written = "", port } = /^(?<written>[^:[\]]+|\[[^[\]]+\]):(?<port>\d{1,5})$/.exec(text)?.groups ?? {};
  const host = readHost(written);
  return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}
