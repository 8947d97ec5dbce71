// Sources on schedules of their own: one schedule for each cron expression, their runs one after another, because a store
// has room for one collector at a time.
import { startSchedule, type Schedule } from "./schedule.ts";

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
