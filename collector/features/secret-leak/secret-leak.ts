// Makes a source fail if its upstream returns a secret, for example in a link or in notes, so that it is neither published
// nor shown to the operator, neither as a fact nor as a name in a message. Both are compared in one plain form: decoded, in
// lower case, without white space and invisible characters. This finds accidents (complete copies of a secret, or cut like a
// name), not malice: a copy in another encoding, such as Base64, or in pieces passes.
import { decodeHTML } from "entities";
import { composed, STEERING } from "../../../snapshots/rules.ts";
import { secretNamesIn, type Environment } from "../../http/request.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { Source } from "../../source.ts";

/** Shorter values, such as a region's name, may occur in a document by themselves. */
const MIN_SECRET_LENGTH = 8;

/** Names are cut to 80 characters, some tokens are longer, and each character may be escaped as three. */
const MAX_COMPARED = 26;

/** Layers of escapes, such as `%252b` in a link. */
const MAX_LAYERS = 3;

/** Deeper than any payload that passes the gate. */
const MAX_DEPTH = 10;

/** Wraps a source so that it fails if a candidate contains a secret that its settings name. */
export function withoutSecrets(source: Source, settings: object, environment: Environment): Source {
  const secretIn = secretFinder(settings, environment);
  const withoutNames = (error: unknown): never => {
    if (!(error instanceof UpstreamError)) throw error;
    const secret = secretIn([error.message, error.failure.skipped]);
    throw secret === undefined ? error : leak(secret, error);
  };
  return {
    ...source,
    async fetch(request) {
      const answer = await source.fetch(request).catch(withoutNames);
      if (answer === "unchanged" || secretIn(answer.validators) === undefined) return answer;
      // Without validators, the next request is unconditional.
      return { upstream: answer.upstream };
    },
    translate(upstream, name) {
      try {
        const candidate = source.translate(upstream, name);
        const secret = secretIn(candidate);
        if (secret !== undefined) throw leak(secret);
        return candidate;
      } catch (error) {
        return withoutNames(error);
      }
    },
  };
}

/** Finds the secrets that the settings name, and the lines of those that have several, in a value of any kind: returns the
 * name of the variable that has the first. */
export function secretFinder(settings: object, environment: Environment): (value: unknown) => string | undefined {
  const secrets = secretNamesIn(settings).map((name) => ({ name, texts: comparedForms(environment[name] ?? "") }));
  const all = [...new Set(secrets.flatMap(({ texts }) => texts))];
  if (all.length === 0) return () => undefined;
  return (value) => (contains(value, all) ? secrets.find(({ texts }) => contains(value, texts))?.name : undefined);
}

function comparedForms(secret: string): string[] {
  const forms = [secret, ...secret.split("\n")].flatMap((part) => [squeezed(part), plainForm(part)]);
  return forms.filter(({ length }) => length >= MIN_SECRET_LENGTH).map((text) => text.slice(0, MAX_COMPARED));
}

/** Keeps the pause that the upstream asked for. */
function leak(name: string, error?: UpstreamError): UpstreamError {
  const { isTransient = false, retryAfterMs, status } = error?.failure ?? {};
  const message = `the answer contains a secret that was sent to the upstream: the value of ${name}`;
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
  return composed(text).toLowerCase().replace(IGNORED, "");
}

/** What colours a text in a terminal, or makes a link of it (ECMA-48: CSI and OSC). */
const TERMINAL_CODES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** Decodes the escapes of URLs, JSON and HTML, too, however many characters have one, and leaves out terminal codes. A secret within
 * such a code is in the squeezed form. */
function plainForm(text: string): string {
  let plain = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) plain = decodeHTML(unescaped(plain));
  return squeezed(plain.replace(TERMINAL_CODES, ""));
}

const ESCAPES = /%([0-9a-f]{2})|\\u([0-9a-f]{4})/gi;

/** Byte by byte: secrets are sent in headers, which are ASCII. */
function unescaped(text: string): string {
  return text.replace(ESCAPES, (_, byte: string | undefined, unit: string | undefined) =>
    String.fromCharCode(Number.parseInt(byte ?? unit ?? "", 16)),
  );
}
