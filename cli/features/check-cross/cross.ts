// `vitrine check --cross`: asks every witness of `crossChecks` now; also one that has not differed for long disagrees.
import { examiner } from "../../../collector/features/witnesses/cross-check.ts";
import { openCrossChecks } from "../../../collector/features/witnesses/witnesses.ts";
import type { CrossChecked } from "../../../collector/hooks.ts";
import { publishedAfter } from "../../../collector/run/collect.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { readOwn } from "../../../snapshots/facts.ts";
import { EXIT, type Context } from "../../command.ts";
import { crossCheckText, row } from "../../output/terminal.ts";
import { configure } from "../../settings/configure.ts";
import { withReader } from "../../with-store.ts";

const MARKS = { agrees: "✔", disagrees: "✖", unasked: "!" } as const;

/** @throws SettingsProblems also if there is no witness. */
export async function run(context: Context): Promise<number> {
  const { terminal, flags, stop } = context;
  const configuration = configure(context);
  const { settings, file } = configuration;
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
