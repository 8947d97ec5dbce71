// What a collection would find out about the sources without a request: missing files and variables, facts that pass no gate,
// schedules that leave facts stale, and stand-ins for nobody.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { gate, warningsOf } from "../../collector/gate.ts";
import { openSources, sourcesOf } from "../../collector/settings.ts";
import type { Environment } from "../../collector/http/secrets.ts";
import { longestPause } from "../../collector/settings/cron.ts";
import { openSource, SourceSettings } from "../../collector/sources/sources.ts";
import { isFollowed } from "../../snapshots/open-store.ts";
import { parseUrl } from "../../snapshots/rules.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { messageOf, span } from "../output/terminal.ts";
import { problemsOf } from "./problems-of.ts";
import { sampleWarning } from "../sample-facts.ts";
import type { Configuration } from "../settings/configure.ts";
import { field } from "../settings/schema.ts";
import { typedHere } from "../typed.ts";

/** `problems` make a collection fail; `warnings` are probable mistakes; `hint` explains a default. */
export interface SourceFindings {
  problems: string[];
  warnings: string[];
  hint: string | undefined;
}

/** Opens every source, and reads and gates `file` sources as a collection does; sends no request. A server that follows another
 * one asks no sources. */
export async function checkSources(configuration: Configuration, environment: Environment): Promise<SourceFindings> {
  if (isFollowed(configuration.location)) return { problems: [], warnings: [], hint: undefined };
  const { settings, directory, file, isDemo } = configuration;
  const files = await readFiles(configuration);
  const samples = isDemo ? undefined : sampleWarning(files.facts);
  return {
    problems: [
      ...problemsOf(() => openSources(settings, { directory, environment, file })),
      ...files.problems,
      ...(await missingModules(configuration)),
    ],
    warnings: [
      ...scheduleWarnings(configuration),
      ...unusedStandIns(configuration),
      ...files.facts.flatMap(({ name, payload }) => warningsOf(payload).map((text) => `${name}: ${text}`)),
      ...(samples === undefined ? [] : [samples]),
    ],
    hint: architectureHint(configuration),
  };
}

/** Warnings, not problems: another scheduler may run `collect` more often. */
function scheduleWarnings({ settings }: Configuration): string[] {
  const { schedule, staleAfter } = settings;
  return sourcesOf(settings).flatMap(({ path, source }) => {
    const pause = longestPause(("schedule" in source ? source.schedule : undefined) ?? schedule);
    if (pause < staleAfter / 2) return [];
    const consequence = pause < staleAfter ? "it ages between runs" : "502 in between";
    const timing = `${path} is collected every ${span(pause)} and stale after ${span(staleAfter)}`;
    return [`${timing}: ${consequence}; raise staleAfter, or collect more often`];
  });
}

async function missingModules({ settings, directory }: Configuration): Promise<string[]> {
  const modules = sourcesOf(settings).flatMap(({ path, source }) =>
    source.from === "module" ? [{ path, source }] : [],
  );
  const lines = modules.map(async ({ path, source }) => {
    const stats = await stat(resolve(directory, source.path)).catch(() => undefined);
    return stats?.isFile() ? [] : [`${path}   ${source.path}: the module does not exist`];
  });
  return (await Promise.all(lines)).flat();
}

/** One line, a warning because an upstream may redirect to another origin. A module may ask any. */
function unusedStandIns({ settings }: Configuration): string[] {
  const sources = sourcesOf(settings).map(({ source }) => source);
  const urls = sources.flatMap((source) => Object.values(source)).filter((value) => typeof value === "string");
  const origins = new Set(urls.map((url) => parseUrl(url)?.origin));
  const unused = Object.keys(settings.standIns).filter((origin) => !origins.has(origin));
  if (unused.length === 0 || sources.some(({ from }) => from === "module")) return [];
  return [`standIns: no source has the origin ${unused.join(", ")}; used only if an upstream redirects there`];
}

/** One line for all sources that choose an installer by the default order of architectures. */
function architectureHint({ settings }: Configuration): string | undefined {
  const paths = sourcesOf(settings)
    .filter(({ source }) => choosesArchitecture(source))
    .map(({ path }) => path);
  if (paths.length === 0) return undefined;
  const order = "universal, then arm64 for macOS and x64 for Windows";
  return `${paths.join(", ")}: arch is not set, so ${order}; ${typedHere("collect --dry-run")} lists the others`;
}

function choosesArchitecture(source: SourceSettings): boolean {
  const kind = SourceSettings.options.find(({ shape }) => shape.from.value === source.from);
  const isSet = (name: string) => field(source, name) !== undefined;
  return kind !== undefined && "arch" in kind.shape && !isSet("arch") && !isSet("asset");
}

/** Reads and gates `file` sources as a collection does; sends no request. */
async function readFiles({ settings, directory }: Configuration) {
  const problems: string[] = [];
  const facts: { name: SnapshotName; payload: Payload }[] = [];
  for (const { path, source, names } of sourcesOf(settings)) {
    if (source.from !== "file") continue;
    try {
      const { fetch, translate } = openSource(source, { names, directory, environment: {} });
      const answer = await fetch({ signal: new AbortController().signal, validators: undefined });
      if (answer === "unchanged") continue;
      for (const name of names) facts.push({ name, payload: gate(name, translate(answer.upstream, name).payload) });
    } catch (error) {
      problems.push(`${path}   ${source.path}: ${messageOf(error)}`);
    }
  }
  return { problems, facts };
}
