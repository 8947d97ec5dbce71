// The keys and sizes that every store accepts.
import { StoreError } from "../store.ts";

/** Four times the largest payload. */
export const MAX_VALUE_BYTES = 4 * 1024 * 1024;

const KEY = /^(history\/)?[a-z][a-z0-9-]{0,63}(\.[a-z]{1,16})?\.json(\.prev)?$/;

export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** The same key. @throws StoreError for any other text. */
export function checkedKey(text: string): string {
  if (!isKey(text)) throw new StoreError(`not a key of this store: ${JSON.stringify(text)}`);
  return text;
}
