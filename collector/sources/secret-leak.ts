// Makes a source fail if its upstream returns a secret, for example in a link or in notes, so that it is neither published
// nor shown to the operator. This finds accidents (complete copies of a secret), not malice.
import { secretsOf, type Environment } from "../http/secrets.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { Source } from "../source.ts";

/** Shorter values, such as a region's name, may occur in a document by themselves. */
const MIN_SECRET_LENGTH = 12;

/** Deeper than any payload that passes the gate. */
const MAX_DEPTH = 10;

/** Wraps a source so that it fails if a candidate contains a secret that its settings name. */
export function withoutSecrets(source: Source, settings: object, environment: Environment): Source {
  const secrets = secretsOf(settings, environment).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  if (spellings.length === 0) return source;
  return {
    ...source,
    async fetch(request) {
      const answer = await source.fetch(request);
      if (answer === "unchanged" || !contains(answer.validators, spellings)) return answer;
      // Without validators, the next request is unconditional.
      return { upstream: answer.upstream };
    },
    translate(upstream, name) {
      const candidate = source.translate(upstream, name);
      if (contains(candidate, spellings))
        throw new UpstreamError("the answer contains a secret that was sent to the upstream");
      return candidate;
    },
  };
}

/** Whether a value, or a key or value within it, contains any of the texts. */
function contains(value: unknown, texts: readonly string[], depth = MAX_DEPTH): boolean {
  if (typeof value === "string") return texts.some((text) => value.includes(text));
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.entries(value).some(([key, inner]) => contains(key, texts) || contains(inner, texts, depth - 1));
}
