// `vitrine check`: reads the settings as every command does, checks all that needs no request to an upstream, and shows the
// settings that differ from their defaults, with their origins. Changes nothing and shows no secret.
// after: api-files, kinds, versions
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compareVersions } from "../../../collector/features/versions/version.ts";
import { clip, parseUrl } from "../../../snapshots/rules.ts";
import { kindOfStore } from "../../../snapshots/stores/open-store.ts";
import { portProblems, wellKnownHint } from "./addresses.ts";
import { checkSources } from "./sources.ts";
import { checkStore } from "./store.ts";
import { unreadVariables } from "./variables.ts";
import { typedHere } from "../../command-hints.ts";
import { EXIT, type Context } from "../../command.ts";
import { askedFormat } from "../../output/log.ts";
import { aligned, problemReport, warningLine, type Terminal } from "../../output/terminal.ts";
import { SCHEMA, VERSION } from "../../package-files.ts";
import { readings } from "../../../server/features/api-files/api-files.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { OVERRIDES } from "../../settings/problems.ts";
import { settingsJsonSchema } from "../../settings/schema.ts";
import { effectiveSettings, type EffectiveSetting } from "./effective.ts";
import { hostProblems } from "../../settings/hosts.ts";
import { problemsOf } from "../../settings/problems.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, flags } = context;
  const configuration = configure(context);
  const { file, isDemo } = configuration;
  const companions = await context.companions();
  const sources = await checkSources(configuration, companions);
  const warnings = [...sources.warnings, ...schemaWarnings(configuration)];
  const variables = OVERRIDES.map(({ variable }) => variable);
  warnings.push(...unreadVariables(configuration, settingsJsonSchema, { variables, told: warnings.join() }));
  const store = await checkStore(configuration);
  const problems = [
    ...sources.problems,
    ...readings(configuration.settings.api).flatMap(problemsOf),
    ...(await hostProblems(configuration)),
    ...(await portProblems(configuration)),
    ...companions.problems(configuration),
    ...problemsOf(() => askedFormat(context)),
    ...store.problems,
  ];
  const settings = effectiveSettings(configuration);
  const code = problems.length > 0 ? EXIT.settings : EXIT.ok;
  const next = store.access === "read" ? "serve" : "start";
  if (flags.json === true) {
    const checked = { kind: kindOfStore(configuration.settings.snapshots), access: store.access };
    const found = { file: isDemo ? null : file, settings, store: checked, problems, warnings };
    terminal.out(JSON.stringify(found, null, 2));
    return code;
  }
  terminal.out(`\n  Vitrine ${VERSION}   ${isDemo ? "demo product, no settings read" : file}\n`);
  for (const line of settingLines(terminal, settings, flags.all === true)) terminal.out(line);
  for (const hint of [wellKnownHint(configuration), store.hint]) {
    if (hint !== undefined) terminal.out(`\n  ${terminal.style("dim", hint)}`);
  }
  for (const warning of warnings) terminal.err(warningLine(warning));
  if (problems.length > 0) terminal.err(problemReport(`not ready: ${file}`, problems));
  else terminal.out(`\n  ✔ ready: ${typedHere(next)}`);
  return code;
}

/** A warning if the copy of the schema that `init` has written is older than the program. */
function schemaWarnings({ given: { $schema: name }, directory }: Configuration): string[] {
  if (typeof name !== "string" || parseUrl(name)) return [];
  const path = resolve(directory, name);
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const version = /"\$comment": "Vitrine (\S+)"/.exec(text ?? "")?.[1] ?? "0";
  if (compareVersions(version, VERSION) >= 0) return [];
  const problem = text === undefined ? "does not exist" : "is older than the program";
  return [`$schema: ${name} ${problem}: your editor needs a copy of ${fileURLToPath(SCHEMA)}`];
}

function settingLines({ style }: Terminal, settings: readonly EffectiveSetting[], isAll: boolean): string[] {
  const shown = settings.filter(({ isDefault }) => isAll || !isDefault);
  const rows = aligned(shown.map(({ path, value, origin }) => [path, clip(value, 60, "…"), origin]));
  const others = settings.length - shown.length;
  const rest = `\n  ${style("dim", `${others} others have their defaults: ${typedHere("check --all")}`)}`;
  return [...rows.map((row) => `  ${row}`), ...(others > 0 ? [rest] : [])];
}
