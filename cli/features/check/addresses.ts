// Addresses that can be written but not used: ports that browsers refuse, one port for two listeners. The system is asked for the
// addresses of names; nothing is listened on.
import { isUnsafePort } from "get-port-please";
import { HostError } from "../../../server/settings.ts";
import { parseUrl } from "../../../snapshots/rules.ts";
import type { Configuration } from "../../settings/configure.ts";
import { addressOf } from "../../settings/hosts.ts";
import { problemLine } from "../../settings/problems.ts";
import { OWN_PATHS } from "./probable-mistakes.ts";

/** Bad ports of the Fetch standard that `isUnsafePort` lacks: sieve and osaut. */
const MORE_UNSAFE_PORTS = new Set([4190, 6679]);
const EVERY_INTERFACE = new Set(["0.0.0.0", "::"]);
const WELL_KNOWN = ["api-catalog", "ard.json", "ai-catalog.json", "mcp.json", "mcp/server-card.json"];

/** A line for each port that browsers refuse, and one if the server and its metrics would listen on the same port. */
export async function portProblems({ settings, origins }: Configuration): Promise<string[]> {
  const { host, port, metrics, api } = settings;
  const places = [
    { path: "port", port },
    { path: "api.baseUrl", port: Number(parseUrl(api.baseUrl ?? "")?.port) },
    ...(typeof metrics === "object" ? [{ path: "metrics", port: metrics.port }] : []),
  ];
  const refused = places
    .filter(({ port }) => isUnsafePort(port) || MORE_UNSAFE_PORTS.has(port))
    .map(({ path, port }) => problemLine(path, `browsers refuse the port ${port}; choose another`, origins));
  const isShared =
    typeof metrics === "object" && metrics.port === port && port !== 0 && (await overlap(host, metrics.host));
  const shared = `${port} is the server's own port; choose another, or "on"`;
  return [...refused, ...(isShared ? [problemLine("metrics", shared, origins)] : [])];
}

/** For a base URL with a path: clients look for well-known documents at the root of the host (RFC 8615), where a proxy
 * that passes on only the path has none. The hint lists what the proxy must pass on. Undefined for any other base URL. */
export function wellKnownHint({ settings, given }: Configuration): string | undefined {
  const { api } = settings;
  const { baseUrl = "", contact, registryKey } = api;
  const { origin, pathname } = new URL(baseUrl, "http://localhost/");
  // Another one is meant.
  if (pathname === "/" || OWN_PATHS.test(pathname)) return undefined;
  const names = [
    ...WELL_KNOWN,
    ...(contact === undefined ? [] : ["security.txt"]),
    ...(registryKey === undefined ? [] : ["mcp-registry-auth"]),
    ...(given.signing || given.trust ? ["jwks.json"] : []),
  ];
  const paths = names.map((name) => `/.well-known/${name}`).join(", ");
  return (
    `api.baseUrl has a path, but clients look for well-known documents at ${origin}: let the proxy pass on ${paths} ` +
    `unchanged, too, and add these lines to the robots.txt there: Sitemap: ${baseUrl}/sitemap.xml and ` +
    `Agentmap: ${baseUrl}/.well-known/ard.json`
  );
}

/** Two names without an address overlap, too: each of them is a problem of its own. */
async function overlap(...hosts: [string, string]): Promise<boolean> {
  const found = await Promise.all(hosts.map(addressOf));
  const [one, other] = found.map((address) => (address instanceof HostError ? undefined : address));
  return one === other || [one, other].some((address) => address !== undefined && EVERY_INTERFACE.has(address));
}
