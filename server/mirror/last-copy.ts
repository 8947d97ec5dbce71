// A directory of the server's own with the last good snapshots, as they were stored: a restart begins with them. They are written
// in the background. A failure is a warning, and a directory that hangs delays no answer.
import type { Store } from "../../snapshots/store.ts";
import { errorCode } from "../../snapshots/system-calls.ts";

export class LastCopy {
  readonly directory: Store;
  readonly #warn: (message: string) => void;
  readonly #unwritten = new Map<string, Uint8Array>();
  #isWriting = false;
  #hasFailed = false;

  /** `directory`: for the snapshots of one store only, with its product. `warn` gets a line when it cannot be written, and when
   * it can be again. */
  constructor(directory: Store, warn: (message: string) => void) {
    this.directory = directory;
    this.#warn = warn;
  }

  /** Returns at once. Until the value is written, a newer one takes its place. */
  keep(key: string, bytes: Uint8Array): void {
    this.#unwritten.set(key, bytes);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#unwritten.size > 0) {
      const values = [...this.#unwritten];
      this.#unwritten.clear();
      await this.#put(values).then(
        () => this.#note(undefined),
        (error: Error) => this.#note(error),
      );
    }
    this.#isWriting = false;
  }

  /** The claim removes what a killed server has left; if another server holds it, that one writes the same. @throws StoreError */
  async #put(values: readonly [key: string, bytes: Uint8Array][]): Promise<void> {
    const claim = await this.directory.claim();
    if (!claim) return;
    try {
      for (const [key, bytes] of values) await this.directory.put(key, bytes);
    } finally {
      await claim.release();
    }
  }

  #note(failure: Error | undefined): void {
    if (failure && !this.#hasFailed) {
      const code = errorCode(failure.cause) ?? "unknown error";
      this.#warn(`lastCopy cannot be written (${code}): a restart while the store is away would be answered with 502`);
    } else if (!failure && this.#hasFailed) this.#warn("lastCopy can be written again");
    this.#hasFailed = failure !== undefined;
  }
}
