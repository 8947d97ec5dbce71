// Secrets are read from the environment and used in request headers only.
export type Environment = Readonly<Record<string, string | undefined>>;

const HEADER_TEXT = /^[\t\u0020-\u007e]+$/;
const REFERENCE = /^(?<scheme>[A-Za-z]+ )?\$(?<name>[A-Za-z_][A-Za-z0-9_]*)$/;

/** True for text without `$`, `$NAME` and `Scheme $NAME`. */
export function isHeaderValue(value: string): boolean {
  return !value.includes("$") || REFERENCE.test(value);
}

/** The environment variables named anywhere in the settings. */
export function secretNamesIn(settings: unknown): string[] {
  if (typeof settings === "object" && settings !== null) return Object.values(settings).flatMap(secretNamesIn);
  const name = typeof settings === "string" ? REFERENCE.exec(settings)?.groups?.name : undefined;
  return name === undefined ? [] : [name];
}

/** The values of all environment variables named anywhere in the settings, if set. */
export function secretsOf(settings: unknown, environment: Environment): string[] {
  return secretNamesIn(settings).flatMap((name) => environment[name] || []);
}

/** Replaces `$NAME` and `Scheme $NAME` with the variable's value. @throws Error with the name, never the value, of each
 * variable that is not set or has characters that a header cannot contain. */
export function secretHeaders(headers: Record<string, string>, environment: Environment): Record<string, string> {
  const problems: string[] = [];
  const resolved = Object.entries(headers).map(([header, value]) => {
    const { scheme = "", name } = REFERENCE.exec(value)?.groups ?? {};
    if (name === undefined) return [header, value];
    const secret = environment[name] ?? "";
    if (secret === "") problems.push(`the environment variable ${name} is not set`);
    else if (!HEADER_TEXT.test(secret))
      problems.push(`the environment variable ${name} contains characters that a header cannot`);
    return [header, scheme + secret];
  });
  if (problems.length > 0) throw new Error(problems.join("; "));
  return Object.fromEntries(resolved);
}
