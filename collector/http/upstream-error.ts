// The error that sources throw: a message for the operator, and when to ask again.

/** The upstream could not be read. The message is in our own words and never contains a value, body, header, URL or
 * secret of the upstream's. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  /** True if a retry may help. */
  readonly isTransient: boolean;
  /** The pause that the upstream asked for. */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status, if that was the problem. */
  readonly status: number | undefined;
  /** What was skipped and why, for the dry run. */
  readonly skipped: readonly string[];

  constructor(
    message: string,
    {
      cause,
      isTransient = false,
      retryAfterMs,
      status,
      skipped = [],
    }: {
      cause?: unknown;
      isTransient?: boolean;
      retryAfterMs?: number | undefined;
      status?: number | undefined;
      skipped?: readonly string[];
    } = {},
  ) {
    super(message, { cause });
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
    this.skipped = skipped;
  }

  /** The same failure with another message. */
  withMessage(message: string): UpstreamError {
    const { isTransient, retryAfterMs, status, skipped } = this;
    return new UpstreamError(message, { cause: this, isTransient, retryAfterMs, status, skipped });
  }
}
