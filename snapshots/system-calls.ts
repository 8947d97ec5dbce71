// The system's side of a call: the code of its error, and whether a call is under way that the system may never return from.

/** The code that Node.js puts on an error, such as `ENOENT`. Unlike the message, it contains no path. Undefined for an error
 * without a code, and for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A handler of errors: the value in place of one with such a code. @throws any other error */
export function insteadOf<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (codes.includes(errorCode(error) ?? "")) return value;
    throw error;
  };
}

let count = 0;

/** Counts an operation until it has ended; returns it. For operations that may never end: files on a volume that hangs, and
 * look-ups of host names. process.exit waits for the threads that do them, so the program must know of them to end by force. */
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
