// The operations on the objects of an S3 store, each part of a call. An object's version is its ETag without quotes.
import { Conflict, StoreError, type Stored, type Version } from "../../store.ts";
import { MAX_VALUE_BYTES } from "../values.ts";
import type { S3Answer, Send } from "./client.ts";
import { incompleteAnswer, serviceError } from "./faults.ts";

/** `answer`: with the service's headers. */
export type StoredObject = Stored & { answer: S3Answer };

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
  if (answer.status !== 200) throw serviceError(answer);
  const version = versionOf(answer);
  if (!answer.body) throw Object.assign(new StoreError(`over ${MAX_VALUE_BYTES} bytes`), { version });
  return { bytes: answer.body, version, answer };
}

/** Returns the new version. `ifVersion`: only if the object has this version; null: only if there is none.
 * @throws Conflict, StoreError */
export async function putObject(
  send: Send,
  key: string,
  { bytes, ifVersion }: { bytes: Uint8Array; ifVersion: Version | null | undefined },
): Promise<Version> {
  const answer = await sendPut(send, key, { bytes, ifVersion });
  if (answer.status === 200) return versionOf(answer);
  if (!isConditionFalse(answer)) throw serviceError(answer);
  // A try without a clear end may have been the one that succeeded.
  const present = answer.isUncertain ? await getObject(send, key) : undefined;
  if (present && present !== "unchanged" && Buffer.compare(present.bytes, bytes) === 0) return present.version;
  throw new Conflict();
}

/** @throws StoreError */
export async function removeObject(send: Send, key: string): Promise<void> {
  const answer = await send({ method: "DELETE", key });
  if (answer.status >= 300 && answer.code !== "NoSuchKey") throw serviceError(answer);
}

/** Sends a write with its condition. Ceph understands a version only without quotes; R2 calls that one invalid, and wants them. */
export async function sendPut(
  send: Send,
  key: string,
  { bytes, ifVersion }: { bytes: Uint8Array; ifVersion: Version | null | undefined },
): Promise<S3Answer> {
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
