// Hosts that can be written but not listened on. The system is asked for the addresses of names.
import { HostError, resolveHost } from "../../server/settings.ts";
import type { Configuration } from "./configure.ts";
import { problemLine } from "./problems.ts";

/** A line for each host that cannot be listened on: a name without an address, or one that stands for every interface. */
export async function hostProblems({ settings, origins }: Configuration): Promise<string[]> {
  const { host, metrics } = settings;
  const places = [
    { path: "host", host },
    ...(typeof metrics === "object" ? [{ path: "metrics", host: metrics.host }] : []),
  ];
  const lines = places.map(async ({ path, host }) => {
    const address = await addressOf(host);
    return address instanceof HostError ? [problemLine(path, address.message, origins)] : [];
  });
  return (await Promise.all(lines)).flat();
}

/** @throws any error but HostError, which it returns. */
export function addressOf(host: string): Promise<string | HostError> {
  return resolveHost(host).catch((error: unknown) => {
    if (error instanceof HostError) return error;
    throw error;
  });
}
