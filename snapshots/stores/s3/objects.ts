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
  const answer = await send({ method: "PUT", key, headers: conditionOf(ifVersion), body: bytes });
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

/** The condition of a write. Ceph understands a version only without quotes. */
export function conditionOf(ifVersion: Version | null | undefined): Record<string, string> {
  if (ifVersion === undefined) return {};
  return ifVersion === null ? { "if-none-match": "*" } : { "if-match": ifVersion };
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
