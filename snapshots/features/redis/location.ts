// Where a store in Redis is, by its location and the variables of the environment.
import { KEY } from "../../rules.ts";
import { userInfo, type StoreEnvironment } from "../../stores/engine.ts";

/** A Redis store: `redis://` or, with TLS, `rediss://host:6379/0/acme`; `valkey` and `valkeys` mean the same. Database and name may be
 * left out. */
export interface RedisPlace {
  host: string;
  port: number;
  hasTls: boolean;
  /** 0 is the engine's default. */
  database: number;
  /** It names the hash with the values, the channel with the hints, and, followed by `#claim`, the claim. */
  name: string;
  /** The words after AUTH: a user name, if any, and a password. Empty without either. */
  credentials: string[];
}

const DEFAULT_PORT = 6379;
const DEFAULT_NAME = "vitrine";
const PATH = /^(?:\/(?<database>\d{1,5})(?:\/(?<name>[^/]+))?)?\/?$/;

export const REDIS_FORM =
  "must look like redis://host:6379/0/name or rediss://host:6379/0/name, with the number of a database and a name of letters, digits and ._:-; Sentinel, Cluster, several addresses and unix sockets are not supported; special characters of a password are percent-encoded";

/** Reads a location. User info in it replaces REDIS_USERNAME and REDIS_PASSWORD. @throws Error that quotes nothing of it. */
export function redisPlace(url: URL, { REDIS_USERNAME = "", REDIS_PASSWORD = "" }: StoreEnvironment): RedisPlace {
  const { protocol, hostname, port, pathname, search, hash } = url;
  const path = PATH.exec(pathname)?.groups;
  const { database = "0", name = DEFAULT_NAME } = path ?? {};
  const isOneHost = hostname !== "" && !hostname.includes(",");
  if (!path || !KEY.test(name) || !isOneHost || search !== "" || hash !== "") throw new Error(REDIS_FORM);
  const [user, password] = userInfo(url, REDIS_FORM) ?? [line(REDIS_USERNAME), line(REDIS_PASSWORD)];
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? DEFAULT_PORT : Number(port),
    hasTls: protocol === "rediss:" || protocol === "valkeys:",
    database: Number(database),
    name,
    credentials: user !== "" ? [user, password] : password !== "" ? [password] : [],
  };
}

/** It drops the line end that a secret from a file often has. */
function line(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}
