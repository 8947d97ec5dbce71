// Runs of the collector on a cron schedule: one at once, then one a slot, in UTC so that no hour is ever skipped, never
// two at a time. A slot that was missed (the computer slept) is made up for.
import { withDeadline } from "./deadline.ts";
import { createTask, validateDetailed, type Logger } from "node-cron";

export interface Schedule {
  /** Resolves when the run at the start is over. */
  readonly first: Promise<void>;
  /** When the next run is due; null when never again. */
  next(): Date | null;
  /** Ends the run under way and the schedule; resolves when both are over. */
  stop(): Promise<void>;
}

/** Longest run, milliseconds. */
const DEADLINE = 10 * 60_000;

const SILENT: Logger = { info() {}, warn() {}, error() {}, debug() {} };

/** What is wrong with a cron expression, or undefined when nothing is. */
export function cronProblem(expression: string): string | undefined {
  const { valid, errors } = validateDetailed(expression);
  return valid ? undefined : (errors[0]?.message ?? "not a cron expression");
}

/** The longest pause between two of the next runs of a cron expression, milliseconds. */
export function longestPause(expression: string): number {
  const runs = createTask(expression, () => {}, { timezone: "UTC", logger: SILENT }).getNextRuns(LOOKED_AHEAD);
  return Math.max(0, ...runs.slice(1).map((run, index) => run.getTime() - (runs[index]?.getTime() ?? 0)));
}

/** Enough for a week of a schedule by the hour. */
const LOOKED_AHEAD = 200;

/** Starts running. `run` gets a signal that ends it; `failed` is told when it throws, and the schedule goes on. */
export function startSchedule(
  expression: string,
  run: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): Schedule {
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  const start = (): Promise<void> =>
    (current ??= withinRunTime(stopping.signal, run)
      .catch(failed)
      .finally(() => (current = undefined)));
  const task = createTask(expression, start, { timezone: "UTC", noOverlap: true, logger: SILENT });
  task.on("execution:missed", start);
  void task.start();
  return {
    first: start(),
    next: () => task.getNextRun(),
    async stop() {
      await task.destroy();
      stopping.abort();
      await current;
    },
  };
}

/** Gives a run the signal that ends it, at its deadline or with `stop`. */
export function withinRunTime<T>(stop: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(DEADLINE, stop, run);
}
