// An upstream that gives a secret back, in a link, in notes or in a name, makes its source fail: neither readers nor the
// operator's terminal get to see it. It finds accidents, whole repetitions of what was sent, and no malice.
import { secretsOf, type Environment } from "../http/secrets.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { Source } from "../source.ts";

/** Shorter values, such as the name of a region, may well be words that the upstream uses by itself. */
const SHORTEST = 12;

/** Deeper than any payload goes: what is deeper will not pass the gate. */
const DEPTH = 10;

/** The source, which now fails where it repeats a secret that its settings name. */
export function discreet(source: Source, settings: object, environment: Environment): Source {
  const secrets = secretsOf(settings, environment).filter(({ length }) => length >= SHORTEST);
  const spellings = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  if (spellings.length === 0) return source;
  return {
    ...source,
    async fetch(request) {
      const answer = await source.fetch(request);
      if (answer === "unchanged" || !holds(answer.validators, spellings)) return answer;
      // Without it, the upstream is asked for the whole answer the next time.
      return { upstream: answer.upstream };
    },
    translate(upstream, name) {
      const candidate = source.translate(upstream, name);
      if (holds(candidate, spellings)) throw new UpstreamError("repeats a secret that it was sent");
      return candidate;
    },
  };
}

/** Whether any of the texts stands in a value, or in a value or a key within it. */
function holds(value: unknown, texts: readonly string[], depth = DEPTH): boolean {
  if (typeof value === "string") return texts.some((text) => value.includes(text));
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.entries(value).some(([key, inner]) => holds(key, texts) || holds(inner, texts, depth - 1));
}
