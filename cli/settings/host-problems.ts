// Problems with the hosts of the settings that only the system can tell: a name without an address, or one that stands for
// every interface.
import { HostError, resolveHost } from "../../server/hosts.ts";
import type { Configuration } from "./configure.ts";
import { elsewhere } from "./problems.ts";

/** A line for each host that cannot be listened on as it is written; asks the system for the addresses of names. */
export async function hostProblems({ settings, origins }: Configuration): Promise<string[]> {
  const { host, metrics } = settings;
  const places = [
    { path: "host", host },
    ...(typeof metrics === "object" ? [{ path: "metrics", host: metrics.host }] : []),
  ];
  const lines = places.map(async ({ path, host }) => {
    try {
      await resolveHost(host);
      return [];
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return [`${path}   ${error.message}${elsewhere(path, origins.get(path))}`];
    }
  });
  return (await Promise.all(lines)).flat();
}
