// The settings of a request to an upstream, shared by all sources that make requests. Secrets are read from the
// environment, and used in request headers and in the variables of a vendor's own program only.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../snapshots/rules.ts";
import { duration } from "../setting-values.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables are replaced in headers only: in a URL the reference itself would be sent. */
export const upstreamUrl = z
  .string()
  .refine((text) => isSafeUrl(parseUrl(text)), "must be an https URL without user name (http only on this computer)")
  .refine((text) => !/\$\{[a-z]/.test(text), "must have no placeholder such as ${os}: write what stands for it")
  .refine(
    (text) => !/\$(?:[A-Za-z_]|\{(?![a-z]))/.test(text),
    'must have no "$NAME", which is replaced in headers only; write %24 for a dollar sign',
  );

/** That of a file, and not the page about it. */
export const documentUrl = upstreamUrl.refine(
  (url) => !/^https:\/\/git(?:hub|lab)\.com\/[^?#]*\/blob\//.test(url),
  "is the page about a file: write /raw/ in place of /blob/",
);

/** The beginning of the URLs of an upstream's API. */
export const upstreamBase = upstreamUrl.refine((url) => !/[?#]/.test(url), "must have no query and no fragment");

/** Values from the settings would break the request, its framing or its conditions. */
const RESERVED_HEADERS = new Set(
  `accept-encoding connection content-length expect host if-match if-modified-since if-none-match if-unmodified-since
   keep-alive range te trailer transfer-encoding upgrade`.split(/\s+/),
);

const HEADER_TEXT = /^[\t\u0020-\u007e]+$/;
const REFERENCE = /^(?<scheme>[A-Za-z]+ )?\$(?<name>[A-Za-z_][A-Za-z0-9_]*)$/;

export const requestHeaders = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, "is not a header name")
      .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), "is a header that Vitrine sets itself"),
    z
      .string()
      .regex(/^[\t\u0020-\u007e]{1,4096}$/, "must be 1 to 4096 printable ASCII characters")
      .refine(isPlainOrReference, 'use "$NAME" or "Bearer $NAME" for an environment variable'),
  )
  .describe('Request headers; "$NAME" stands for an environment variable: `{ "authorization": "Bearer $NAME" }`');

export const requestTimeout = duration("30s", "10m").describe("Total time for all requests, retries included");

/** "$NAME" and nothing else, for settings that are a secret. */
export const secretName = z
  .string()
  .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, 'use "$NAME" for an environment variable; secrets do not belong in this file');

/** The environment variables named anywhere in the settings. */
export function secretNamesIn(settings: unknown): string[] {
  if (typeof settings === "object" && settings !== null) return Object.values(settings).flatMap(secretNamesIn);
  const name = typeof settings === "string" ? REFERENCE.exec(settings)?.groups?.name : undefined;
  return name === undefined ? [] : [name];
}

/** The headers with the secrets that they refer to. @throws Error also for a variable that no header can contain. */
export function secretHeaders(headers: Record<string, string>, environment: Environment): Record<string, string> {
  return withSecrets(headers, environment, (secret) =>
    HEADER_TEXT.test(secret) ? undefined : "contains characters that a header cannot: remove line breaks and the like",
  );
}

/** Replaces `$NAME` and `Scheme $NAME` with the variable's value. @throws Error with the name, never the value, of each
 * variable that is not set, or that has a problem. */
export function withSecrets(
  values: Record<string, string>,
  environment: Environment,
  problemOf: (secret: string) => string | undefined = () => undefined,
): Record<string, string> {
  const problems: string[] = [];
  const resolved = Object.entries(values).map(([key, value]) => {
    const { scheme = "", name } = REFERENCE.exec(value)?.groups ?? {};
    if (name === undefined) return [key, value];
    const secret = environment[name] ?? "";
    const problem = secret === "" ? "is not set" : (mistakeIn(secret, scheme) ?? problemOf(secret));
    if (problem !== undefined) problems.push(`the environment variable ${name} ${problem}`);
    return [key, scheme + secret];
  });
  if (problems.length > 0) throw new Error(problems.join("; "));
  return Object.fromEntries(resolved);
}

/** True for text without `$`, `$NAME` and `Scheme $NAME`. */
export function isPlainOrReference(value: string): boolean {
  return !value.includes("$") || REFERENCE.test(value);
}

/** A secret that was not copied as it is: as a shell or a header would have it. */
function mistakeIn(secret: string, scheme: string): string | undefined {
  if (scheme !== "" && secret.startsWith(scheme)) return `begins with ${scheme}itself: remove it there`;
  if (/^\$\{?\w+\}?$/.test(secret)) return "is itself the name of a variable: give its value";
  return /^(["'`]).*\1$|^[ \t]|[ \t]$/s.test(secret) ? "has quotes or a space around it: remove them" : undefined;
}
