// `vitrine check`: reads the settings as every command does, tries what can be tried without fetching, shows the
// effective values and where each came from. Changes nothing; shows no secret.
import { openSources, SettingsProblems, sourcesOf } from "../../collector/config.ts";
import { gate } from "../../collector/gate.ts";
import { openSource, type SourceSettings } from "../../collector/sources.ts";
import { readLogo } from "../../server/page/logo.ts";
import { readResources } from "../../server/resources.ts";
import { EXIT, type Context } from "../command.ts";
import { configure, type Configuration } from "../config.ts";
import { OVERRIDES } from "../settings.ts";
import { problemReport, span } from "../terminal.ts";
import { VERSION } from "../banner.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, environment } = context;
  const configuration = configure(context);
  const problems = [...openingProblems(configuration, environment), ...(await fileProblems(configuration))];
  terminal.out(values(configuration).join("\n"));
  if (problems.length > 0) {
    terminal.err(problemReport(terminal, configuration.file, problems));
    return EXIT.settings;
  }
  terminal.out(`\n  ${terminal.style("green", "✔")} nothing is wrong with these settings`);
  return EXIT.ok;
}

function values({ settings, origins, isDemo, file }: Configuration): string[] {
  const { api, host, port, schedule, staleAfter, snapshots } = settings;
  const shown: Record<string, string> = {
    host,
    port: String(port),
    "api.baseUrl": api.baseUrl ?? "(the address listened on)",
    snapshots,
    staleAfter: span(staleAfter),
    schedule: `${schedule} (UTC)`,
  };
  const rows = OVERRIDES.map(({ path, variable }) => {
    const origin = origins.get(path);
    return row(path, shown[path] ?? "", origin === "environment" ? `environment ${variable}` : (origin ?? ""));
  });
  const origin = isDemo ? "built-in demo" : file;
  return [
    `\n  Vitrine ${VERSION}   ${isDemo ? "no settings found: the demo product stands in" : file}\n`,
    ...rows,
    ...sourcesOf(settings).map(({ path, source }) => row(path, describe(source), origin)),
  ];
}

function row(path: string, value: string, origin: string): string {
  return `  ${path.padEnd(17)} ${value.padEnd(40)} ${origin}`;
}

function describe(source: SourceSettings): string {
  if ("path" in source) return `${source.from} ${source.path}`;
  if (source.from === "github") return `github ${source.repo}`;
  return `${source.from} ${new URL(source.from === "stripe" ? source.api : source.url).origin}`;
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
    if (error instanceof SettingsProblems) return error.problems;
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** What the files say is looked at as a collection would; services are not asked. */
async function fileProblems({ settings, directory }: Configuration): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, source, names } of sourcesOf(settings)) {
    if (source.from !== "file") continue;
    try {
      const { fetch, translate } = openSource(source, { names, directory, environment: {} });
      const answer = await fetch({ signal: new AbortController().signal, validators: undefined });
      if (answer !== "unchanged") for (const name of names) gate(name, translate(answer.upstream, name).payload);
    } catch (error) {
      problems.push(`${path}   ${source.path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}
