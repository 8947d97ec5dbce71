// Where a Redis store is: `redis://` or, with TLS, `rediss://host:6379/0/acme`. Database and name may be left out.
import { KEY } from "../../rules.ts";

export interface RedisPlace {
  host: string;
  port: number;
  hasTls: boolean;
  /** 0 is the engine's default. */
  database: number;
  /** Of the hash with the values, of the channel with the hints, and, followed by `#claim`, of the claim. */
  name: string;
  /** The words after AUTH: a user name, if any, and a password. Empty without either. */
  credentials: string[];
}

const DEFAULT_PORT = 6379;
const DEFAULT_NAME = "vitrine";
const PATH = /^(?:\/(?<database>\d{1,5})(?:\/(?<name>[^/]+))?)?\/?$/;

/** Reads a location. User info in it replaces REDIS_USERNAME and REDIS_PASSWORD. @throws Error that quotes nothing of it. */
export function redisPlace(
  { protocol, hostname, port, pathname, search, hash, username, password }: URL,
  { REDIS_USERNAME = "", REDIS_PASSWORD = "" }: Readonly<Record<string, string | undefined>>,
): RedisPlace {
  const path = PATH.exec(pathname)?.groups;
  const { database = "0", name = DEFAULT_NAME } = path ?? {};
  if (!path || !KEY.test(name) || hostname === "" || search !== "" || hash !== "") throw new Error(FORM);
  const hasOwn = username !== "" || password !== "";
  const [user, secret] = hasOwn ? [decoded(username), decoded(password)] : [line(REDIS_USERNAME), line(REDIS_PASSWORD)];
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? DEFAULT_PORT : Number(port),
    hasTls: protocol === "rediss:",
    database: Number(database),
    name,
    credentials: user !== "" ? [user, secret] : secret !== "" ? [secret] : [],
  };
}

const FORM =
  "must look like redis://host:6379/0/name or rediss://host:6379/0/name, with the number of a database and a name of letters, digits and ._:-; special characters of a password are percent-encoded";

/** Without the line end that a secret from a file often has. */
function line(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

/** Without the error's own words, which quote the text. @throws Error */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(FORM);
  }
}
