// Where an S3 store is, and the access to it: bucket and prefix from its location, the rest from the environment, by the
// names that AWS's own programs use.
import { parseUrl } from "../../rules.ts";
import type { Credentials } from "./sign.ts";

export interface S3Place {
  /** Only its protocol, host and port count. */
  endpoint: URL;
  /** Of the bucket; ends with a slash. */
  path: string;
  /** Before each key: nothing, or text that ends with a slash. */
  prefix: string;
  region: string;
  credentials: Credentials;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that need no encoding anywhere. */
const PREFIX = /^(\/[A-Za-z0-9._-]+)*\/?$/;
const REGION = /^[a-z0-9-]+$/;
/** For services that have no regions. */
const DEFAULT_REGION = "us-east-1";

/** Reads a location and the variables. @throws Error that quotes nothing of them. */
export function s3Place(url: URL, environment: Readonly<Record<string, string | undefined>>): S3Place {
  checkUrl(url);
  const value = (...names: string[]) => firstValue(environment, names);
  const accessKeyId = value("AWS_ACCESS_KEY_ID");
  const secretAccessKey = value("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error("needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment");
  }
  const region = value("AWS_REGION", "AWS_DEFAULT_REGION");
  if (region !== undefined && !REGION.test(region))
    throw new Error("needs a region such as eu-central-1 in AWS_REGION");
  const credentials = { accessKeyId, secretAccessKey, sessionToken: value("AWS_SESSION_TOKEN") };
  const words = url.pathname.split("/").filter(Boolean);
  return {
    ...bucketAddress(url.host, region, value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")),
    prefix: words.map((word) => `${word}/`).join(""),
    region: region ?? DEFAULT_REGION,
    credentials,
  };
}

/** @throws Error for a URL other than `s3://BUCKET/PREFIX`. */
function checkUrl({ username, password, host, pathname, search, hash }: URL): void {
  if (username !== "" || password !== "") {
    throw new Error("must have no user name or password: S3 takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  if (!BUCKET.test(host) || !PREFIX.test(pathname) || search !== "" || hash !== "") {
    throw new Error("must be s3://BUCKET/PREFIX; a prefix may have letters, digits, '.', '_', '-' and '/'");
  }
}

/** The bucket is in the path at a named endpoint, and in the host name at AWS, unless the name has a dot, which no certificate
 * covers. */
function bucketAddress(
  bucket: string,
  region: string | undefined,
  endpoint: string | undefined,
): Pick<S3Place, "endpoint" | "path"> {
  if (endpoint !== undefined) {
    const url = parseUrl(endpoint);
    const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
    if (!isPlain) throw new Error("needs an https:// or http:// URL without user name or query in AWS_ENDPOINT_URL_S3");
    return { endpoint: url, path: `${url.pathname.replace(/\/+$/, "")}/${bucket}/` };
  }
  if (region === undefined) {
    throw new Error("needs AWS_REGION in the environment, or AWS_ENDPOINT_URL_S3 for a service other than AWS");
  }
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".")
    ? { endpoint: new URL(`https://${host}`), path: `/${bucket}/` }
    : { endpoint: new URL(`https://${bucket}.${host}`), path: "/" };
}

/** Without white space around it, which a secret from a file often has; an empty value counts as none. */
function firstValue(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value === undefined || value === "") continue;
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error(`needs a value of ASCII characters without spaces in ${name}`);
    return value;
  }
  return undefined;
}
