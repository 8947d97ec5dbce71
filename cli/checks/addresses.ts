// Addresses that can be written but not used: ports that browsers refuse, and one port for two listeners.
import { isUnsafePort } from "get-port-please";
import { HostError, resolveHost } from "../../server/hosts.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import type { Configuration } from "../settings/configure.ts";
import { elsewhere } from "../settings/problems.ts";

/** Bad ports of the Fetch standard that `isUnsafePort` lacks: sieve and osaut. */
const MORE_UNSAFE_PORTS = new Set([4190, 6679]);
const EVERY_INTERFACE = new Set(["0.0.0.0", "::"]);

/** A line for each; asks the system for the addresses of names. */
export async function addressProblems({ settings, origins }: Configuration): Promise<string[]> {
  const { host, port, metrics, api } = settings;
  const places = [
    { path: "port", port },
    { path: "api.baseUrl", port: Number(parseUrl(api.baseUrl ?? "")?.port) },
    ...(typeof metrics === "object" ? [{ path: "metrics", port: metrics.port }] : []),
  ];
  const line = (path: string, text: string) => `${path}   ${text}${elsewhere(path, origins.get(path))}`;
  const refused = places
    .filter((place) => isUnsafePort(place.port) || MORE_UNSAFE_PORTS.has(place.port))
    .map((place) => line(place.path, `browsers refuse the port ${place.port}; choose another`));
  const isShared =
    typeof metrics === "object" && metrics.port === port && port !== 0 && (await overlap(host, metrics.host));
  return [
    ...refused,
    ...(isShared ? [line("metrics", `${port} is the server's own port; choose another, or "on"`)] : []),
  ];
}

async function overlap(...hosts: [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(hosts.map(addressOf));
  return one === other || [one, other].some((address) => address !== undefined && EVERY_INTERFACE.has(address));
}

/** A name without an address is a problem of its own. */
async function addressOf(host: string): Promise<string | undefined> {
  try {
    return await resolveHost(host);
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
