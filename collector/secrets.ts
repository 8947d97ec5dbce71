// Secrets come from the environment and go into request headers, nowhere else.
export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^(?<scheme>[A-Za-z]+ )?\$(?<name>[A-Za-z_][A-Za-z0-9_]*)$/;

/** Replaces `$NAME` and `Scheme $NAME` by the variable's value. @throws Error naming the variable that is not set or
 * cannot stand in a header, never its value. */
export function secretHeaders(headers: Record<string, string>, environment: Environment): Record<string, string> {
  const resolved = Object.entries(headers).map(([header, value]) => {
    const { scheme = "", name } = REFERENCE.exec(value)?.groups ?? {};
    return [header, name === undefined ? value : scheme + secret(name, environment)];
  });
  return Object.fromEntries(resolved);
}

/** Names of the environment variables that the headers ask for. */
export function secretNames(headers: Record<string, string>): string[] {
  return Object.values(headers).flatMap((value) => REFERENCE.exec(value)?.groups?.name ?? []);
}

function secret(name: string, environment: Environment): string {
  const value = environment[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  if (!/^[\t\u0020-\u007e]+$/.test(value))
    throw new Error(`the environment variable ${name} has characters that no header can carry`);
  return value;
}
