// Makes a source fail if its upstream returns a secret, for example in a link or in notes, so that it is neither published
// nor shown to the operator, neither as a fact nor as a name in a message. This finds accidents (complete copies of a
// secret, or cut like a name), not malice.
import { secretsOf, type Environment } from "../http/secrets.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { Source } from "../source.ts";

/** Shorter values, such as a region's name, may occur in a document by themselves. */
const MIN_SECRET_LENGTH = 12;

/** Names are cut to 80 characters, and some tokens are longer. */
const MAX_COMPARED = 40;

/** Deeper than any payload that passes the gate. */
const MAX_DEPTH = 10;

/** Wraps a source so that it fails if a candidate contains a secret that its settings name. */
export function withoutSecrets(source: Source, settings: object, environment: Environment): Source {
  const secrets = secretsOf(settings, environment).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const spellings = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .map((text) => text.slice(0, MAX_COMPARED));
  if (spellings.length === 0) return source;
  const withoutNames = (error: unknown): never => {
    throw error instanceof UpstreamError && contains([error.message, error.skipped], spellings) ? leak(error) : error;
  };
  return {
    ...source,
    async fetch(request) {
      const answer = await source.fetch(request).catch(withoutNames);
      if (answer === "unchanged" || !contains(answer.validators, spellings)) return answer;
      // Without validators, the next request is unconditional.
      return { upstream: answer.upstream };
    },
    translate(upstream, name) {
      try {
        const candidate = source.translate(upstream, name);
        if (contains(candidate, spellings)) throw leak();
        return candidate;
      } catch (error) {
        return withoutNames(error);
      }
    },
  };
}

/** Keeps the pause that the upstream asked for. */
function leak({ isTransient = false, retryAfterMs, status }: Partial<UpstreamError> = {}): UpstreamError {
  const message = "the answer contains a secret that was sent to the upstream";
  return new UpstreamError(message, { isTransient, retryAfterMs, status });
}

/** Whether a value, or a key or value within it, contains any of the texts. */
function contains(value: unknown, texts: readonly string[], depth = MAX_DEPTH): boolean {
  if (typeof value === "string") return texts.some((text) => value.includes(text));
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.entries(value).some(([key, inner]) => contains(key, texts) || contains(inner, texts, depth - 1));
}
