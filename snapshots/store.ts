// The interface of a store: bytes under keys, without any knowledge of snapshots. stores/ implements it.

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
  /** The keys in a folder (`folder/…`), in no particular order. @throws StoreError */
  list(folder: string): Promise<string[]>;
  /** Calls `hint` when something may have changed; it may miss changes. Returns a function that stops it. */
  watch(hint: () => void): () => void;
  /** Ends connections, which would keep the process alive. Never rejects. */
  close(): Promise<void>;
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

export interface Claim {
  release(): Promise<void>;
}

/** In the messages of operations that the system forbids this user. */
const NO_PERMISSION = "no permission";

/** A failed operation; the message names it and the system's error code. `version`: of an unreadable value, if
 * known. */
export class StoreError extends Error {
  override name = "StoreError";
  version: Version | undefined;

  /** For a system's error code; a lack of permission is named as one, with the remedy. */
  static because(what: string, code: string | undefined, cause: unknown): StoreError {
    const isForbidden = code === "EACCES" || code === "EPERM";
    const why = `${what} (${code ?? "unknown error"})`;
    const remedy = "let the group of the collector read the folder and its files, and this user be in that group";
    return new StoreError(isForbidden ? `${NO_PERMISSION}: ${why}; ${remedy}` : why, { cause });
  }
}

/** True if this user may not read a key, which is no damage and needs another remedy. `message`: of a StoreError. */
export function isForbidden(message: string): boolean {
  return message.startsWith(NO_PERMISSION);
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
