// A deadline for work. AbortSignal.timeout and AbortSignal.any are not used: if nothing else references their signals,
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
