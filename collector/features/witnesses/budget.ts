// The work on witnesses is bounded, because the process does nothing else meanwhile: one part at a time, after a turn of the event loop,
// and so much CPU time for all parts of a witness. Each step takes time in proportion to its text, so a look between two is enough.
import { setImmediate } from "node:timers/promises";
import { UpstreamError } from "../../http/errors.ts";

const MAX_WORK_MS = 3_000;
const STEPS_IN_A_LOOK = 1_000;

let last: Promise<unknown> = Promise.resolve();

/** Returns what does a part of the work on one witness. `check`: to be called before each step. It throws an UpstreamError once all
 * parts together have taken too long, or the run was stopped. */
export function openBudget(signal: AbortSignal, most = MAX_WORK_MS) {
  let spent = 0;
  const work = <T>(part: (check: () => void) => T): T => {
    if (signal.aborted) throw new UpstreamError("the run was stopped");
    const [before, cpu, started] = [spent, process.cpuUsage(), performance.now()];
    // That of this thread is not known. It is at most the CPU time of the process, and at most the time that has passed.
    const look = () => {
      const { user, system } = process.cpuUsage(cpu);
      spent = before + Math.min((user + system) / 1_000, performance.now() - started);
      if (spent > most) throw new UpstreamError(`cannot be read: it takes more than ${most / 1_000} s of work`);
    };
    let steps = 0;
    const done = part(() => void (++steps % STEPS_IN_A_LOOK === 0 && look()));
    look();
    return done;
  };
  return <T>(part: (check: () => void) => T): Promise<T> => {
    const done = last.then(() => setImmediate()).then(() => work(part));
    last = done.catch(() => {});
    return done;
  };
}
