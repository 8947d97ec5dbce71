// Makes a source fail if its upstream returns a secret, for example in a link or in notes, so that it is neither published
// nor shown to the operator, neither as a fact nor as a name in a message. Both are compared in one plain form: decoded, in
// lower case, without white space and invisible characters. This finds accidents (complete copies of a secret, or cut like a
// name), not malice: a copy in another encoding, such as Base64, or in pieces passes.
import { decodeHTML } from "entities";
import { STEERING } from "../../snapshots/rules.ts";
import { secretsOf, type Environment } from "../http/request.ts";
import { UpstreamError } from "../http/errors.ts";
import type { Source } from "../source.ts";

/** Shorter values, such as a region's name, may occur in a document by themselves. */
const MIN_SECRET_LENGTH = 8;

/** Names are cut to 80 characters, some tokens are longer, and each character may be escaped as three. */
const MAX_COMPARED = 26;

const MAX_LAYERS = 3;

const MAX_DEPTH = 10;

/** Wraps a source so that it fails if a candidate contains a secret that its settings name. */
export function withoutSecrets(source: Source, settings: object, environment: Environment): Source {
  const hasSecret = secretFinder(settings, environment);
  const withoutNames = (error: unknown): never => {
    throw error instanceof UpstreamError && hasSecret([error.message, error.failure.skipped]) ? leak(error) : error;
  };
  return {
    ...source,
    async fetch(request) {
      const answer = await source.fetch(request).catch(withoutNames);
      if (answer === "unchanged" || !hasSecret(answer.validators)) return answer;
      // Without validators, the next request is unconditional.
      return { upstream: answer.upstream };
    },
    translate(upstream, name) {
      try {
        const candidate = source.translate(upstream, name);
        if (hasSecret(candidate)) throw leak();
        return candidate;
      } catch (error) {
        return withoutNames(error);
      }
    },
  };
}

/** Finds the secrets that the settings name, and the lines of those that have several, in a value of any kind. */
export function secretFinder(settings: object, environment: Environment): (value: unknown) => boolean {
  const secrets = secretsOf(settings, environment).flatMap((secret) => [secret, ...secret.split("\n")]);
  const forms = [...new Set(secrets)].flatMap((secret) => [squeezed(secret), plainForm(secret)]);
  const texts = forms.filter(({ length }) => length >= MIN_SECRET_LENGTH).map((text) => text.slice(0, MAX_COMPARED));
  return texts.length === 0 ? () => false : (value) => contains(value, texts);
}

/** Keeps the pause that the upstream asked for. */
function leak(error?: UpstreamError): UpstreamError {
  const { isTransient = false, retryAfterMs, status } = error?.failure ?? {};
  const message = "the answer contains a secret that was sent to the upstream";
  return new UpstreamError(message, { isTransient, retryAfterMs, status });
}

function contains(value: unknown, texts: readonly string[], depth = MAX_DEPTH): boolean {
  if (typeof value === "string") {
    const forms = [squeezed(value), plainForm(value)];
    return texts.some((text) => forms.some((form) => form.includes(text)));
  }
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.entries(value).some(([key, inner]) => contains(key, texts) || contains(inner, texts, depth - 1));
}

const IGNORED = new RegExp(`${STEERING.source}|[\\p{DI}\\s+\\\\]`, "gu");

/** Leaves out upper case, white space and invisible characters; plus signs, which may be spaces; and backslashes, because some
 * languages escape a slash with one. */
function squeezed(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(IGNORED, "");
}

/** Decodes the escapes of URLs, JSON and HTML, too, however many characters have one. */
function plainForm(text: string): string {
  let plain = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) plain = decodeHTML(unescaped(plain));
  return squeezed(plain);
}

const ESCAPES = /%([0-9a-f]{2})|\\u([0-9a-f]{4})/gi;

/** It decodes byte by byte: secrets are sent in headers, which are ASCII. */
function unescaped(text: string): string {
  return text.replace(ESCAPES, (_, byte: string | undefined, unit: string | undefined) =>
    String.fromCharCode(Number.parseInt(byte ?? unit ?? "", 16)),
  );
}
