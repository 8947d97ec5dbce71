// Runs the collector on cron schedules: one run at the start, then one per slot. Slots are in UTC, so that no change of
// daylight saving time skips or repeats an hour. Runs never overlap. A slot missed while the computer slept runs late.
// node-cron only computes the slots. Its own timer keeps a slot that was computed by a wrong clock, so a clock set back
// stops it for as long as it was set back; and it visits every slot that a clock set ahead by years has skipped.
import { sha256 } from "../../snapshots/snapshot.ts";
import { withDeadline } from "../http/deadline.ts";
import { cronTask } from "../setting-values.ts";

export interface Schedule<Due = never> {
  /** Resolves when the runs at the start are over. */
  readonly first: Promise<unknown>;
  /** When the next run is due; null if never. */
  next(): Date | null;
  /** Adds a run that is due now, after those under way. */
  runNow(value: Due): void;
  /** The error of the last run that threw, once. */
  takeError(): unknown;
  /** Ends the schedule and the current run; resolves when both are over. */
  stop(): Promise<void>;
}

const MAX_RUN_MS = 10 * 60_000;

const TICK_MS = 1_000;
/** A wall clock that loses or gains more than this between two ticks was set. A smaller step moves a run by as much. */
const SET_MS = 2_000;

/** How far apart installations are spread that have the same schedule: all of them would ask the same hosts in the same second. */
const SPREAD_MS = 120_000;

/** Returns the offset of an installation's slots in ms, always the same for the same product. */
export function offsetOf(product: string): number {
  return Number.parseInt(sha256(product).slice(0, 8), 16) % SPREAD_MS;
}

interface ScheduleOptions {
  /** Gets the error of a run that throws; the schedule goes on. */
  onError: (error: unknown) => void;
  /** A run begins so long after each slot of the expression, in ms; if the next slot is nearer, less. */
  offset?: number;
}

/** Gives `run` the value of each expression at once, and again when it is due, one run at a time. The signal ends the run. */
export function startSchedules<Due>(
  due: ReadonlyMap<string, Due>,
  run: (signal: AbortSignal, due: Due) => Promise<void>,
  { onError, offset = 0 }: ScheduleOptions,
): Schedule<Due> {
  const stopping = new AbortController();
  const thrown: unknown[] = [];
  let last: Promise<void> = Promise.resolve();
  const runInTurn = (value: Due): Promise<void> => {
    const inTurn = () =>
      stopping.signal.aborted ? undefined : withRunDeadline(stopping.signal, (signal) => run(signal, value));
    return (last = last.then(inTurn).catch((error: unknown) => onError((thrown[0] = error))));
  };
  const schedules = [...due].map(([expression, value]) => {
    let current: Promise<void> | undefined;
    const start = (): Promise<void> => (current ??= runInTurn(value).finally(() => (current = undefined)));
    const startAgain = () => Promise.resolve(current).then(start);
    const next = nextRun(expression, offset);
    const stop = watchSlots(next, { onSlot: () => void start(), onClockSet: () => void startAgain() });
    return { first: start(), next, stop };
  });
  return {
    first: Promise.all(schedules.map(({ first }) => first)),
    next: () => schedules.flatMap(({ next }) => next() ?? []).toSorted((a, b) => Number(a) - Number(b))[0] ?? null,
    runNow: (value) => void runInTurn(value),
    takeError: () => thrown.pop(),
    async stop() {
      for (const { stop } of schedules) stop();
      stopping.abort();
      await last;
    },
  };
}

/** The function that it returns says when the next run is due; null if never. `offset`: of the runs after their slots, in ms. */
export function nextRun(expression: string, offset: number): () => Date | null {
  const task = cronTask(expression);
  return () => {
    const now = Date.now();
    const second = now - (now % 1_000);
    // The run of a slot that is over may still be to come.
    const ago = Array.from({ length: Math.ceil(offset / 1_000) }, (_, index) => second - index * 1_000);
    const last = ago.find((time) => task.match(new Date(time)));
    const slots = [...(last === undefined ? [] : [last]), ...task.getNextRuns(2).map((run) => run.getTime())];
    // Beyond the following slot, that one would be skipped.
    const runs = slots.map((slot, index) => slot + (offset % ((slots[index + 1] ?? Infinity) - slot)));
    const due = runs.find((time) => time > now);
    return due === undefined ? null : new Date(due);
  };
}

/** Calls `onSlot` when the wall clock has reached the next run. Calls `onClockSet` instead when the clock was set
 * back, or ahead over one slot or many: the last run, and one under way, is dated by a wrong clock, and the next slot
 * is another one. Returns a function that ends it. */
function watchSlots(
  next: () => Date | null,
  { onSlot, onClockSet }: { onSlot: () => void; onClockSet: () => void },
): () => void {
  const read = () => ({ wall: Date.now(), steady: performance.now() });
  let last = read();
  let slot = next();
  let timer: NodeJS.Timeout;
  const tickLater = () => {
    timer = setTimeout(tick, slot ? Math.min(TICK_MS, Math.max(1, slot.getTime() - last.wall)) : TICK_MS);
  };
  const tick = () => {
    const now = read();
    const gained = now.wall - last.wall - (now.steady - last.steady);
    const isOver = gained < -SET_MS || (slot !== null && now.wall >= slot.getTime());
    last = now;
    if (isOver) slot = next();
    tickLater();
    if (isOver) (Math.abs(gained) > SET_MS ? onClockSet : onSlot)();
  };
  tickLater();
  return () => clearTimeout(timer);
}

/** Gives a run the signal that ends it, at its deadline or with `stop`. */
export function withRunDeadline<T>(stop: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(MAX_RUN_MS, stop, run);
}
