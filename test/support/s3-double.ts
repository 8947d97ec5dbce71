// An S3 service on 127.0.0.1 with one bucket in memory. It checks signatures with another implementation than the product's, has a
// clock of its own, and fails as a test wants.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { AwsV4Signer } from "aws4fetch";
import type { Store } from "../../snapshots/store.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { listen } from "./listen.ts";

const REGION = "eu-test-1";
const BUCKET = "facts";
export const KEYS = {
  AWS_ACCESS_KEY_ID: "AKEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "a/secret+key",
  AWS_SESSION_TOKEN: "a=token",
};

/** For one request: no answer; the connection ended instead of the request, or after it; an answer that never ends, slowly or as
 * fast as it is read; or an error, after the request if `isDone`, and after `meanwhile`. */
export type Fault =
  | "none"
  | "hang"
  | "cut"
  | "cut after"
  | "slow"
  | "endless"
  | {
      status: number;
      code?: string;
      body?: string;
      headers?: Record<string, string>;
      isDone?: boolean;
      meanwhile?: () => void;
    };

/** `end`: of the session, in ms since the epoch. */
type SessionKeys = typeof KEYS & { end: number };

interface S3Object {
  bytes: Buffer;
  /** In ms since the epoch, by the service's clock. */
  modified: number;
}

interface Reply {
  status: number;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface S3DoubleOptions {
  /** Keys in a page of a list. */
  pageSize?: number;
  /** Before the bucket in each path, as behind a gateway. */
  path?: string;
  /** Wants versions in quotes, as R2 does. */
  isQuoted?: boolean;
  /** Conditions of writes that it ignores. */
  ignored?: readonly ("if-match" | "if-none-match")[];
  tls?: { key: string; cert: string };
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

export type S3Double = Awaited<ReturnType<typeof startS3Double>>;

/** Starts the service. */
export async function startS3Double({
  pageSize = 1000,
  path = "",
  ignored = [],
  isQuoted = false,
  tls,
  onFinished,
}: S3DoubleOptions = {}) {
  const objects = new Map<string, S3Object>();
  const requests: string[] = [];
  const double = {
    objects,
    /** Such as `GET facts/prefix/plans.json`, in order. */
    requests,
    /** Taken by the next requests, in order. */
    faults: [] as Fault[],
    /** Of every request that takes none of `faults`. */
    constantFault: "none" as Fault,
    /** Its clock is so many ms ahead of the system's. */
    ahead: 0,
    connections: 0,
    origin: "",
    /** All that it knows. */
    keys: [{ ...KEYS, end: Infinity }] as SessionKeys[],
    /** Variables of a store without keys. */
    address: {} as Record<string, string>,
    /** The same with KEYS. */
    environment: {} as Record<string, string>,
    openConnections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    /** A store at a prefix, opened as by another process each time. */
    open: (prefix = "acme"): Store => openStore(`s3://${BUCKET}/${prefix}`, double.environment),
  };
  const now = () => Date.now() + double.ahead;

  const perform = (method: string, key: string, { headers, query, body }: S3Call): Reply => {
    if (method === "GET" && key === "") return listed(objects, query, pageSize);
    const present = objects.get(key);
    const etag = present && etagOf(present.bytes);
    if (method === "GET") {
      if (!present || etag === undefined) return refusal(404, "NoSuchKey");
      const about = { etag, "last-modified": new Date(present.modified).toUTCString() };
      const isUnchanged = unquoted(headers["if-none-match"]) === unquoted(etag);
      return isUnchanged ? { status: 304, headers: about } : { status: 200, headers: about, body: present.bytes };
    }
    if (method === "DELETE") {
      objects.delete(key);
      return { status: 204 };
    }
    const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
    if (ifNoneMatch === "*" && present && !ignored.includes("if-none-match")) return refusal(412, "PreconditionFailed");
    if (ifMatch !== undefined && !ignored.includes("if-match")) {
      if (isQuoted && !ifMatch.startsWith('"')) return refusal(400, "InvalidArgument");
      if (etag === undefined) return refusal(404, "NoSuchKey");
      // As Ceph, which takes the quotes for a part of the version.
      if (ifMatch !== (isQuoted ? etag : unquoted(etag))) return refusal(412, "PreconditionFailed");
    }
    objects.set(key, { bytes: body, modified: now() });
    return { status: 200, headers: { etag: etagOf(body) } };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", double.origin);
    const { method = "", headers } = request;
    requests.push(`${method} ${url.pathname.slice(1)}`);
    const fault = double.faults.shift() ?? double.constantFault;
    const body = await buffer(request);
    if (fault === "hang") return;
    if (fault === "cut") return void request.socket.destroy();
    const isDone = typeof fault === "string" || fault.isDone === true;
    const [, bucket, key = ""] = /^\/([^/]*)\/(.*)$/.exec(url.pathname.slice(path.length)) ?? [];
    const call = { headers, query: url.searchParams, body };
    const reply = !isDone
      ? refusal(fault.status, fault.code)
      : ((await signatureFault(url, method, { ...call, known: double.keys })) ??
        (bucket === BUCKET ? perform(method, decodeURIComponent(key), call) : refusal(404, "NoSuchBucket")));
    if (fault === "cut after") return void request.socket.destroy();
    if (typeof fault === "object") fault.meanwhile?.();
    const shown = typeof fault === "string" ? reply : { ...refusal(fault.status, fault.code), ...fault };
    response.writeHead(shown.status, { date: new Date(now()).toUTCString(), ...shown.headers });
    if (fault === "slow") return drip(response);
    if (fault === "endless") return flood(response);
    response.end(shown.body);
  };

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch(() => {});
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  // It ends no idle connection, and so a store has to.
  server.keepAliveTimeout = 0;
  server.on("connection", () => double.connections++);
  double.origin = `${tls ? "https" : "http"}://127.0.0.1:${await listen(server, onFinished)}`;
  double.address = { AWS_REGION: REGION, AWS_ENDPOINT_URL_S3: `${double.origin}${path}` };
  double.environment = { ...KEYS, ...double.address };
  return double;
}

/** The error of an operation that must fail. */
export async function errorOf(operation: Promise<unknown>): Promise<Error> {
  const error = await operation.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof Error) return error;
  throw new Error("the operation succeeded");
}

interface S3Call {
  headers: IncomingMessage["headers"];
  query: URLSearchParams;
  body: Buffer;
}

/** Undefined for a good signature of this body, and of all headers that change what the request does. */
async function signatureFault(
  url: URL,
  method: string,
  { headers, body, known }: S3Call & { known: readonly SessionKeys[] },
): Promise<Reply | undefined> {
  const given = headers.authorization ?? "";
  const signed = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(";") ?? [];
  const isUnsigned = (name: string) => /^(host$|if-|x-amz-)/.test(name) && !signed.includes(name);
  if (Object.keys(headers).some(isUnsigned)) return refusal(403, "AccessDenied");
  if (headers["x-amz-content-sha256"] !== createHash("sha256").update(body).digest("hex")) {
    return refusal(400, "XAmzContentSHA256Mismatch");
  }
  const keys = known.find(({ AWS_ACCESS_KEY_ID: id }) => given.includes(`Credential=${id}/`));
  if (!keys) return refusal(403, "InvalidAccessKeyId");
  if (headers["x-amz-security-token"] !== keys.AWS_SESSION_TOKEN) return refusal(400, "InvalidToken");
  if (keys.end < Date.now()) return refusal(400, "ExpiredToken");
  const signer = new AwsV4Signer({
    url: url.href,
    method,
    headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
    accessKeyId: keys.AWS_ACCESS_KEY_ID,
    secretAccessKey: keys.AWS_SECRET_ACCESS_KEY,
    service: "s3",
    region: REGION,
    datetime: String(headers["x-amz-date"]),
    allHeaders: true,
  });
  const wanted = (await signer.sign()).headers.get("authorization");
  return given === wanted ? undefined : refusal(403, "SignatureDoesNotMatch");
}

function listed(objects: ReadonlyMap<string, S3Object>, query: URLSearchParams, pageSize: number): Reply {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token")?.replace(/^<after> & /, "") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  const page = keys.filter((key) => key > after).slice(0, pageSize);
  const isTruncated = page.length > 0 && page.at(-1) !== keys.at(-1);
  const token = `<NextContinuationToken>${escaped(`<after> & ${page.at(-1)}`)}</NextContinuationToken>`;
  const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key><Size>1</Size></Contents>`).join("");
  const xml = `<IsTruncated>${isTruncated}</IsTruncated>${contents}${isTruncated ? token : ""}`;
  const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult ${namespace}>${xml}</ListBucketResult>`,
  };
}

function refusal(status: number, code?: string): Reply {
  const body = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>of ${KEYS.AWS_ACCESS_KEY_ID}</Message></Error>`;
  return code === undefined ? { status } : { status, body };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&#60;").replaceAll(">", "&#x3e;");
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function unquoted(text: string | undefined): string | undefined {
  return text?.replaceAll('"', "");
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x"), 100);
  response.on("close", () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", write);
  write();
}
