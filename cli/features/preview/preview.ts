// Collects once into a directory of its own, which is removed again, and writes the page that a server would make of it. The store of the
// settings is not touched: nothing is published, held or compared, and the page has no history.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { collect } from "../../../collector/run/collect.ts";
import { withRunDeadline } from "../../../collector/run/schedule.ts";
import { openRun } from "../../../collector/settings.ts";
import { readApiFiles } from "../../../server/features/api-files/api-files.ts";
import { handlerOver } from "../../../server/features/edge/over-store.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { codeOf, EXIT, Refused, type Context } from "../../command.ts";
import { collected, openLog } from "../../output/log.ts";
import { warningLine } from "../../output/terminal.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { withStore } from "../../with-store.ts";

/** Links on the page lead nowhere without a public address. */
const NO_BASE = "http://localhost:3000";

/** @throws Refused if the file cannot be written */
export async function run(context: Context): Promise<number> {
  const { terminal, flags, directory, stop } = context;
  const configuration = configure(context);
  const { settings } = configuration;
  const file = String(flags.page);
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-page-"));
  try {
    const code = await withStore({ ...configuration, location: scratch, trust: undefined }, async (facts) => {
      const log = openLog(terminal, "text");
      const opened = openRun(settings, { ...configuration, base: settings.api.baseUrl });
      const onOutcome: Parameters<typeof collect>[0]["onOutcome"] = (outcome) => log.out(collected(outcome));
      const known = await context.companions();
      const outcomes = await withRunDeadline(stop, (signal) =>
        collect({ ...opened, hooks: [], signing: undefined, facts, known, onOutcome, signal }),
      );
      return outcomes === "busy" ? EXIT.busy : codeOf(outcomes.map(({ result }) => result));
    });
    await write(resolve(directory, file), file, await pageOf(configuration, scratch, terminal));
    terminal.out(`  ✔ ${file} written: the page as it would be; nothing is published`);
    return code;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function pageOf(
  { settings: { api, product, share } }: Configuration,
  scratch: string,
  terminal: Context["terminal"],
): Promise<string> {
  const base = api.baseUrl ?? NO_BASE;
  const warn = (text: string) => terminal.err(warningLine(text));
  const served = { api, product, trust: undefined, base, ...readApiFiles(api), share, warn };
  const answer = await handlerOver(
    openStore(scratch, {}),
    served,
  )(new Request(base, { headers: { accept: "text/html" } }));
  return answer.text();
}

async function write(path: string, name: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new Refused(`${name} cannot be written (${errorCode(error) ?? "unknown error"})`, EXIT.failed);
  }
}
