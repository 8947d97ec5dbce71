// Settings that do not fit where the process runs, by its environment, for every command that opens the sources.
import { existsSync } from "node:fs";
import { isLoopback, whatApplies } from "../../../snapshots/rules.ts";

/** As in a Configuration. */
interface Configured {
  settings: { host: string };
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
}

/** Set where requests come from outside of the container. */
const PLATFORMS = ["RENDER", "DYNO", "FLY_APP_NAME", "RAILWAY_ENVIRONMENT", "K_SERVICE", "KUBERNETES_SERVICE_HOST"];
/** Systemd replaces it in its own settings, Windows has two. */
const OF_UNITS = /(?:^|\/)%[a-z](?:\/|$)/i;

export function misfits({ settings: { host }, environment, given }: Configured): string[] {
  const { AWS_REGION = "", NODE_EXTRA_CA_CERTS: certificates } = environment;
  const isReached = Boolean(environment.PORT) && PLATFORMS.some((name) => environment[name]);
  const ofUnits = ["snapshots", "lastCopy"].filter((name) => OF_UNITS.test(String(given[name])));
  return [
    ...whatApplies({
      [`host is ${host}, which nothing outside of this container reaches: set HOST=0.0.0.0`]:
        isReached && isLoopback(host),
      "the environment variable NODE_TLS_REJECT_UNAUTHORIZED lets anybody between here and a source forge facts: unset it, and name the certificates that you trust in NODE_EXTRA_CA_CERTS":
        environment.NODE_TLS_REJECT_UNAUTHORIZED === "0",
      [`the environment variable AWS_REGION is a zone: write the region, ${AWS_REGION.slice(0, -1)}`]: /\d[a-z]$/.test(
        AWS_REGION,
      ),
      "the environment variable NODE_EXTRA_CA_CERTS names no file: correct its path":
        Boolean(certificates) && !existsSync(certificates ?? ""),
    }),
    ...ofUnits.map((name) => `${name} is used as it stands, %h and the like too: write the whole path`),
  ];
}
