// Environment variables that nobody reads, though their names say that they were meant for Vitrine. `check` alone tells of them: they may
// as well be another program's. What comes near to a variable that is read is told by every command (right-words.ts).
import { secretNamesIn } from "../../../collector/http/request.ts";
import type { JsonSchema } from "../../../snapshots/schema.ts";
import type { Configuration } from "../../settings/configure.ts";

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

/** A line for each other variable that was probably meant for Vitrine. `variables`: of
 * settings. `told`: warnings that may name some. */
export function unreadVariables(
  { environment, given, isDemo }: Configuration,
  schema: () => JsonSchema,
  { variables, told }: { variables: readonly string[]; told: string },
): string[] {
  const known = new Set([...variables, ...secretNamesIn(given)]);
  const settings = Object.keys(schema().properties ?? {}).filter((one) => UNCOMMON.test(one));
  const names = Object.keys(environment).filter((name) => environment[name] && !isDemo && !known.has(name));
  return names.flatMap((name) => {
    const setting = settings.find((one) => one.replaceAll(/[A-Z]/g, "_$&").toUpperCase() === name);
    const meant = Object.keys(OTHERS).find((one) => OTHERS[one]?.test(name) && !environment[one.slice(0, -1)]);
    if (told.includes(`${name} `) || !(OURS.test(name) || setting || meant)) return [];
    const remedy = meant === undefined ? setting && `write ${setting} into the settings` : `did you mean ${meant}`;
    return [`the environment variable ${name} is not read: ${remedy ?? "no setting refers to it"}`];
  });
}
