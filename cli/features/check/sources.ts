// What a collection would find out about the sources without a request: missing files and variables, facts that pass no
// gate, schedules that leave facts stale, secrets in the settings file, and stand-ins for nobody. Quotes no header.
import { distance } from "fastest-levenshtein";
import { askedOf, openings, openWrapped, sourcesOf } from "../../../collector/settings.ts";
import { askAnew, find } from "../../../collector/run/ask.ts";
import { programProblem, variablesOf } from "../../../collector/features/kinds/command.ts";
import { attempt, isThisComputer, parseUrl, whatApplies } from "../../../snapshots/rules.ts";
import type { Payload, SnapshotName } from "../../../snapshots/snapshot.ts";
import { isFollowed } from "../../../snapshots/stores/open-store.ts";
import type { Companions } from "../../command.ts";
import { messageOf, shortName } from "../../output/terminal.ts";
import type { Configuration } from "../../settings/configure.ts";
import { problemsOf, withoutPath } from "../../settings/problems.ts";
import { settingWarnings } from "../../settings/schema.ts";
import { factFor } from "./right-words.ts";

/** Opens every source, and reads and gates `file` sources as a collection does. A server that follows another one asks
 * no sources: only secrets in its settings are found. `problems` make a collection fail; `warnings` are probable mistakes. */
export async function checkSources(configuration: Configuration, companions: Companions) {
  const ofSettings = settingWarnings(configuration);
  if (isFollowed(configuration.location)) return { problems: [], warnings: ofSettings };
  const { settings } = configuration;
  const files = await readFiles(configuration);
  return {
    problems: [
      ...openings(settings, { ...configuration, base: settings.api.baseUrl })
        .flatMap(problemsOf)
        .map((line) => withMeantVariable(line, configuration.environment)),
      ...files.problems,
      ...(await missingPrograms(configuration)),
    ],
    warnings: [
      ...ofSettings,
      ...unusedStandIns(configuration, files.facts),
      ...whatApplies({
        'plans and releases are "none", so nothing is published: give one of them a source': sourcesOf(settings).every(
          ({ source }) => source.from === "none",
        ),
        'api.name is missing, so readers see "Product information": give the name of the product':
          settings.api.baseUrl !== undefined && Object(configuration.given.api).name === undefined,
      }),
      ...files.facts.flatMap(({ name, warnings }) => warnings.map((text) => `${name}: ${text}`)),
      ...companions.remarksOnFiles(files.facts, configuration),
    ],
  };
}

/** Says of a variable that is not set that it is empty, or which one is: GH_TOKEN for GITHUB_TOKEN, STRIPE_SECRET_KEY for STRIPE_KEY. */
function withMeantVariable(line: string, environment: Configuration["environment"]): string {
  const isNear = (one: string, other: string) =>
    one[0] === other[0] &&
    one.split("_").at(-1) === other.split("_").at(-1) &&
    distance(one, other) === Math.abs(one.length - other.length);
  return line.replaceAll(/(\w+) is not set(?=;|$)/g, (said, name: string) => {
    if (environment[name] === "") return `${name} is empty`;
    if (environment[`${name}_FILE`])
      return `${said}, and ${name}_FILE is not read: set ${name} to what is in that file`;
    const set = Object.keys(environment).filter((one) => environment[one]);
    const meant = set.find((one) => isNear(one.toLowerCase(), name.toLowerCase()));
    return meant === undefined ? said : `${said}, but ${meant} is: name that one`;
  });
}

/** The facts in the files of `file` sources, and a line for each file that cannot be read or passes no gate. */
async function readFiles({ settings, directory }: Configuration) {
  const problems: string[] = [];
  const facts: { name: SnapshotName; payload: Payload; warnings: string[] }[] = [];
  for (const { path, source, names } of askedOf(settings)) {
    if (source.from !== "file") continue;
    const refuse = (error: unknown, part = "") =>
      problems.push(`${path}   ${withoutPath(source.path ?? "")}: ${part}${messageOf(error)}`);
    const opened = attempt(() => openWrapped(source, { names, directory, environment: {} }, settings));
    // Opening all of them tells why one cannot be.
    if (!opened) continue;
    try {
      const answer = await askAnew(opened, new AbortController().signal);
      for (const name of names) {
        try {
          const { fact, warnings, remarks, reminders: said = [], droppedFields = [] } = find(opened, name, answer);
          const unread = remarks.filter((remark) => remark.includes(": not in its form"));
          if ("plans" in fact.payload && fact.payload.plans.length === 0)
            unread.push('the list is empty; for a vendor without plans write "plans": "none"');
          const reminders = [...said, ...(opened.remindersOf?.(fact.payload) ?? [])];
          const dropped = droppedFields.map(
            (field) => `${field} is no field of Vitrine's, and is left out${factFor(field)}`,
          );
          // A cross-check's are not published.
          if (path.startsWith("crossChecks.")) continue;
          facts.push({ name, payload: fact.payload, warnings: [...warnings, ...unread, ...reminders, ...dropped] });
        } catch (error) {
          refuse(error, names.length > 1 ? `${shortName(name)}: ` : "");
        }
      }
    } catch (error) {
      refuse(error);
    }
  }
  return { problems, facts };
}

async function missingPrograms({ settings, directory, environment }: Configuration): Promise<string[]> {
  const lines = askedOf(settings).map(async ({ path, source }) => {
    // Opening the sources finds the missing variables.
    if (!("command" in source && source.command) || problemsOf(() => variablesOf(source.env, environment)).length > 0)
      return [];
    const problem = await programProblem(source.command, variablesOf(source.env, environment), directory);
    return problem === undefined ? [] : [`${path}   ${problem}`];
  });
  return (await Promise.all(lines)).flat();
}

/** The edits of a slip of the fingers. An origin that is further away may be that of links or of a redirect, where a source is asked for
 * them. */
const SLIP = 2;

const withoutWww = (origin: string) => origin.replace("//www.", "//");

/** A line for each that was probably meant for a source, or that nobody can ask for. `facts`: of the files. */
function unusedStandIns({ settings }: Configuration, facts: readonly { payload: Payload }[]): string[] {
  const sources = askedOf(settings).map(({ source }) => source);
  const urls = sources.flatMap((source) => Object.values(source)).filter((value) => typeof value === "string");
  const origins = [...new Set(urls.flatMap((url) => parseUrl(url)?.origin ?? []))];
  const links = JSON.stringify(facts);
  const unused: string[] = [];
  const slips = Object.keys(settings.standIns).flatMap((origin) => {
    const reversed = settings.standIns[origin] ?? "";
    if (reversed === origin) return [`standIns: ${origin} leads to itself: leave it out`];
    if (origins.includes(origin)) return [];
    const isHere = (one: string) => isThisComputer(parseUrl(one)?.hostname ?? "");
    if (isHere(origin) && !isHere(reversed))
      return [`standIns: ${reversed} is what a source asks: write it first, and ${origin} behind it`];
    const isTwin = (one: string) => !(one in settings.standIns) && withoutWww(one) === withoutWww(origin);
    const meant = origins.find((one) => distance(one, origin) <= SLIP || isTwin(one));
    if (meant !== undefined) return [`standIns: no source has the origin ${origin}; did you mean ${meant}?`];
    const isAskedFor = sources.some(({ from }) => from !== "file" && from !== "none") || links.includes(`"${origin}/`);
    if (!isAskedFor) unused.push(origin);
    return [];
  });
  return unused.length === 0
    ? slips
    : [...slips, `standIns: no source and no link has the origin ${unused.join(", ")}: leave it out`];
}
