// `vitrine check`: reads the settings as every command does, checks all that needs no request to an upstream, and shows the
// settings that differ from their defaults, with their origins; with --cross it asks the cross-checks instead. Changes nothing and
// shows no secret.
import { clip } from "../../snapshots/rules.ts";
import { kindOfStore } from "../../snapshots/stores/open-store.ts";
import { hostProblems, portProblems, wellKnownHint } from "../checks/addresses.ts";
import { contentProblems, schemaWarnings } from "../checks/contents.ts";
import { checkSources } from "../checks/sources.ts";
import { checkStore } from "../checks/store.ts";
import { typedHere } from "../command-hints.ts";
import { EXIT, type Context } from "../command.ts";
import { askWitnesses } from "./cross.ts";
import { aligned, problemReport, warningLine, type Terminal } from "../output/terminal.ts";
import { VERSION } from "../package-files.ts";
import { configure } from "../settings/configure.ts";
import { effectiveSettings, type EffectiveSetting } from "../settings/effective.ts";
import { lastCopyProblem } from "../with-store.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, flags } = context;
  const configuration = configure(context);
  if (flags.cross === true) return askWitnesses(configuration, context);
  const { file, isDemo } = configuration;
  const sources = await checkSources(configuration);
  const warnings = [...sources.warnings, ...schemaWarnings(configuration)];
  const store = await checkStore(configuration);
  const problems = [
    ...sources.problems,
    ...contentProblems(configuration.settings.api),
    ...(await hostProblems(configuration)),
    ...(await portProblems(configuration)),
    ...[lastCopyProblem(configuration)].filter((problem) => problem !== undefined),
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

function settingLines({ style }: Terminal, settings: readonly EffectiveSetting[], isAll: boolean): string[] {
  const shown = settings.filter(({ isDefault }) => isAll || !isDefault);
  const rows = aligned(shown.map(({ path, value, origin }) => [path, clip(value, 60, "…"), origin]));
  const others = settings.length - shown.length;
  const rest = `\n  ${style("dim", `${others} others have their defaults: ${typedHere("check --all")}`)}`;
  return [...rows.map((row) => `  ${row}`), ...(others > 0 ? [rest] : [])];
}
