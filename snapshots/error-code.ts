// The code that Node.js puts on an error, such as `ENOENT`. Unlike the message, it contains no path.

/** Undefined for an error without a code, and for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
