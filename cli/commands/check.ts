// `vitrine check`: reads the settings as every command does, checks all that needs no request to an upstream, and shows the
// settings that differ from their defaults, with their origins. Leaves settings and facts as they were; shows no secret.
import { kindOfStore } from "../../snapshots/open-store.ts";
import { clip } from "../../snapshots/rules.ts";
import { addressProblems } from "../checks/addresses.ts";
import { contentProblems } from "../checks/contents.ts";
import { directoryProblems } from "../checks/directory.ts";
import { checkRemoteStore } from "../checks/remote-store.ts";
import { checkSources } from "../checks/sources.ts";
import { EXIT, type Context } from "../command.ts";
import { aligned } from "../output/columns.ts";
import { problemReport, type Terminal } from "../output/terminal.ts";
import { VERSION } from "../package-files.ts";
import { configure, type Configuration } from "../settings/configure.ts";
import { effectiveSettings, type EffectiveSetting } from "../settings/effective.ts";
import { hostProblems } from "../settings/host-problems.ts";
import { literalSecretWarnings } from "../settings/literal-secrets.ts";
import { wellKnownHint } from "../settings/well-known-hint.ts";
import { typedHere } from "../typed.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, environment, flags } = context;
  const configuration = configure(context);
  const { file, isDemo } = configuration;
  const sources = await checkSources(configuration, environment);
  const store = await checkRemoteStore(configuration);
  const problems = [...sources.problems, ...(await serverProblems(configuration)), ...store.problems];
  const warnings = [...literalSecretWarnings(configuration.settings), ...sources.warnings];
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
  for (const hint of [sources.hint, wellKnownHint(configuration), store.hint]) {
    if (hint !== undefined) terminal.out(`\n  ${terminal.style("dim", hint)}`);
  }
  for (const warning of warnings) terminal.err(`${terminal.style("yellow", "!")} ${warning}`);
  if (problems.length > 0) terminal.err(problemReport(terminal, `not ready: ${file}`, problems));
  else terminal.out(`\n  ${terminal.style("green", "✔")} ready: ${typedHere(next)}`);
  return code;
}

async function serverProblems(configuration: Configuration): Promise<string[]> {
  return [
    ...contentProblems(configuration.settings.api),
    ...(await hostProblems(configuration)),
    ...(await addressProblems(configuration)),
    ...(await directoryProblems(configuration)),
  ];
}

/** The settings that differ from their defaults, or all. */
function settingLines({ style }: Terminal, settings: readonly EffectiveSetting[], isAll: boolean): string[] {
  const shown = settings.filter(({ isDefault }) => isAll || !isDefault);
  const rows = aligned(shown.map(({ path, value, origin }) => [path, clip(value, 60, "…"), origin]));
  const others = settings.length - shown.length;
  const rest = `\n  ${style("dim", `${others} others have their defaults: ${typedHere("check --all")}`)}`;
  return [...rows.map((row) => `  ${row}`), ...(others > 0 ? [rest] : [])];
}
