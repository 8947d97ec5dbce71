// Runs the collector on cron schedules: one run at the start, then one per slot. Slots are in UTC, so that no change of
// daylight saving time skips or repeats an hour. Runs never overlap. A slot missed while the computer slept runs late.
import { createTask } from "node-cron";
import { withDeadline } from "./deadline.ts";
import { SILENT_LOGGER } from "./settings/cron.ts";

export interface Schedule {
  /** Resolves when the run at the start is over. */
  readonly first: Promise<void>;
  /** When the next run is due; null if never. */
  next(): Date | null;
  /** Ends the schedule and the current run; resolves when both are over. */
  stop(): Promise<void>;
}

const MAX_RUN_MS = 10 * 60_000;

/** Starts a schedule for each expression and gives `run` the value of the expression that is due, one run at a time.
 * `onError` gets the error of a run that throws; the schedules go on. */
export function startSchedules<Due>(
  due: ReadonlyMap<string, Due>,
  run: (signal: AbortSignal, due: Due) => Promise<void>,
  onError: (error: unknown) => void,
): Schedule {
  let last: Promise<void> = Promise.resolve();
  const runInTurn = (signal: AbortSignal, value: Due): Promise<void> => {
    const current = last.then(() => run(signal, value));
    last = current.catch(() => {});
    return current;
  };
  const schedules = [...due].map(([expression, value]) =>
    startSchedule(expression, (signal) => runInTurn(signal, value), onError),
  );
  return {
    first: all(schedules.map(({ first }) => first)),
    next() {
      const times = schedules.map((schedule) => schedule.next()).filter((time) => time !== null);
      return times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
    },
    stop: () => all(schedules.map((schedule) => schedule.stop())),
  };
}

/** Starts one schedule. The signal that `run` gets ends the run. */
export function startSchedule(
  expression: string,
  run: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Schedule {
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  const start = (): Promise<void> =>
    (current ??= withRunDeadline(stopping.signal, run)
      .catch(onError)
      .finally(() => (current = undefined)));
  const task = createTask(expression, start, { timezone: "UTC", noOverlap: true, logger: SILENT_LOGGER });
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
export function withRunDeadline<T>(stop: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(MAX_RUN_MS, stop, run);
}

async function all(promises: readonly Promise<void>[]): Promise<void> {
  await Promise.all(promises);
}
