// One connection to the engine: commands out, replies in the same order, messages of a subscription. A reply that is late, or is
// none, ends the connection: nothing is known about the replies after it, and a new one is the fastest way out of a partition.
import type { Socket } from "node:net";
import type { StoreError } from "../../store.ts";
import { MAX_VALUE_BYTES } from "../values.ts";
import { engineError, networkError } from "./faults.ts";
import type { RedisPlace } from "./place.ts";
import { EngineFault, ReplyReader, type RedisReply } from "./replies.ts";

/** From the start until the engine takes commands. Short, because an attempt made during a partition fails even after it. */
const CONNECT_MS = 1_500;

/** Beyond a value and its version, or all keys of a history of 1,000 changes. */
const LIMITS = { bytes: MAX_VALUE_BYTES + 4_096, values: 20_000 };

export type CommandWord = string | Uint8Array;

interface ReplyAwaited {
  resolve(reply: RedisReply): void;
  reject(error: StoreError): void;
  timer: NodeJS.Timeout;
}

export class RedisConnection {
  /** Resolves when the engine takes commands. Rejects with a StoreError. */
  readonly ready: Promise<unknown>;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #awaited: ReplyAwaited[] = [];
  readonly #onMessage: (() => void) | undefined;
  #error: StoreError | undefined;
  #resolveEnded = () => {};

  /** `socket`: may still be connecting. `onMessage`: for a connection that will subscribe, called for each message. */
  constructor(socket: Socket, { credentials, database }: RedisPlace, onMessage?: () => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    const reader = new ReplyReader(LIMITS, (reply) => this.#onReply(reply));
    socket.setNoDelay(true);
    socket.on("error", (error) => this.end(networkError(error)));
    socket.on("close", () => this.end(networkError("ECONNRESET")));
    socket.on("data", (chunk) => {
      try {
        reader.push(chunk);
      } catch {
        this.end(networkError("EBADMSG"));
      }
    });
    // All of it, or nothing: after a SELECT that fails, the engine would go on in database 0.
    this.ready = Promise.all([
      ...(credentials.length > 0 ? [this.call(["AUTH", ...credentials], CONNECT_MS)] : []),
      ...(database > 0 ? [this.call(["SELECT", String(database)], CONNECT_MS)] : []),
      this.call(["PING"], CONNECT_MS),
    ]);
    this.ready.catch((error: StoreError) => this.end(error));
  }

  /** The reply to a command, within `milliseconds`. @throws StoreError */
  call(words: readonly CommandWord[], milliseconds: number): Promise<RedisReply> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error);
      const timer = setTimeout(() => this.end(networkError("ETIMEDOUT")), milliseconds);
      this.#awaited.push({ resolve, reject, timer });
      this.#socket.write(encoded(words));
    });
  }

  /** Ends the connection; `error` is the reason for calls without a reply. */
  end(error: StoreError): void {
    if (this.#error) return;
    this.#error = error;
    this.#socket.destroy();
    for (const { reject, timer } of this.#awaited) {
      clearTimeout(timer);
      reject(error);
    }
    this.#resolveEnded();
  }

  #onReply(reply: RedisReply): void {
    if (this.#error) return;
    if (this.#onMessage && isMessage(reply)) return this.#onMessage();
    const awaited = this.#awaited.shift();
    if (!awaited) return this.end(networkError("EBADMSG"));
    clearTimeout(awaited.timer);
    if (reply instanceof EngineFault) awaited.reject(engineError(reply));
    else awaited.resolve(reply);
  }
}

function isMessage(reply: RedisReply): boolean {
  return Array.isArray(reply) && reply[0] instanceof Buffer && reply[0].toString() === "message";
}

function encoded(words: readonly CommandWord[]): Buffer {
  const parts = words.flatMap((word) => {
    const bytes = Buffer.from(word);
    return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from("\r\n")];
  });
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...parts]);
}
