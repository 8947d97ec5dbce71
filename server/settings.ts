// The server's part of the settings. Hosts are checked and resolved here before anything listens: the packages that listen take every
// interface if they do not like a host, and the system reads texts such as `0` as an address; both open a private server.
import { lookup } from "node:dns/promises";
import { isIP, SocketAddress } from "node:net";
import * as z from "zod";
import { errorCode } from "../snapshots/system-calls.ts";
import { Api } from "./api-settings.ts";

const HOST_FORM = "use an IP address such as 127.0.0.1 or ::1, the name of this computer, or 0.0.0.0 for all addresses";

/** `on`: at the server's own address; an object: at this separate address. */
export type MetricsSettings = "off" | "on" | { host: string; port: number };

const METRICS_FORM = 'use "on", "off" or an address such as "127.0.0.1:9464"';

const metrics = z
  .string(METRICS_FORM)
  .refine((text) => readMetrics(text) !== undefined, METRICS_FORM)
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

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** RFC 1123. The last label is no number, because the system would read `0` or `127.1` as an address. */
const NAME = new RegExp(String.raw`^(?=.{1,253}$)(?:${LABEL}\.)*(?!(?:\d+|0x[0-9a-f]*)$)${LABEL}$`, "i");
const EVERY_INTERFACE = new Set(["0.0.0.0", "::", "::ffff:0.0.0.0"]);

/** A host cannot be listened on as it is written. */
export class HostError extends Error {
  override name = "HostError";
}

/** The host without the brackets of a URL; undefined if it is neither an IP address nor a host name. */
function readHost(text: string): string | undefined {
  const bare = /^\[(?<v6>[0-9a-f:.]+)\]$/i.exec(text)?.groups?.v6;
  if (bare !== undefined) return isIP(bare) === 6 ? bare : undefined;
  // An address with a zone, such as fe80::1%eth0, is not understood further down.
  return (isIP(text) > 0 && !text.includes("%")) || NAME.test(text) ? text : undefined;
}

/** The address of a host, in its shortest form. @throws HostError if a name has none, or stands for every interface. */
export async function resolveHost(host: string): Promise<string> {
  if (readHost(host) !== host) throw new HostError(`${JSON.stringify(host)} is not a host; ${HOST_FORM}`);
  if (isIP(host) > 0) return new SocketAddress({ address: host, family: isIP(host) === 6 ? "ipv6" : "ipv4" }).address;
  const { address } = await lookup(host).catch((cause: unknown) => {
    throw new HostError(`the name ${host} has no address here (${errorCode(cause) ?? "unknown error"}); ${HOST_FORM}`, {
      cause,
    });
  });
  if (!EVERY_INTERFACE.has(address)) return address;
  throw new HostError(`the name ${host} stands for every interface (${address}); ${HOST_FORM}`);
}
