// `vitrine collect --dry-run`: asks every source, and prints what a run would do; writes nothing.
import { dryRun } from "../../../collector/features/dry-run/dry-run.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { openRun } from "../../../collector/settings.ts";
import { codeOf, type Context } from "../../command.ts";
import { factsNamed } from "../../fact-names.ts";
import { acceptance, warningLine } from "../../output/terminal.ts";
import { configure } from "../../settings/configure.ts";
import { settingWarnings } from "../../settings/schema.ts";
import { withStore } from "../../with-store.ts";
import { findingLines } from "./dry-run-lines.ts";

export async function run(context: Context): Promise<number> {
  const { terminal, flags, stop } = context;
  const configuration = configure(context);
  const { settings } = configuration;
  const accept = factsNamed(flags.accept);
  const findings = await withStore(configuration, async (facts) => {
    const log = (line: string) => terminal.err(`  ${line}`);
    for (const warning of settingWarnings(configuration)) terminal.err(warningLine(warning));
    const known = await context.companions();
    const opened = openRun(settings, { ...configuration, base: settings.api.baseUrl, log });
    return withRunDeadline(stop, (signal) => dryRun({ ...opened, facts, known, accept, signal }));
  });
  if (flags.json === true) {
    const shown = findings.map((one) => (one.result === "held" ? { ...one, remedy: acceptance(one.name) } : one));
    terminal.out(JSON.stringify({ findings: shown }, null, 2));
  } else for (const finding of findings) terminal.out(findingLines(terminal, finding));
  return codeOf(findings.map(({ result }) => result));
}
