// Where an S3 store is: bucket and prefix are from its location, the rest is from the environment, by the names that AWS's own
// programs use.
import { parseUrl } from "../../rules.ts";
import type { StoreEnvironment } from "../../stores/engine.ts";

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface S3Place {
  /** Only its protocol, host and port count. */
  endpoint: URL;
  /** That of the bucket and ends with a slash. */
  path: string;
  /** What stands before each key: nothing, or text that ends with a slash. */
  prefix: string;
  region: string;
  /** Undefined without keys in the environment: then those of a role are used. */
  credentials: S3Credentials | undefined;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** These characters need no encoding anywhere. */
const PREFIX = /^(\/[A-Za-z0-9._-]+)*\/?$/;
/** The same for the path, because services differ in what they sign of other characters. */
const ENDPOINT = /^https?:\/\/[^/@?#]+[A-Za-z0-9._~/-]*$/;
const REGION = /^[a-z0-9-]+$/;
/** Services that have no regions take this one. */
const DEFAULT_REGION = "us-east-1";

/** Reads a location and the variables. @throws Error that quotes nothing of them. */
export function s3Place(url: URL, environment: StoreEnvironment): S3Place {
  checkUrl(url);
  const value = (...names: string[]) => firstValue(environment, names);
  const region = value("AWS_REGION", "AWS_DEFAULT_REGION");
  if (region !== undefined && !REGION.test(region))
    throw new Error("needs a region such as eu-central-1 in AWS_REGION");
  const words = url.pathname.split("/").filter(Boolean);
  return {
    ...bucketAddress(url.host, region, value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")),
    prefix: words.map((word) => `${word}/`).join(""),
    region: region ?? DEFAULT_REGION,
    credentials: credentialsIn(value),
  };
}

/** @throws Error for a URL other than `s3://BUCKET/PREFIX`. */
function checkUrl({ username, password, host, pathname, search, hash }: URL): void {
  if (username !== "" || password !== "") {
    throw new Error("must have no user name or password: S3 takes AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  if (host.endsWith(".amazonaws.com"))
    throw new Error(`must be s3://BUCKET/PREFIX, without ${host.replace(/^.*?\.(?=s3[.-])/, "")}`);
  if (!BUCKET.test(host) || !PREFIX.test(pathname) || search !== "" || hash !== "") {
    throw new Error(
      "must be s3://BUCKET/PREFIX; a bucket is in lower case without _, and a prefix may have letters, digits, '.', '_', '-' and '/'",
    );
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
    if (!url || !ENDPOINT.test(url.href)) {
      throw new Error(
        "needs an https:// or http:// URL without user name, query or special characters in AWS_ENDPOINT_URL_S3, which comes before AWS_ENDPOINT_URL",
      );
    }
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

/** Undefined without keys. @throws Error for half of a pair. */
function credentialsIn(value: (name: string) => string | undefined): S3Credentials | undefined {
  const accessKeyId = value("AWS_ACCESS_KEY_ID");
  const secretAccessKey = value("AWS_SECRET_ACCESS_KEY");
  const sessionToken = value("AWS_SESSION_TOKEN");
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined) throw new Error("needs AWS_ACCESS_KEY_ID beside the secret key in the environment");
  if (secretAccessKey === undefined)
    throw new Error("needs AWS_SECRET_ACCESS_KEY beside the key's id in the environment");
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** It drops white space around a value, which a secret from a file often has; an empty value counts as none. */
function firstValue(environment: StoreEnvironment, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value === undefined || value === "") continue;
    if (!/^[\x21-\x7e]+$/.test(value)) throw new Error(`needs a value of ASCII characters without spaces in ${name}`);
    return value;
  }
  return undefined;
}
