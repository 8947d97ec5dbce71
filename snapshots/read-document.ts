// JSON documents that the store keeps beside the snapshots. Reading throws only Unreachable: a document that is missing,
// damaged or not in its shape counts as absent.
import type * as z from "zod";
import { Unreachable, type Reader, type Version } from "./store.ts";

/** The document under a key, or undefined. @throws Unreachable */
export async function readDocument<T>(store: Reader, key: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const read = await readDocumentIfNot(store, key, { schema, ifNot: undefined });
  return read === "unchanged" ? undefined : read.document;
}

/** The same with the version of its bytes, or `unchanged` while the key still has the version `ifNot`.
 * @throws Unreachable */
export async function readDocumentIfNot<T>(
  store: Reader,
  key: string,
  { schema, ifNot }: { schema: z.ZodType<T>; ifNot: Version | undefined },
): Promise<{ document: T | undefined; version: Version | undefined } | "unchanged"> {
  const stored = await store.get(key, ifNot).catch((error: unknown) => {
    if (error instanceof Unreachable) throw error;
    return undefined;
  });
  if (stored === "unchanged") return stored;
  return { document: stored && parseDocument(stored.bytes, schema), version: stored?.version };
}

/** Undefined for bytes that are not JSON of this shape. */
export function parseDocument<T>(bytes: Uint8Array, schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(parseJson(bytes)).data;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Undefined for bytes that are not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
