// Prepared answers by key. Each is served in plain bytes immediately and, on a server, in smaller encodings a moment later;
// the same answer again changes nothing.
import type { Answer } from "./answer.ts";
import { compressed, prepare, type Prepared } from "./prepared.ts";

export class PreparedAnswers<K> {
  readonly #answers = new Map<K, Prepared>();
  readonly #onCompressed: (() => void) | undefined;

  /** `onCompressed`: called after each compression; without it, the answers stay plain. */
  constructor(onCompressed: (() => void) | undefined) {
    this.#onCompressed = onCompressed;
  }

  keys(): Iterable<K> {
    return this.#answers.keys();
  }

  get(key: K): Prepared | undefined {
    return this.#answers.get(key);
  }

  /** Prepares an answer under the key, unless it is already there. `sha256`: of its body, in hexadecimal, if known. */
  set(key: K, answer: Answer, sha256?: string): Prepared {
    const plain = prepare(answer, sha256);
    const known = this.#answers.get(key);
    if (known?.etags.identity === plain.etags.identity && known.lastModified === plain.lastModified) return known;
    this.#answers.set(key, plain);
    // If compression fails, the plain bytes are still served.
    if (this.#onCompressed) this.#compress(key, plain, answer).catch(() => {});
    return plain;
  }

  clear(): void {
    this.#answers.clear();
  }

  async #compress(key: K, plain: Prepared, answer: Answer): Promise<void> {
    const prepared = await compressed(plain, answer);
    if (this.#answers.get(key) !== plain) return;
    this.#answers.set(key, prepared);
    this.#onCompressed?.();
  }
}
