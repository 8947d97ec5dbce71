// What a collection would find out about the sources without a request: missing files and variables, facts that pass no
// gate, schedules that leave facts stale, secrets in the settings file, and stand-ins for nobody. Quotes no header.
import { longestPause } from "../../collector/setting-values.ts";
import { askedOf, openCrossChecks, openNotify, openSources, scheduleOf, sourcesOf } from "../../collector/settings.ts";
import { askAnew, find } from "../../collector/run/ask.ts";
import { programProblem } from "../../collector/sources/command.ts";
import { openSource } from "../../collector/sources/sources.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { isFollowed } from "../../snapshots/stores/open-store.ts";
import { messageOf, problemsOf, shortName, span } from "../output/terminal.ts";
import type { Configuration } from "../settings/configure.ts";
import { sampleWarning } from "../settings/sample-facts.ts";

/** `problems` make a collection fail; `warnings` are probable mistakes. */
interface SourceFindings {
  problems: string[];
  warnings: string[];
}

/** Opens every source, and reads and gates `file` sources as a collection does. A server that follows another one asks
 * no sources: only secrets in its settings are found. */
export async function checkSources(configuration: Configuration): Promise<SourceFindings> {
  const secrets = literalSecrets(configuration);
  if (isFollowed(configuration.location)) return { problems: [], warnings: secrets };
  const { settings, directory, environment, file, isDemo } = configuration;
  const files = await readFiles(configuration);
  const samples = isDemo ? undefined : sampleWarning(files.facts);
  return {
    problems: [
      ...problemsOf(() => openSources(settings, { directory, environment, file })),
      ...problemsOf(() => openCrossChecks(settings, { directory, environment, file })),
      ...problemsOf(() => openNotify(settings, { environment, file })),
      ...files.problems,
      ...(await missingPrograms(configuration)),
    ],
    warnings: [
      ...secrets,
      ...scheduleWarnings(configuration),
      ...unusedStandIns(configuration),
      ...files.facts.flatMap(({ name, warnings }) => warnings.map((text) => `${name}: ${text}`)),
      ...(samples === undefined ? [] : [samples]),
    ],
  };
}

/** The facts in the files of `file` sources, and a line for each file that cannot be read or passes no gate. */
async function readFiles({ settings, directory }: Configuration) {
  const problems: string[] = [];
  const facts: { name: SnapshotName; payload: Payload; warnings: string[] }[] = [];
  for (const { path, source, names } of askedOf(settings)) {
    if (source.from !== "file") continue;
    const refuse = (error: unknown, part = "") => problems.push(`${path}   ${source.path}: ${part}${messageOf(error)}`);
    try {
      const opened = openSource(source, { names, directory, environment: {} });
      const answer = await askAnew(opened, new AbortController().signal);
      for (const name of names) {
        try {
          const { fact, warnings } = find(opened, name, answer);
          // A cross-check's are not published.
          if (!path.startsWith("crossChecks.")) facts.push({ name, payload: fact.payload, warnings });
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
    if (source.from !== "command") return [];
    const problem = await programProblem(source.command[0], { directory, environment });
    return problem === undefined ? [] : [`${path}   ${problem}`];
  });
  return (await Promise.all(lines)).flat();
}

const SECRET_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;
/** A value looks like a secret if it has a scheme, is a JSON web token, or has many letters and digits in one word. */
const SECRET_VALUE = /^(?:bearer|basic|token) \S|^eyJ|^(?=.*\d)(?=.*[a-z])[\w-]{20,}$/i;

/** A warning for each header and variable that looks like a secret, which every reader of the settings file would have. */
function literalSecrets({ settings }: Configuration): string[] {
  return askedOf(settings).flatMap(({ path, source }) => {
    const headers = "headers" in source ? Object.entries(source.headers ?? {}) : [];
    const variables = "env" in source ? Object.entries(source.env ?? {}) : [];
    return [
      ...headers.map(([name, value]) => ({ at: `headers.${name}`, name, value })),
      ...variables.map(([name, value]) => ({ at: `env.${name}`, name, value })),
    ]
      .filter(({ name, value }) => !value.includes("$") && (SECRET_NAME.test(name) || SECRET_VALUE.test(value)))
      .map(({ at }) => `${path}.${at} looks like a secret: put it into the environment and write "$NAME" here`);
  });
}

/** Warnings, not problems: another scheduler may run `collect` more often. */
function scheduleWarnings({ settings }: Configuration): string[] {
  const { staleAfter } = settings;
  return sourcesOf(settings).flatMap(({ path, source }) => {
    const pause = longestPause(scheduleOf(source, settings));
    if (pause < staleAfter / 2) return [];
    const consequence = pause < staleAfter ? "it ages between runs" : "502 in between";
    const timing = `${path} is collected every ${span(pause)} and stale after ${span(staleAfter)}`;
    return [`${timing}: ${consequence}; raise staleAfter, or collect more often`];
  });
}

/** One line, a warning because an upstream may redirect to another origin. */
function unusedStandIns({ settings }: Configuration): string[] {
  const sources = askedOf(settings).map(({ source }) => source);
  const urls = sources.flatMap((source) => Object.values(source)).filter((value) => typeof value === "string");
  const origins = new Set(urls.map((url) => parseUrl(url)?.origin));
  const unused = Object.keys(settings.standIns).filter((origin) => !origins.has(origin));
  if (unused.length === 0) return [];
  return [`standIns: no source has the origin ${unused.join(", ")}; used only for redirects and download links`];
}
