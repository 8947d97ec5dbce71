// What a source throws, and all that is known of a failure: words for the operator, and when to ask again.

/** The upstream did not give what was asked. The message says what was wrong in our words only: no value, body,
 * header, address or secret of the upstream's ever stands in it. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  /** True when trying again may help. */
  readonly isTransient: boolean;
  /** How long the upstream asked us to stay away, milliseconds. */
  readonly retryAfter: number | undefined;
  /** The status that it answered with, when that was what was wrong. */
  readonly status: number | undefined;

  constructor(
    message: string,
    {
      cause,
      isTransient = false,
      retryAfter,
      status,
    }: { cause?: unknown; isTransient?: boolean; retryAfter?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message, { cause });
    this.isTransient = isTransient;
    this.retryAfter = retryAfter;
    this.status = status;
  }

  /** The same failure in other words: when to ask again is still known. */
  withMessage(message: string): UpstreamError {
    const { isTransient, retryAfter, status } = this;
    return new UpstreamError(message, { cause: this, isTransient, retryAfter, status });
  }
}
