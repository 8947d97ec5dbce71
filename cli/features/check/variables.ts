// Environment variables that nobody reads, though their names say that they were meant for Vitrine. Each remedy is the end of a warning's
// line, and quotes no value. What comes near to a name that is read is told by every command; what may as well be another program's,
// by `check` alone.
import { distance } from "fastest-levenshtein";
import { secretNamesIn } from "../../../collector/http/request.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";
import { settingPaths } from "./right-words.ts";

/** As in configure.ts. */
interface Configured {
  environment: Readonly<Record<string, string | undefined>>;
  given: Readonly<Record<string, unknown>>;
  isDemo: boolean;
}

/** Heads that others expect. Kubernetes sets such a variable for each service, to a URL of TCP. */
const HEAD = /^(?:(?:vitrine|api)[._])+/i;
/** Words of fewer letters come near to those of other programs. */
const LONG = 7;
const OF_PATHS = /_(?:DIR|DIRECTORY|FILE|PATH)$/;

/** A line for each variable that is not read, but is written nearly as one of `variables`, which are, or as a setting. */
export function variableWarnings(
  { environment, given }: Omit<Configured, "isDemo">,
  schema: () => JsonSchema,
  variables: readonly string[],
): string[] {
  const letters = (name: string) => name.toLowerCase().replaceAll(/[._]/g, "");
  const known = new Set([...variables, ...secretNamesIn(given)]);
  const set = Object.entries(environment).filter(([, value = ""]) => value !== "" && !value.startsWith("tcp://"));
  return set.flatMap(([name]) => {
    if (known.has(name)) return [];
    const bare = name.replace(HEAD, "");
    const isNear = (typed: string, one: string) =>
      letters(typed) === letters(one) ||
      (one.length > LONG && (distance(letters(typed), letters(one)) === 1 || typed.replace(OF_PATHS, "") === one));
    const meant = variables.find((one) => isNear(bare, one) || isNear(name, one));
    if (meant !== undefined) return [`the environment variable ${name} is not read: did you mean ${meant}?`];
    const paths = bare === name ? [] : settingPaths(schema());
    const path = paths.find((path) =>
      [path, `vitrine.${path}`, `vitrine.${path.replace(HEAD, "")}`].map(letters).includes(letters(name)),
    );
    return path === undefined ? [] : [`the environment variable ${name} is not read: write ${path} into the settings`];
  });
}

/** As the documents name them. Not in a run of many folders, where the settings of another one may refer to them. */
const OURS =
  /^(?:SIGNING_KEY|NOTIFY_URL|HTTPS_PROXY|https_proxy|VITRINE_(?!CONFIG$|.*(?:SERVICE|PORT)|.*_(?:VERSION|IMAGE|TAG)$)\w+)$/;
/** Settings whose names no other program has for a variable. */
const UNCOMMON = /[A-Z]|^(?:guard|notify|share|signing|trust)$/;
/** What other programs call what Vitrine reads from the variable before them, or from an option. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  "SNAPSHOTS?": /^(?:REDIS_(?:URL|PASSWORD)|(?:AWS|S3)_BUCKET)$/,
  "VITRINE_CONFIG?": /^CONFIG_(?:FILE|PATH)$/,
  "SCHEDULE?": /^CRON(?:_SCHEDULE)?$/,
  "BASE_URL?": /^(?:PUBLIC|SITE)_URL$/,
  "METRICS?": /^METRICS_(?:PORT|ADDR|ENABLED)$/,
  "--log json or --log text behind the command?": /^LOG(?:_LEVEL|_FORMAT)?$/,
};

/** A line for each other variable that was probably meant for Vitrine. `read`: those of
 * settings. `told`: warnings that may name some. */
export function unreadVariables(
  { environment, given, isDemo }: Configured,
  schema: () => JsonSchema,
  { read: variables, told }: { read: readonly string[]; told: string },
): string[] {
  const read = secretNamesIn(given);
  const settings = Object.keys(schema().properties ?? {}).filter((one) => UNCOMMON.test(one));
  const names = Object.keys(environment).filter((name) => environment[name] && !isDemo && !read.includes(name));
  return names.flatMap((name) => {
    const setting = settings.find((one) => one.replaceAll(/[A-Z]/g, "_$&").toUpperCase() === name);
    const meant = Object.keys(OTHERS).find((one) => OTHERS[one]?.test(name) && !environment[one.slice(0, -1)]);
    if (variables.includes(name) || told.includes(`${name} `) || !(OURS.test(name) || setting || meant)) return [];
    const remedy = meant === undefined ? setting && `write ${setting} into the settings` : `did you mean ${meant}`;
    return [`the environment variable ${name} is not read: ${remedy ?? "no setting refers to it"}`];
  });
}
