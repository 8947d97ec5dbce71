// Says what to do about a status with which an upstream refuses. The words depend on the kind of source, and on whether it sends a secret.
import { UpstreamError } from "../../http/errors.ts";

/** What follows the status in the message. */
export type Hints = Readonly<Partial<Record<number, string>>>;

/** @throws the error, with the hint for its status if there is one */
export function explain(error: unknown, hints: Hints): never {
  if (!(error instanceof UpstreamError)) throw error;
  // A refusal with a pause is a rate limit, and its message is already clear.
  const { retryAfterMs, status = 0 } = error.failure;
  const hint = retryAfterMs === undefined ? hints[status] : undefined;
  throw hint === undefined ? error : error.withMessage(`answered ${status}${hint}`);
}

/** The hints for a document that is asked for with these headers of the settings. */
export function documentHints(headers: Record<string, string> = {}): Hints {
  if (Object.keys(headers).length === 0) {
    const wanted = ': it asks for a token, which "headers" may send';
    return { 401: wanted, 403: wanted, 404: ": nothing is at this address" };
  }
  const bare = Object.entries(headers).find(([name, value]) => /^authorization$/i.test(name) && /^\$\w+$/.test(value));
  return {
    401: `: the secret in "headers" is wrong or has expired${bare ? `, or needs "Bearer ${bare[1]}"` : ""}`,
    403: ': the secret in "headers" may not read this',
    404: ': nothing is at this address, or the secret in "headers" may not see it',
  };
}
