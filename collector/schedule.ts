// Runs of the collector on a cron schedule: one at once, then one a slot, in UTC so that no hour is ever skipped, never
// two at a time. A slot that was missed (the computer slept) is made up for.
import { withDeadline } from "./deadline.ts";
import { createTask } from "node-cron";
import { SILENT_LOGGER } from "./settings/cron.ts";

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

/** Starts running. `run` gets a signal that ends it; `failed` is told when it throws, and the schedule goes on. */
export function startSchedule(
  expression: string,
  run: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): Schedule {
  const stopping = new AbortController();
  let current: Promise<void> | undefined;
  const start = (): Promise<void> =>
    (current ??= withRunDeadline(stopping.signal, run)
      .catch(failed)
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
  return withDeadline(DEADLINE, stop, run);
}

/** Starts a schedule for each expression; `run` gets what is due. `first`, `next` and `stop` are of all of them. */
export function startSchedules<Due>(
  due: ReadonlyMap<string, Due>,
  run: (signal: AbortSignal, due: Due) => Promise<void>,
  failed: (error: unknown) => void,
): Schedule {
  let last: Promise<void> = Promise.resolve();
  const inTurn = (signal: AbortSignal, what: Due): Promise<void> => {
    const mine = last.then(() => run(signal, what));
    last = mine.catch(() => {});
    return mine;
  };
  const schedules = [...due].map(([expression, what]) =>
    startSchedule(expression, (signal) => inTurn(signal, what), failed),
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

async function all(promises: readonly Promise<void>[]): Promise<void> {
  await Promise.all(promises);
}
