// A directory of the server's own with the last good snapshots, as they were stored: a restart begins with them. They are written
// in the background. A failure is a warning, and a directory that hangs delays no answer.
import type { Store } from "../../../snapshots/store.ts";
import type { LastCopy } from "../../mirror/mirror.ts";
import { errorCode } from "../../../snapshots/system-calls.ts";

/** `directory` is for the snapshots of one store only, with its product. `warn` gets a line when it cannot be written, and when
 * it can be again. */
export function openLastCopy(directory: Store, warn: (message: string) => void): LastCopy {
  const unwritten = new Map<string, Uint8Array>();
  let isWriting = false;
  let hasFailed = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (unwritten.size > 0) {
      const values = [...unwritten];
      unwritten.clear();
      await put(directory, values).then(() => note(undefined), note);
    }
    isWriting = false;
  }

  function note(failure: Error | undefined): void {
    if (failure && !hasFailed) {
      const code = errorCode(failure.cause) ?? "unknown error";
      warn(`lastCopy cannot be written (${code}): a restart while the store is away would be answered with 502`);
    } else if (!failure && hasFailed) warn("lastCopy can be written again");
    hasFailed = failure !== undefined;
  }

  return {
    store: directory,
    keep(key, bytes) {
      unwritten.set(key, bytes);
      if (!isWriting) void write();
    },
  };
}

/** The claim removes what a killed server has left; if another server holds it, that one writes the same. @throws StoreError */
async function put(directory: Store, values: readonly [key: string, bytes: Uint8Array][]): Promise<void> {
  const claim = await directory.claim();
  if (!claim) return;
  try {
    for (const [key, bytes] of values) await directory.put(key, bytes);
  } finally {
    await claim.release();
  }
}
