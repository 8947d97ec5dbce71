// `vitrine check`: reads the settings as every command does, tries what can be tried without fetching, shows the
// effective values and where each came from. Changes nothing; shows no secret.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { openSources, SettingsProblems } from "../../collector/config.ts";
import type { SourceSettings } from "../../collector/sources.ts";
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
  const source = isDemo ? "built-in demo" : file;
  return [
    `\n  Vitrine ${VERSION}   ${isDemo ? "no settings found: the demo product stands in" : file}\n`,
    ...rows,
    ...sourcesOf(settings).map(([path, settings]) => row(path, describe(settings), source)),
  ];
}

function row(path: string, value: string, origin: string): string {
  return `  ${path.padEnd(17)} ${value.padEnd(40)} ${origin}`;
}

function describe(source: SourceSettings): string {
  if (source.from === "file") return `file ${source.path}`;
  return `json ${new URL(source.url).origin}`;
}

function sourcesOf({ plans, releases }: Configuration["settings"]): [path: string, settings: SourceSettings][] {
  if ("from" in releases)
    return [
      ["plans", plans],
      ["releases", releases],
    ];
  return [
    ["plans", plans],
    ["releases.macos", releases.macos],
    ["releases.windows", releases.windows],
  ];
}

function openingProblems({ settings, directory, file }: Configuration, environment: Context["environment"]): string[] {
  return [
    ...problemsOf(() => openSources(settings, { directory, environment, file })),
    ...problemsOf(() => readResources(settings.api)),
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

async function fileProblems({ settings, directory }: Configuration): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, source] of sourcesOf(settings)) {
    if (source.from !== "file") continue;
    const stats = await stat(resolve(directory, source.path)).catch(() => undefined);
    if (!stats?.isFile()) problems.push(`${path}.path   there is no file at ${JSON.stringify(source.path)}`);
  }
  return problems;
}
