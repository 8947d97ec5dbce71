// Work that must end. Not AbortSignal.timeout and AbortSignal.any: what nobody else holds on to, the garbage collector
// may take away, and then the deadline never comes.

/** Runs `work` with a signal that aborts after so many milliseconds, or with `stop`. */
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
