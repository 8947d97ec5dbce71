// Deadlines for work. AbortSignal.timeout and AbortSignal.any are not used: if nothing else references their signals,
// they can be garbage-collected, and then they never abort.

/** Runs `work` with a signal that aborts after `milliseconds`, or with `stop`. */
export async function withDeadline<T>(
  milliseconds: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, milliseconds);
  stop.addEventListener("abort", end);
  if (stop.aborted) end();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}

/** Settles with `work`, or rejects when the signal aborts: for work that may notice the signal late, or never. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal, reason?: Error): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(reason ?? signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
