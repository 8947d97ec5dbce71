// `vitrine check`: reads the settings as every command does, checks all that needs no request, and shows the effective
// values with their origins. Changes nothing; shows no secret.
import { openSources, sourcesOf } from "../../collector/settings.ts";
import { SettingsProblems } from "../../collector/settings/problems.ts";
import { longestPause } from "../../collector/settings/cron.ts";
import { gate, warningsOf } from "../../collector/gate.ts";
import { openSource, SourceSettings } from "../../collector/sources/sources.ts";
import { readLogo } from "../../server/logo.ts";
import { readResources } from "../../server/mcp/resources.ts";
import { clip } from "../../snapshots/rules.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { EXIT, type Context } from "../command.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { aligned } from "../output/columns.ts";
import { effectiveSettings } from "../settings/effective.ts";
import { hostProblems } from "../settings/host-problems.ts";
import { literalSecretWarnings } from "../settings/literal-secrets.ts";
import { field } from "../settings/schema.ts";
import { wellKnownHint } from "../settings/well-known-hint.ts";
import { messageOf, problemReport, span } from "../output/terminal.ts";
import { VERSION } from "../package-files.ts";
import { sampleWarning } from "../sample-facts.ts";
import { typedHere } from "../typed.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, environment, flags } = context;
  const configuration = configure(context);
  const { file, isDemo } = configuration;
  const files = await readFiles(configuration);
  const problems = [
    ...openingProblems(configuration, environment),
    ...files.problems,
    ...(await hostProblems(configuration)),
  ];
  const samples = isDemo ? undefined : sampleWarning(files.facts);
  const ofFacts = files.facts.flatMap(({ name, payload }) => warningsOf(payload).map((text) => `${name}: ${text}`));
  const warnings = [
    ...scheduleWarnings(configuration),
    ...literalSecretWarnings(configuration.settings),
    ...ofFacts,
    ...(samples === undefined ? [] : [samples]),
  ];
  const settings = effectiveSettings(configuration);
  const code = problems.length > 0 ? EXIT.settings : EXIT.ok;
  if (flags.json === true) {
    terminal.out(JSON.stringify({ file: isDemo ? null : file, settings, problems, warnings }, null, 2));
    return code;
  }
  const lines = aligned(settings.map(({ path, value, origin }) => [path, clip(value, 60, "…"), origin]));
  terminal.out(`\n  Vitrine ${VERSION}   ${isDemo ? "demo product, no settings read" : file}\n`);
  for (const line of lines) terminal.out(`  ${line}`);
  for (const hint of [architectureHint(configuration), wellKnownHint(configuration)]) {
    if (hint !== undefined) terminal.out(`\n  ${terminal.style("dim", hint)}`);
  }
  for (const warning of warnings) terminal.err(`${terminal.style("yellow", "!")} ${warning}`);
  if (problems.length > 0) terminal.err(problemReport(terminal, file, problems));
  else terminal.out(`\n  ${terminal.style("green", "✔")} the settings are valid`);
  return code;
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

function openingProblems({ settings, directory, file }: Configuration, environment: Context["environment"]): string[] {
  return [
    ...problemsOf(() => openSources(settings, { directory, environment, file })),
    ...problemsOf(() => readResources(settings.api)),
    ...problemsOf(() => readLogo(settings.api.logo)),
  ];
}

function problemsOf(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    return error instanceof SettingsProblems ? error.problems : [messageOf(error)];
  }
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
