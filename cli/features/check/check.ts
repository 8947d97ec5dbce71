// `vitrine check`: reads the settings as every command does, checks all that needs no request to an upstream, and shows the
// settings that differ from their defaults, with their origins; with --cross it asks the cross-checks instead. Changes nothing and
// shows no secret.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compareVersions } from "../../../collector/parsing/version.ts";
import { examiner } from "../../../collector/features/witnesses/cross-check.ts";
import { openCrossChecks } from "../../../collector/features/witnesses/witnesses.ts";
import { publishedAfter } from "../../../collector/run/collect.ts";
import type { CrossChecked } from "../../../collector/hooks.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { clip, parseUrl } from "../../../snapshots/rules.ts";
import { readOwn } from "../../../snapshots/facts.ts";
import { kindOfStore } from "../../../snapshots/stores/open-store.ts";
import { hostProblems, portProblems, wellKnownHint } from "./addresses.ts";
import { contentProblems } from "./contents.ts";
import { checkSources } from "./sources.ts";
import { checkStore } from "./store.ts";
import { typedHere } from "../../command-hints.ts";
import { EXIT, type Context } from "../../command.ts";
import { aligned, crossCheckText, problemReport, row, warningLine, type Terminal } from "../../output/terminal.ts";
import { SCHEMA, VERSION } from "../../package-files.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { effectiveSettings, type EffectiveSetting } from "./effective.ts";
import { lastCopyProblem, withReader } from "../../with-store.ts";

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

const MARKS = { agrees: "✔", disagrees: "✖", unasked: "!" } as const;

/** Asks every witness of `crossChecks` now: also one that has not differed for long disagrees.
 * @throws SettingsProblems also if there is no witness. */
async function askWitnesses(configuration: Configuration, context: Context): Promise<number> {
  const { settings, file } = configuration;
  const { terminal, flags, stop } = context;
  const checks = openCrossChecks(settings, configuration);
  const examine = examiner(checks);
  if (checks.length === 0) throw new SettingsProblems(file, ["crossChecks   names nothing to compare the facts with"]);
  const checked = await withReader(configuration, async (facts) => {
    const published = publishedAfter(await readOwn(facts), []);
    const asked = await withRunDeadline(stop, (signal) => examine({ published, facts, signal }));
    const unpublished = checks.flatMap(({ names, witness }) =>
      names
        .filter((name) => !published.has(name))
        .map((name): CrossChecked => {
          return { name, witness, result: "unasked", reason: "nothing is published yet", retryAfterMs: 0 };
        }),
    );
    return [...asked, ...unpublished];
  });
  if (flags.json === true) terminal.out(JSON.stringify({ crossChecks: checked }, null, 2));
  else for (const one of checked) terminal.out(row(MARKS[one.result], one.name, crossCheckText(one)));
  if (checked.some(({ result }) => result === "disagrees")) return EXIT.disagreement;
  return checked.some(({ result }) => result === "unasked") ? EXIT.failed : EXIT.ok;
}
