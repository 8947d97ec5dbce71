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
  const isReached = PLATFORMS.some((name) => environment[name]) && environment.PORT;
  return whatApplies([
    [
      Boolean(isReached) && isLoopback(host),
      `host is ${host}, which nothing outside of this container reaches: set HOST=0.0.0.0`,
    ],
    [
      environment.NODE_TLS_REJECT_UNAUTHORIZED === "0",
      "the environment variable NODE_TLS_REJECT_UNAUTHORIZED lets anybody between here and a source forge facts: unset it, and name the certificates that you trust in NODE_EXTRA_CA_CERTS",
    ],
    [
      /\d[a-z]$/.test(environment.AWS_REGION ?? ""),
      `the environment variable AWS_REGION is a zone: write the region, ${environment.AWS_REGION?.slice(0, -1)}`,
    ],
    [
      Boolean(environment.NODE_EXTRA_CA_CERTS) && !existsSync(environment.NODE_EXTRA_CA_CERTS ?? ""),
      "the environment variable NODE_EXTRA_CA_CERTS names no file: correct its path",
    ],
    ...["snapshots", "lastCopy"].map((name): [boolean, string] => [
      OF_UNITS.test(String(given[name])),
      `${name} is used as it stands, %h and the like too: write the whole path`,
    ]),
  ]);
}
