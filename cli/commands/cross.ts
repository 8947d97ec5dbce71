// `vitrine check --cross`: asks every witness of `crossChecks` now, compares what it has with the published facts, and exits with 5
// if one differs, however short. Writes nothing.
import { examineAll, publishedFacts, type CrossChecked } from "../../collector/run/cross-check.ts";
import { withRunDeadline } from "../../collector/run/schedule.ts";
import { openCrossChecks } from "../../collector/settings.ts";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { readOwn } from "../../snapshots/snapshot.ts";
import { EXIT, type Context } from "../command.ts";
import { crossCheckText, row } from "../output/terminal.ts";
import type { Configuration } from "../settings/configure.ts";
import { withReader } from "../with-store.ts";

const MARKS = { agrees: "✔", disagrees: "✖", unasked: "!" } as const;

/** @throws SettingsProblems also if there is no witness. */
export async function askWitnesses(configuration: Configuration, context: Context): Promise<number> {
  const { settings, directory, environment, file } = configuration;
  const { terminal, flags, stop } = context;
  const checks = openCrossChecks(settings, { directory, environment, file });
  if (checks.length === 0) throw new SettingsProblems(file, ["crossChecks   names nothing to compare the facts with"]);
  const checked = await withReader(configuration, async (store) => {
    const facts = publishedFacts(await readOwn(store, Date.now()), []);
    const asked = await withRunDeadline(stop, (signal) => examineAll(checks, store, { facts, signal }));
    const unpublished = checks.flatMap(({ names, witness }) =>
      names
        .filter((name) => !facts.has(name))
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
