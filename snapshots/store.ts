// What a store is: bytes under keys, each value replaced whole. It knows nothing of snapshots; stores/*.ts are stores.

/** Names one state of one key; equal versions mean equal bytes. */
export type Version = string;
export interface Stored {
  bytes: Uint8Array;
  version: Version;
}

/** Every value is replaced whole or not at all; a reader sees the old bytes or the new ones, never a mixture. */
export interface Store {
  /** The bytes under a key, `unchanged` if they still have version `ifNot`, undefined if there are none.
   * @throws StoreError when the key cannot be read. */
  get(key: string, ifNot?: Version): Promise<Stored | "unchanged" | undefined>;
  /** Replaces the bytes under a key; when it returns, they outlast a power cut. `ifVersion`: only if that is what is
   * there, null: only if nothing is. @throws Conflict, StoreError; then the old bytes stand, or the new ones whole if
   * all that failed was making sure that they last. */
  put(key: string, bytes: Uint8Array, options?: { ifVersion?: Version | null }): Promise<Version>;
  /** The keys that begin with a folder's name and a slash, in no order; none when there is no such folder.
   * @throws StoreError */
  list(folder: string): Promise<string[]>;
  /** Forgets a key, if it is there. @throws StoreError */
  remove(key: string): Promise<void>;
  /** Makes this process the one collector of the store, until the claim is released or the process dies.
   * Undefined: another one is at it. */
  claim(): Promise<Claim | undefined>;
  /** Calls `hint` when something may have changed; it may miss changes. Returns how to stop. */
  watch(hint: () => void): () => void;
}

export interface Claim {
  release(): Promise<void>;
}

/** The store could not do what was asked; the message names the operation and the system's error code. `version`
 * is of what could not be read, where it is known. */
export class StoreError extends Error {
  override name = "StoreError";
  version: Version | undefined;
}

/** Somebody else published first. */
export class Conflict extends StoreError {
  override name = "Conflict";
}
