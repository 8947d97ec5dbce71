// Environment variables that nobody reads, though their names say that they were meant for Vitrine. `check` alone tells of them: they may
// as well be another program's. What comes near to a variable that is read is told by every command (right-words.ts).
import { secretNamesIn } from "../../../collector/http/request.ts";
import { askedOf } from "../../../collector/settings.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";
import type { Configuration } from "../../settings/configure.ts";

/** As the documents name them. Not in a run of many folders, where the settings of another one may refer to them. */
const OURS = /^(?:SIGNING_KEY|NOTIFY_URL|VITRINE_(?!CONFIG$|.*(?:SERVICE|PORT)|.*_(?:VERSION|IMAGE|TAG)$)\w+)$/;
/** Settings whose names no other program has for a variable. */
const UNCOMMON = /[A-Z]|^(?:guard|notify|share|signing|trust)$/;
/** What to write instead of variables of other programs, unless the setting has a value; or only for such a store. */
const OTHERS: readonly [setting: string, remedy: string, name: RegExp][] = [
  [
    "snapshots",
    "for a store in Redis, set SNAPSHOTS=redis://HOST:PORT/0/NAME, or rediss:// if the address has it, and REDIS_PASSWORD",
    /^REDIS_(?:URL|HOST|PASSWORD)$/,
  ],
  ["redis", "did you mean REDIS_PASSWORD?", /^REDIS_PASS$/],
  ["s3", "did you mean AWS_ENDPOINT_URL_S3?", /^(?:S3|MINIO|AWS)_ENDPOINT$/],
  ["snapshots", "for a store in S3, set SNAPSHOTS=s3://BUCKET/NAME", /^(?:AWS|S3)_BUCKET$/],
  ["VITRINE_CONFIG", "did you mean VITRINE_CONFIG?", /^CONFIG_(?:FILE|PATH)$/],
  ["schedule", "did you mean SCHEDULE?", /^CRON(?:_SCHEDULE)?$/],
  ["api.baseUrl", "did you mean BASE_URL?", /^(?:PUBLIC|SITE)_URL$/],
  ["metrics", "did you mean METRICS?", /^METRICS_(?:PORT|ADDR|ENABLED)$/],
  ["", "did you mean --log json or --log text behind the command?", /^LOG$/],
];

/** A line for each other variable that was probably meant for Vitrine. `variables`: of
 * settings. `told`: warnings that may name some. */
export function unreadVariables(
  configuration: Configuration,
  schema: () => JsonSchema,
  { variables, told }: { variables: readonly string[]; told: string },
): string[] {
  const { environment, given, origins, isDemo, location } = configuration;
  const known = new Set([...variables, ...secretNamesIn(given)]);
  const settings = Object.keys(schema().properties ?? {}).filter((one) => UNCOMMON.test(one));
  // Kubernetes sets such a variable for each service, to a URL of TCP.
  const isSet = (name: string) => environment[name] && !environment[name].startsWith("tcp://");
  const names = Object.keys(environment).filter((name) => isSet(name) && !isDemo && !known.has(name));
  return names.flatMap((name) => {
    if (told.includes(`${name} `)) return [];
    const setting = settings.find((one) => one.replaceAll(/[A-Z]/g, "_$&").toUpperCase() === name);
    const isOpen = (path: string) => (origins.get(path) ?? "default") === "default" && !environment[path];
    const isMeant = (path: string) => (/^(?:redis|s3)$/.test(path) ? location.startsWith(path) : isOpen(path));
    const other = OTHERS.find(([path, , like]) => like.test(name) && isMeant(path))?.[1];
    const proxy =
      /^https_proxy$/i.test(name) && asks(configuration)
        ? "sources and download links must be reached directly"
        : undefined;
    const own = setting === undefined ? "no setting refers to it" : `write ${setting} into the settings`;
    const remedy = other ?? proxy ?? (setting !== undefined || OURS.test(name) ? own : undefined);
    return remedy === undefined ? [] : [`the environment variable ${name} is not read: ${remedy}`];
  });
}

/** Whether a collection needs the network: for a source, or for the link of a release that is read here. */
function asks({ settings, given }: Configuration): boolean {
  return askedOf(settings).some(({ source: { from }, names }) => {
    const hasLink = given.checkLink !== false && names.some((name) => name !== "plans");
    return from !== "none" && (hasLink || !["file", "command"].includes(from));
  });
}
