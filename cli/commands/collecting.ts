// Collecting as `collect`, `start` and `mcp` share it: a log line for each snapshot as soon as its source has answered.
import { setTimeout as sleep } from "node:timers/promises";
import { OtherProduct, type Facts } from "../../snapshots/facts.ts";
import { needsLook, readReport } from "../../snapshots/records.ts";
import { collect, type CollectRun } from "../../collector/run/collect.ts";
import type { Outcome } from "../../collector/outcome.ts";
import type { KnownFacts } from "../../collector/run/judge.ts";
import { offsetOf, startSchedules, withRunDeadline, type Schedule } from "../../collector/run/schedule.ts";
import { memoryOf, openPublishingRun, schedulesOf } from "../../collector/settings.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import type { Store } from "../../snapshots/store.ts";
import { codeOf, EXIT, stopped, type Companions } from "../command.ts";
import { collected, crossChecked, runOver, stillAsking, note, type Log } from "../output/log.ts";
import { acceptance, errorLine, messageOf } from "../output/terminal.ts";
import { VERSION } from "../package-files.ts";
import type { Configuration } from "../settings/configure.ts";
import { settingWarnings } from "../settings/schema.ts";
import { skewWarning } from "../with-store.ts";

/** The sources of the settings, opened. */
export type Collector = ReturnType<typeof openCollector>;

type Due = Pick<KnownFacts, "mirrored"> & { due?: readonly SnapshotName[] };

/** A terminal then shows the sources that have not answered. */
const SLOW_MS = 3_000;

type Exceptions = Pick<CollectRun, "accept" | "askNow">;

/** Opens the sources; asks none before the first run. @throws SettingsProblems */
export function openCollector(
  configuration: Configuration,
  facts: Facts<Store>,
  { log, companions, accept, askNow }: Exceptions & { log: Log; companions: Companions },
) {
  const { settings } = configuration;
  const logSource = (line: string) => log.err(note("source", "info", line));
  const opened = openPublishingRun(settings, {
    ...configuration,
    base: settings.api.baseUrl,
    log: logSource,
    title: settings.api.name,
    acceptance,
    warn: log.warn,
    onCrossCheck(checked) {
      const event = crossChecked(checked);
      if (event) log.out(event);
    },
  });
  for (const warning of settingWarnings(configuration)) log.warn(warning);
  const common = {
    ...opened,
    facts,
    memory: memoryOf(settings, VERSION),
    accept,
    askNow,
    onHookFailure: (name: string, reason: string) =>
      log.warn(`${name} failed after the run: ${reason}; the next run tries again`),
  };
  return {
    due: schedulesOf(settings),
    /** How long after its slots this installation collects, in ms. */
    offset: offsetOf(settings.product ?? settings.api.name),
    /** One run over the sources of the due snapshots. `onEnd` gets its duration in ms; a skipped run does not call it. */
    async run(signal: AbortSignal, onEnd: (ms: number) => void, { due = SNAPSHOT_NAMES, mirrored }: Due = {}) {
      const started = performance.now();
      const known = { isSample: companions.isSample, mirrored };
      const sources = opened.sources.filter(({ names }) => names.some((name) => due.includes(name)));
      const pending = new Set(due);
      const onOutcome = (outcome: Outcome) => {
        pending.delete(outcome.name);
        log.out(collected(outcome));
      };
      const slow = setTimeout(() => {
        // A person wonders whether anything happens; a log has the milliseconds of each source in the end.
        if (log.isScreen && pending.size > 0) log.out(stillAsking(pending, SLOW_MS));
      }, SLOW_MS);
      const outcomes = await collect({ ...common, onOutcome, sources, known, signal }).finally(() =>
        clearTimeout(slow),
      );
      if (outcomes === "busy") log.err(note("run", "warn", "another collector holds these snapshots; run skipped"));
      else onEnd(performance.now() - started);
      const remarks = await companions.remarks(facts, configuration);
      for (const text of [...remarks, await skewWarning(facts.store)]) if (text !== undefined) log.warn(text);
      return outcomes;
    },
    /** Of a run as a whole. */
    logFailure(error: unknown) {
      const message = `collecting into ${settings.snapshots} failed: ${messageOf(error)}`;
      log.err(note("run", "error", message, errorLine(message)));
    },
    log,
  };
}

/** One run. Without outcomes, it was skipped, or has failed as a whole. */
export async function collectOnce(
  configuration: Configuration,
  facts: Facts<Store>,
  { stop, ...opened }: Exceptions & { log: Log; companions: Companions; stop: AbortSignal },
): Promise<{ code: number; outcomes?: readonly Outcome[] }> {
  const { log } = opened;
  const collector = openCollector(configuration, facts, opened);
  // A script gets a line for each snapshot and each cross-check to look at, and nothing else.
  const logEnd = (milliseconds: number) => void (log.isScreen && log.out(runOver({ milliseconds })));
  const run = withRunDeadline(stop, (signal) => collector.run(signal, logEnd));
  const outcomes = await run.catch((error: unknown) => {
    if (error instanceof OtherProduct) throw error;
    collector.logFailure(error);
  });
  if (outcomes === undefined) return { code: EXIT.failed };
  if (outcomes === "busy") return { code: EXIT.busy };
  const code = codeOf(outcomes.map(({ result }) => result));
  const { crossChecks = [] } = (await readReport(facts)) ?? {};
  const disagrees = crossChecks.some(({ disagreement }) => needsLook(disagreement));
  return { code: code === EXIT.ok && disagrees ? EXIT.disagreement : code, outcomes };
}

interface ServerOfProcess {
  refresh(): Promise<void>;
  lastPayload: KnownFacts["mirrored"];
}

/** Collects now and on schedule. `server`: of this process, refreshed after each run. `isEndLogged`: whether to log a run's end. */
export function collectOnSchedule(
  { due, offset, run, logFailure, log }: Collector,
  { server, isEndLogged = () => true }: { server?: ServerOfProcess; isEndLogged?: () => boolean } = {},
): Schedule<readonly SnapshotName[]> {
  const schedule = startSchedules(
    due,
    async (signal, due) => {
      const logEnd = (milliseconds: number) => {
        if (isEndLogged()) log.out(runOver({ milliseconds, next: schedule.next() }));
      };
      await run(signal, logEnd, { due, mirrored: server?.lastPayload });
      await server?.refresh();
    },
    { onError: logFailure, offset },
  );
  return schedule;
}

/** How long a service waits for its first run before it goes on. */
const FIRST_RUN_MS = 2_000;

/** Resolves after the first run, after 2 s, or when the process is asked to stop. */
export async function firstRun({ first }: Schedule, stop: AbortSignal): Promise<void> {
  await Promise.race([first, sleep(FIRST_RUN_MS, undefined, { ref: false }), stopped(stop)]);
}
