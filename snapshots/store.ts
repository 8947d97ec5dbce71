// The interface of a store: bytes under keys, without any knowledge of snapshots. stores/ implements it. Any error of a
// store is a StoreError; only Unreachable says nothing about the contents.
import type * as z from "zod";

/** Names one state of one key; equal versions mean equal bytes. */
export type Version = string;
export interface Stored {
  bytes: Uint8Array;
  version: Version;
}

/** What everything that only reads needs. */
export interface Reader {
  /** How long a reader without a hint waits before it asks again, in ms. */
  readonly pace: number;
  /** The bytes under a key, `unchanged` if they still have the version `ifNot`, undefined if there are none.
   * @throws StoreError when the key cannot be read. */
  get(key: string, ifNot?: Version): Promise<Stored | "unchanged" | undefined>;
  /** False if it cannot list its keys, and so has no history; by default it can. */
  readonly canList?: boolean;
  /** The keys in a folder (`folder/…`), in no particular order. @throws StoreError */
  list(folder: string): Promise<string[]>;
  /** By how much the clock of this computer is ahead of the store's, in ms; undefined if that is not known. A store may have no
   * clock, or not permit asking. @throws StoreError */
  ahead?(): Promise<number | undefined>;
  /** The process that answers now, and the line of data that it has, which a primary and its replicas share. Undefined if the engine
   * does not tell. @throws StoreError */
  engine?(): Promise<{ process: string; line: string } | undefined>;
  /** Calls `hint` when something may have changed; it may miss changes. Returns a function that stops it. */
  watch(hint: () => void): () => void;
  /** Ends connections, which would keep the process alive. Never rejects. */
  close(): Promise<void>;
}

/** The clock of this computer is ahead of a server's by so many ms. `date` is the header of an answer that has just arrived. */
export function aheadOf(date: string | undefined): number | undefined {
  const ahead = Date.now() - Date.parse(date ?? "");
  return Number.isNaN(ahead) ? undefined : ahead;
}

/** A write replaces a value completely or not at all; readers see the old bytes or the new ones, never a mixture. */
export interface Store extends Reader {
  /** Replaces the bytes under a key; once it returns, they last as long as the store's settings promise: in a directory, they
   * survive a power cut. `ifVersion`: only if the key has this version; null: only if it has no value. Of several at once, one
   * wins. @throws Conflict, StoreError; then the key has the old bytes, or the new ones if only the final step failed. */
  put(key: string, bytes: Uint8Array, options?: { ifVersion?: Version | null }): Promise<Version>;
  /** Removes a key, if it exists. @throws StoreError */
  remove(key: string): Promise<void>;
  /** Makes this process the only collector of the store until the claim is released, the process dies, or it has given no
   * sign for 30 s. Undefined if another process holds the claim. @throws StoreError */
  claim(): Promise<Claim | undefined>;
}

/** A store, or a reader of one, that somebody else gives its pace. */
export type LoadedStore = Omit<Store, "pace">;
export type LoadedReader = Omit<Reader, "pace">;

export interface Claim {
  release(): Promise<void>;
}

/** A failed operation; the message names it and the system's error code. `version`: of an unreadable value, if known. */
export class StoreError extends Error {
  override name = "StoreError";
  version: Version | undefined;
  /** True if the system forbids this user the operation, which is no damage and needs another remedy. */
  isForbidden = false;

  /** Makes the error for a system's error code; a lack of permission is named as one, with the remedy. */
  static because(what: string, code: string | undefined, cause: unknown): StoreError {
    const isForbidden = code === "EACCES" || code === "EPERM";
    const remedy = code === "ENOTDIR" ? ": a file is there, so choose a directory" : "";
    const why = `${what} (${code ?? "unknown error"})${remedy}`;
    const message = isForbidden ? `no permission: ${why}; ${permissionRemedy()}` : why;
    return Object.assign(new StoreError(message, { cause }), { isForbidden });
  }
}

/** The edge has no platform. */
function permissionRemedy(): string {
  return globalThis.process?.platform === "win32"
    ? "let this user read and write the folder, and end the program that keeps the file open, such as a virus scanner"
    : "let the group of the collector read the folder and its files, and this user be in that group";
}

/** The store did not answer, or refused to: nothing is known about its contents. */
export class Unreachable extends StoreError {
  override name = "Unreachable";
}

/** Another collector published first. */
export class Conflict extends StoreError {
  override name = "Conflict";

  constructor(message = "another collector published first") {
    super(message);
  }
}

/** Four times the largest payload. */
export const MAX_VALUE_BYTES = 4 * 1024 * 1024;

const KEY = /^(history\/)?[a-z][a-z0-9-]{0,63}(\.[a-z]{1,16})?\.json(\.prev)?$/;

/** Whether every store accepts the text as a key. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** The same key. @throws StoreError for any other text. */
export function checkedKey(text: string): string {
  if (!isKey(text)) throw new StoreError(`not a key of this store: ${JSON.stringify(text)}`);
  return text;
}

/** The value of a key, as `get` returns it; one that cannot be read counts as absent. @throws Unreachable */
export function getReadable(store: Reader, key: string, ifNot?: Version): ReturnType<Reader["get"]> {
  return store.get(key, ifNot).catch((error: unknown) => {
    if (error instanceof Unreachable) throw error;
    return undefined;
  });
}

/** `document`: undefined also while it is unchanged. `version`: of its bytes. */
export interface DocumentRead<T> {
  document: T | undefined;
  version: Version | undefined;
}

/** A JSON document that the store keeps beside the snapshots, unless it still has the version `ifNot`. One that is missing,
 * damaged or not in its shape counts as absent. @throws Unreachable */
export async function readDocument<T>(
  store: Reader,
  key: string,
  { schema, ifNot }: { schema: z.ZodType<T>; ifNot?: Version | undefined },
): Promise<DocumentRead<T>> {
  const stored = await getReadable(store, key, ifNot);
  if (stored === "unchanged") return { document: undefined, version: ifNot };
  return { document: stored && parseDocument(stored.bytes, schema), version: stored?.version };
}

/** Undefined for bytes that are not JSON of this shape. */
export function parseDocument<T>(bytes: Uint8Array, schema: z.ZodType<T>): T | undefined {
  return schema.safeParse(parseJson(bytes)).data;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Undefined for bytes that are not JSON in UTF-8, or too deep. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than any document that Vitrine reads. Each level costs 400 bytes of memory while it is parsed: 864 MB for 2 MB of `[`. */
export const MAX_DEPTH = 200;

/** Shorter texts, such as messages, are not measured: they cost 26 MB at most. In UTF-16 units. */
const MAX_UNMEASURED = 64 * 1024;

export function isTooDeep(text: string): boolean {
  return text.length > MAX_UNMEASURED && measureJson(text).depth > MAX_DEPTH;
}

const [QUOTE, BACKSLASH, COMMA, ...BRACKETS] = Buffer.from('"\\,[{]}');
const [SQUARE, CURLY] = BRACKETS;

/** The number of values in a JSON text and how deep they are nested; meaningless for any other text. */
export function measureJson(text: string): { values: number; depth: number } {
  let [values, level, depth] = [0, 0, 0];
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) isString = !isString;
    else if (isString) at += Number(char === BACKSLASH);
    else if (char === SQUARE || char === CURLY) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (char === COMMA) values++;
    else if (BRACKETS.includes(char)) level--;
  }
  return { values, depth };
}
