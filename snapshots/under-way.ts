// Operations that may never end, because the system does not return from them: files on a volume that hangs, and threads that
// wait for such files. process.exit waits for them, too, so the program must know of them to end by force.
let count = 0;

/** Counts an operation until it has ended; returns it. */
export function underWay<T>(operation: Promise<T>): Promise<T> {
  count++;
  const end = () => void count--;
  operation.then(end, end);
  return operation;
}

/** Whether process.exit would wait. */
export function isUnderWay(): boolean {
  return count > 0;
}
