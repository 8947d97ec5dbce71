// Calls to an S3 service, and the operations on objects that they consist of. A call ends within 5 s, whatever the service does;
// each of its requests is tried again after errors that may pass. An object's version is its ETag without quotes.
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import aws4 from "aws4";
import { decodeXML } from "entities";
import {
  aheadOf,
  Conflict,
  isKey,
  MAX_VALUE_BYTES,
  type Stored,
  StoreError,
  Unreachable,
  type Version,
} from "../../store.ts";
import { incompleteAnswer, isPassing, s3Error, s3NetworkError } from "./faults.ts";
import { connectionsTo, type HttpAnswer, type HttpRequest } from "../connections/connections.ts";
import type { S3Credentials, S3Place } from "./location.ts";

/** `key`: without the store's prefix; none for the bucket itself. `query`: not encoded. */
interface S3Request {
  method: "GET" | "PUT" | "DELETE";
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** `code`: of an error, such as `NoSuchKey`. `isUncertain`: an earlier try had no clear end, so it may have had an effect. */
export interface S3Answer extends HttpAnswer {
  code: string | undefined;
  isUncertain: boolean;
}

/** Sends one request of a call. @throws Unreachable */
export type Send = (request: S3Request) => Promise<S3Answer>;

/** Credentials that are valid now. @throws Unreachable */
export type CredentialProvider = () => Promise<S3Credentials>;

const CALL_MS = 5_000;
const MAX_TRIES = 4;
/** The pause before the second try; doubled for each further one. */
const BACKOFF_MS = 100;

export function s3Client(place: S3Place, credentials: CredentialProvider) {
  const connections = connectionsTo(place.endpoint);
  let isClosed = false;
  let ahead: number | undefined;

  async function send(request: S3Request, signal: AbortSignal): Promise<S3Answer> {
    let isUncertain = false;
    for (let tries = 1; ; tries++) {
      const signed = signedRequest(place, request, await credentials());
      if (isClosed) throw new Unreachable("the store is closed");
      const answer = await sendOnce(signed, signal);
      const isUnanswered = answer instanceof StoreError;
      if (!isUnanswered && !isPassing(answer.status)) return { ...answer, isUncertain };
      if (tries === MAX_TRIES) throw isUnanswered ? answer : s3Error(answer);
      isUncertain ||= isUnanswered || answer.status >= 500;
      await sleep(BACKOFF_MS * 2 ** (tries - 1) * (0.5 + Math.random()), undefined, { signal });
    }
  }

  async function sendOnce(request: HttpRequest, signal: AbortSignal) {
    try {
      const answer = await connections.send(request, signal);
      ahead = aheadOf(answer.headers.date);
      return { ...answer, code: errorCodeIn(answer) };
    } catch (error) {
      return s3NetworkError(error);
    }
  }

  return {
    /** The clock of this computer was ahead of the service's by so many ms at the last answer. */
    ahead: () => ahead,
    /** The result of `operation`. @throws Unreachable, and the errors of `operation`. */
    call<T>(operation: (send: Send) => Promise<T>): Promise<T> {
      const signal = AbortSignal.timeout(CALL_MS);
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(s3NetworkError("ETIMEDOUT")), { once: true });
      });
      return Promise.race([operation((request) => send(request, signal)), late]);
    },
    /** Ends the calls under way, too. */
    close() {
      isClosed = true;
      connections.close();
    },
  };
}

/** All headers are signed. A proxy that drops a condition on the way thus makes the request invalid. */
function signedRequest(
  { endpoint, path: bucketPath, prefix, region }: S3Place,
  { method, key, query, headers, body }: S3Request,
  credentials: S3Credentials,
): HttpRequest {
  const path = key === undefined ? bucketPath : `${bucketPath}${prefix}${key}`;
  const request = {
    service: "s3",
    region,
    method,
    path: query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`,
    // aws4 would give a body the type of a form, so it gets only the hash.
    headers: { ...headers, host: endpoint.host, "x-amz-content-sha256": hash("sha256", body ?? "") },
  };
  // Adds the other headers, and encodes the query in the way in which it is signed.
  aws4.sign(request, credentials);
  return { ...request, body };
}

/** Undefined if the body is not an error of S3. */
function errorCodeIn({ status, body }: HttpAnswer): string | undefined {
  if (status < 300) return undefined;
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(body?.toString("latin1") ?? "")?.[1];
}

/** `headers`: those of the service's answer. */
type StoredObject = Stored & Pick<S3Answer, "headers">;

/** The object, `unchanged` if it still has the version `ifNot`, undefined if there is none. @throws StoreError */
export async function getObject(
  send: Send,
  key: string,
  ifNot?: Version,
): Promise<StoredObject | "unchanged" | undefined> {
  const condition = ifNot === undefined ? {} : { "if-none-match": `"${ifNot}"` };
  const answer = await send({ method: "GET", key, headers: condition });
  if (answer.status === 304 && ifNot !== undefined) return "unchanged";
  if (answer.code === "NoSuchKey") return undefined;
  if (answer.status !== 200) throw s3Error(answer);
  const version = versionOf(answer);
  if (!answer.body) throw Object.assign(new StoreError(`over ${MAX_VALUE_BYTES} bytes`), { version });
  return { bytes: answer.body, version, headers: answer.headers };
}

/** `ifVersion`: only if the object has this version; null: only if there is none. */
interface Write {
  bytes: Uint8Array;
  ifVersion: Version | null | undefined;
}

/** Returns the new version. @throws Conflict, StoreError */
export async function putObject(send: Send, key: string, write: Write): Promise<Version> {
  const answer = await sendPut(send, key, write);
  if (answer.status === 200) return versionOf(answer);
  if (!isConditionFalse(answer)) throw s3Error(answer);
  // A timed-out attempt may have succeeded.
  const present = answer.isUncertain ? await getObject(send, key) : undefined;
  if (present && present !== "unchanged" && Buffer.compare(present.bytes, write.bytes) === 0) return present.version;
  throw new Conflict();
}

/** Sends a write with its condition. Ceph understands a version only without quotes; R2 calls that one invalid, and wants them. */
export async function sendPut(send: Send, key: string, { bytes, ifVersion }: Write): Promise<S3Answer> {
  const put = (headers: Record<string, string>) => send({ method: "PUT", key, headers, body: bytes });
  if (ifVersion === undefined) return put({});
  if (ifVersion === null) return put({ "if-none-match": "*" });
  const answer = await put({ "if-match": ifVersion });
  return answer.code === "InvalidArgument" ? put({ "if-match": `"${ifVersion}"` }) : answer;
}

/** True if the condition of a write did not hold. */
export function isConditionFalse({ status, code }: S3Answer): boolean {
  return status === 412 || code === "NoSuchKey";
}

/** @throws Unreachable if the answer has none. */
export function versionOf({ headers }: S3Answer): Version {
  const version = /^"?([\x21\x23-\x7e]{1,256})"?$/.exec(headers.etag ?? "")?.[1];
  if (version === undefined) throw incompleteAnswer("ETag");
  return version;
}

/** @throws StoreError */
export async function removeObject(send: Send, key: string): Promise<void> {
  const answer = await send({ method: "DELETE", key });
  if (answer.status >= 300 && answer.code !== "NoSuchKey") throw s3Error(answer);
}

/** A page has up to 1,000 keys. */
const MAX_PAGES = 20;

/** The keys in a folder, without `prefix`. @throws StoreError */
export async function listKeys(send: Send, prefix: string, folder: string): Promise<string[]> {
  const keys: string[] = [];
  let next: Record<string, string> = {};
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer = await send({ method: "GET", query: { "list-type": "2", prefix: `${prefix}${folder}/`, ...next } });
    if (answer.status !== 200) throw s3Error(answer);
    const xml = answer.body?.toString().trimEnd() ?? "";
    if (!xml.endsWith("</ListBucketResult>")) throw incompleteAnswer("list of keys");
    keys.push(...textsOf(xml, "Key"));
    if (textsOf(xml, "IsTruncated")[0] !== "true") {
      return keys.map((key) => key.slice(prefix.length)).filter(isKey);
    }
    const [token] = textsOf(xml, "NextContinuationToken");
    if (token === undefined) throw incompleteAnswer("token of the next page");
    next = { "continuation-token": token };
  }
  throw new StoreError(`S3 has over ${MAX_PAGES} pages of keys in ${folder}/: remove those of other programs`);
}

/** Those of the elements of a name that have only text. Services write neither comments nor CDATA. */
function textsOf(xml: string, name: string): string[] {
  const elements = [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))];
  return elements.map(([, text = ""]) => decodeXML(text));
}
