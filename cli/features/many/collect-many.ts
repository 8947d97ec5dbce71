// `vitrine collect DIR...`: one run in each folder. Each vendor has its own settings, store and claim, and leaves the others alone; the
// upstreams are common.
import { join } from "node:path";
import { keepWaits, readWaits, SharedUpstreams, type Wait } from "../../../collector/features/many/upstreams.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { span } from "../../../snapshots/rules.ts";
import { wordsHere } from "../../command-hints.ts";
import { EXIT, type Companions, type Context } from "../../command.ts";
import { collectOnce } from "../../commands/collecting.ts";
import { openLog, type Log, type LogEvent } from "../../output/log.ts";
import { messageOf } from "../../output/terminal.ts";
import { wrapped } from "../status/status-table.ts";
import { configure, type Configuration } from "../../settings/configure.ts";
import { withStore } from "../../with-store.ts";
import { eachInTurn, failureOf, foldersOf, worstOf, type Folder } from "./folders.ts";

interface Vendor extends Folder {
  log: Log;
  configuration: Configuration;
  /** What it waited for before this run. */
  waits: readonly Wait[];
}

/** In the order of the report. */
const RESULTS = ["changed", "confirmed", "held", "failed", "waiting", "skipped"] as const;

interface Collected extends Folder {
  code: number;
  result: (typeof RESULTS)[number];
  waits: readonly Wait[];
}

export async function run(context: Context): Promise<number> {
  const started = performance.now();
  const opened = apart(await eachInTurn(foldersOf(context, "collect"), (folder) => open(folder, context)));
  const vendors = opened.filter((one) => "configuration" in one);
  const upstreams = new SharedUpstreams(vendors.flatMap(({ waits }) => waits));
  const companions = await context.companions();
  const { stop } = context;
  const collected = await eachInTurn(upstreams.inOrder(vendors), (vendor) =>
    collectOne(vendor, { upstreams, companions, stop }),
  );
  const all = [...opened.filter((one) => "code" in one), ...collected];
  for (const line of reportOf(all, performance.now() - started, context.terminal.width)) context.terminal.out(line);
  return worstOf(all.map(({ code }) => code));
}

/** Reads the settings of a folder and what it waits for. If that fails, says why. */
async function open(folder: Folder, context: Context): Promise<Vendor | Collected> {
  const log = logOf(folder, context.terminal);
  try {
    const configuration = configure({ flags: {}, environment: context.environment, directory: folder.path });
    const waits = await withStore(configuration, ({ store }) => readWaits(store));
    return { ...folder, log, configuration, waits };
  } catch (error) {
    return failed(folder, log, error);
  }
}

/** Refuses each that has the store of an earlier one: a run skips what another one holds. */
function apart(opened: readonly (Vendor | Collected)[]): (Vendor | Collected)[] {
  const holders = new Map<string, Vendor>();
  return opened.map((one) => {
    if (!("configuration" in one)) return one;
    const { file, location } = one.configuration;
    const holder = holders.get(location);
    holders.set(location, holder ?? one);
    const problem = `snapshots   is the place of those of ${holder?.name}: give each folder its own`;
    return holder ? failed(one, one.log, new SettingsProblems(file, [problem])) : one;
  });
}

async function collectOne(
  vendor: Vendor,
  { upstreams, ...opened }: { upstreams: SharedUpstreams; companions: Companions; stop: AbortSignal },
): Promise<Collected> {
  const { name, path, log, configuration, waits: earlier } = vendor;
  const { stop } = opened;
  const places = upstreams.placesFor(earlier);
  if (stop.aborted) return { name, path, code: EXIT.failed, result: "skipped", waits: earlier };
  const config = ["--config", join(name, configuration.file)];
  try {
    return await wordsHere.run(config, () =>
      withStore(configuration, async (facts) => {
        const work = () => collectOnce(configuration, facts, { log, ...opened });
        const { result, waits } = await upstreams.share({ earlier, places, stop }, work);
        const warn = (error: unknown) => log.warn(`what it waits for could not be kept: ${messageOf(error)}`);
        if (result.code !== EXIT.busy) await keepWaits(facts.store, waits, earlier).catch(warn);
        return { name, path, code: result.code, result: resultOf(result, waits), waits };
      }),
    );
  } catch (error) {
    return failed(vendor, log, error);
  }
}

function failed({ name, path }: Folder, log: Log, error: unknown): Collected {
  const { code, problems } = failureOf(error);
  for (const problem of problems) log.fail(problem);
  return { name, path, code, result: "failed", waits: [] };
}

function resultOf(
  { code, outcomes = [] }: Awaited<ReturnType<typeof collectOnce>>,
  waits: readonly Wait[],
): Collected["result"] {
  if (code === EXIT.busy) return "skipped";
  if (waits.length > 0 || outcomes.some((one) => one.result === "failed" && one.isPaused)) return "waiting";
  const results = ["failed", "held", "changed", "confirmed"] as const;
  return results.find((result) => outcomes.some((one) => one.result === result)) ?? "failed";
}

/** Prefixes each line with the folder, and leaves out what the report counts: what is as before, and who waits. */
function logOf({ name }: Folder, terminal: Context["terminal"]): Log {
  const prefixed = (text: string) => text.replaceAll(/^(?=.)/gm, `${name}: `);
  const log = openLog(
    {
      ...terminal,
      isScreen: { out: false, err: false },
      out: (text) => terminal.out(prefixed(text)),
      err: (text) => terminal.err(prefixed(text)),
    },
    "text",
  );
  return { ...log, out: (event) => (isCounted(event) ? undefined : log.out(event)) };
}

/** Of the failures, only a pause has a remedy. */
function isCounted({ fields: { result, remedy, notes } }: LogEvent): boolean {
  return (result === "failed" && remedy !== undefined) || (result === "confirmed" && notes === undefined);
}

/** How many there are of each result, and who waits for which host until when. */
function reportOf(all: readonly Collected[], milliseconds: number, width: number): string[] {
  const counts = RESULTS.flatMap((result) => {
    const count = all.filter((one) => one.result === result).length;
    return count > 0 ? [`${count} ${result}`] : [];
  });
  const waits = all.flatMap((one) => one.waits);
  const waiting = [...new Set(waits.map(({ origin }) => origin))].map((origin) => {
    const of = (wait: Wait) => wait.origin === origin;
    const until = new Date(Math.max(...waits.filter(of).map((wait) => wait.until))).toISOString();
    const time = until.slice(0, 19).replace("T", " ");
    return { why: `for ${new URL(origin).host} until ${time} UTC`, vendors: all.filter((one) => one.waits.some(of)) };
  });
  // The pause of a run in one folder alone is known to that vendor only.
  const others = all.filter((one) => one.result === "waiting" && one.waits.length === 0);
  const lines = [...waiting, { why: "as an upstream has asked", vendors: others }].flatMap(({ why, vendors }) => {
    const text = `  waiting ${why}: ${vendors.map(({ name }) => name).join(", ")}`;
    return vendors.length > 0 ? wrapped(text, width) : [];
  });
  return [`  ${all.length} vendors: ${counts.join(", ")}, in ${span(milliseconds)}.`, ...lines];
}
