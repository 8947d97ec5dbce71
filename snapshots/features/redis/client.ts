// What a Redis store says to its engine: commands with their replies, and the subscription to its hints. ioredis speaks the
// protocol, but never opens a connection again by itself, and none of its errors and logs may show a password.
import { connect, isIP, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
// @ts-expect-error: it has no types.
import debug from "debug";
import { AbstractConnector, Redis, ReplyError } from "ioredis";
import { type StoreError, Unreachable } from "../../store.ts";
import { errorCode } from "../../system-calls.ts";
import { redisError, redisNetworkError } from "./faults.ts";
import type { RedisPlace } from "./location.ts";
import { sharedLookup } from "../connections/shared-lookup.ts";
import { ReplyGuard } from "./reply-guard.ts";

// With DEBUG in the environment, ioredis would print every command, and so the password. package.json names exactly the
// version of debug that ioredis names, because npm would install a second copy for any other, and this line would not disable it.
debug.disable();

/** A command in lower case, by which ioredis knows it, and its arguments. */
type CommandWords = readonly [command: string, ...words: (string | Uint8Array)[]];

/** An operation of the store may need a new connection and several commands, and ends within this time. */
const OPERATION_MS = 2_800;

/** An operation that begins now has to end by then. */
export function operationDeadline(): number {
  return performance.now() + OPERATION_MS;
}

/** A connection is used for so long. After a fail-over or a move, its name leads to another engine, while the old one may live on,
 * end no connection, and have nothing new. */
export const MAX_AGE_MS = 60_000;
/** The next attempt to replace it, after one that has failed. */
const REPLACE_AGAIN_MS = 5_000;

/** Commands on one connection, which the next command opens again after it has ended, or replaces once it is too old. */
export function redisCommands(place: RedisPlace, maxAgeMs: number) {
  let connection: RedisConnection | undefined;
  let next: RedisConnection | undefined;
  let opening: Promise<RedisConnection> | undefined;
  let replaceAt = 0;
  let closed: StoreError | undefined;

  /** Opens the next connection before the present one is given up. If that fails, the present one stays. @throws StoreError */
  async function open(): Promise<RedisConnection> {
    const last = connection;
    next = new RedisConnection(place);
    try {
      await next.ready;
    } catch (failure) {
      if (!last || last.isOver) throw failure;
      replaceAt = performance.now() + REPLACE_AGAIN_MS;
      return last;
    }
    replaceAt = performance.now() + maxAgeMs;
    connection = next;
    endIfUnused(last);
    return next;
  }

  /** Ends a replaced connection, but commands in flight end first. */
  function endIfUnused(one: RedisConnection | undefined): void {
    if (one !== connection && one?.uses === 0) one.end(new Unreachable("the connection was replaced"));
  }

  return {
    /** @throws StoreError */
    async ask(words: CommandWords, deadline = operationDeadline()): Promise<unknown> {
      if (closed) throw closed;
      const isUsable = connection && !connection.isOver && performance.now() < replaceAt;
      const current = (isUsable && connection) || (await (opening ??= open().finally(() => (opening = undefined))));
      current.uses++;
      try {
        return await current.call(words, Math.max(0, deadline - performance.now()));
      } finally {
        current.uses--;
        endIfUnused(current);
      }
    },
    close() {
      closed = new Unreachable("the store is closed");
      connection?.end(closed);
      next?.end(closed);
    },
  };
}

/** How often the engine is asked for a sign: a connection that was cut looks like one without messages. */
const PING_MS = 5_000;
const REPLY_MS = 1_500;
/** A connection is followed by the next after so long. Replicas that lost theirs together vary it. */
const RETRY_MS = 500;
const RETRY_SPREAD_MS = 250;

/** A subscription to the store's channel on a connection of its own. A hint may be lost, so readers also ask at the
 * store's pace. After an outage the subscription is back first, and its first hint makes all readers ask at once. */
export function redisHints(place: RedisPlace, maxAgeMs: number) {
  const listeners = new Set<() => void>();
  let over = new AbortController();
  const hintAll = () => {
    for (const listener of listeners) listener();
  };
  return {
    /** Calls `hint` when something may have changed. Returns a function that stops it. */
    listen(hint: () => void): () => void {
      const listener = () => hint();
      if (listeners.size === 0) {
        over = new AbortController();
        void keepSubscribed(place, hintAll, { over: over.signal, maxAgeMs });
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) over.abort();
      };
    },
    close() {
      listeners.clear();
      over.abort();
    },
  };
}

interface Until {
  over: AbortSignal;
  maxAgeMs: number;
}

async function keepSubscribed(place: RedisPlace, hint: () => void, { over, maxAgeMs }: Until): Promise<void> {
  const again = () => pause(RETRY_MS + RETRY_SPREAD_MS * Math.random(), over).catch(() => {});
  // The hint of the next subscription makes up for messages between the two.
  while (!over.aborted) await subscribeOnce(place, hint, { over, maxAgeMs }).catch(again);
}

/** Resolves when the connection is too old. Rejects when it has ended, or when it is over. */
async function subscribeOnce(place: RedisPlace, hint: () => void, { over, maxAgeMs }: Until): Promise<void> {
  const replaceAt = performance.now() + maxAgeMs;
  const connection = new RedisConnection(place, hint);
  const end = () => connection.end(new Unreachable("the subscription is over"));
  over.addEventListener("abort", end);
  try {
    await connection.ready;
    await connection.subscribe(place.name, REPLY_MS);
    // What has changed since the last connection has caused no message.
    hint();
    while (performance.now() < replaceAt) {
      await Promise.race([connection.ended, pause(Math.min(PING_MS, maxAgeMs), over)]);
      await connection.call(["ping"], REPLY_MS);
    }
  } finally {
    over.removeEventListener("abort", end);
    end();
  }
}

function pause(milliseconds: number, over: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false, signal: over });
}

/** The engine takes commands by then. It is short, because an attempt made during a partition fails even after it. */
const CONNECT_MS = 1_500;

const CHUNK_BYTES = 65_536;

/** One connection: commands and their replies, messages of a subscription. A reply that is late, or is none, ends it: nothing is
 * known about the replies after it, and a new connection is the fastest way out of a partition. */
class RedisConnection {
  /** Resolves when the engine takes commands. Rejects with a StoreError. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** So many commands use it, or wait for it. */
  uses = 0;
  readonly #redis: Redis;
  readonly #guard = new ReplyGuard();
  #error: StoreError | undefined;

  /** `onMessage`: for a connection that will subscribe, called for each message. */
  constructor(place: RedisPlace, onMessage: () => void = () => {}) {
    this.#redis = new Redis({
      Connector: connectorOf(() => dial(place, this.#guard)),
      // Lets ioredis wait for the handshake of TLS, which `dial` begins.
      ...(place.hasTls ? { tls: {} } : {}),
      // RESP 2 needs no HELLO, which the users of Redis 6 would have to be allowed.
      protocol: 2,
      lazyConnect: true,
      retryStrategy: null,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      disableClientInfo: true,
    });
    // Errors of ioredis quote commands, and so passwords; only codes are kept of them.
    this.#redis.on("error", (error) => this.end(redisNetworkError(errorCode(error) ?? "EBADMSG")));
    this.#redis.on("end", () => this.end(redisNetworkError("ECONNRESET")));
    this.ended = new Promise((resolve) => this.#redis.on("end", resolve));
    this.#redis.on("messageBuffer", onMessage);
    const timer = setTimeout(() => this.end(redisNetworkError("ETIMEDOUT")), CONNECT_MS);
    this.ready = this.#open(place).finally(() => clearTimeout(timer));
    this.ready.catch((error: StoreError) => this.end(error));
  }

  get isOver(): boolean {
    return this.#error !== undefined;
  }

  /** The reply to a command, within `milliseconds`. @throws StoreError */
  async call([command, ...words]: CommandWords, milliseconds: number): Promise<unknown> {
    if (this.#error) throw this.#error;
    this.#guard.expectReply();
    const args = words.map((word) => Buffer.from(word));
    const timer = setTimeout(() => this.end(redisNetworkError("ETIMEDOUT")), milliseconds);
    try {
      return await this.#redis.callBuffer(command, args);
    } catch (error) {
      throw this.#faultOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async subscribe(channel: string, milliseconds: number): Promise<void> {
    this.#guard.expectMessages();
    await this.call(["subscribe", channel], milliseconds);
  }

  /** Ends the connection; `error` is the reason for calls without a reply. */
  end(error: StoreError): void {
    if (this.#error) return;
    this.#error = error;
    this.#redis.disconnect();
  }

  /** Does all of it, or nothing: after a SELECT that fails, the engine would go on in database 0. ioredis would go on, too, and
   * after an AUTH that an engine without passwords refuses. */
  async #open({ credentials, database }: RedisPlace): Promise<void> {
    await this.#redis.connect().catch((error: unknown) => {
      throw this.#faultOf(error);
    });
    await Promise.all([
      ...(credentials.length > 0 ? [this.call(["auth", ...credentials], CONNECT_MS)] : []),
      ...(database > 0 ? [this.call(["select", String(database)], CONNECT_MS)] : []),
      this.call(["ping"], CONNECT_MS),
    ]);
  }

  #faultOf(error: unknown): StoreError {
    if (!(error instanceof ReplyError)) return this.#error ?? redisNetworkError("ECONNRESET");
    const { message } = error as Error;
    const fault = redisError(message);
    // After a fail-over, its address leads to the new primary, and this connection still to the old one.
    if (message.includes("READONLY")) this.end(fault);
    return fault;
  }
}

/** The class by which ioredis opens and closes a connection. */
function connectorOf(open: () => Socket): new () => AbstractConnector {
  return class extends AbstractConnector {
    constructor() {
      super(0);
    }

    override connect(): Promise<Socket> {
      this.stream = open();
      // ioredis listens only later.
      this.stream.once("error", (error) => (this.firstError = error));
      return Promise.resolve(this.stream);
    }

    /** It ends at once, because an engine that is cut off confirms no end. */
    override disconnect(): void {
      this.stream.destroy();
    }
  };
}

/** Begins a connection whose received bytes pass the guard. */
function dial({ host, port, hasTls }: RedisPlace, guard: ReplyGuard): Socket {
  const onBytes = (length: number, bytes: Uint8Array) => {
    try {
      socket.emit("data", guard.pass(Buffer.from(bytes.buffer, bytes.byteOffset, length)));
    } catch {
      // Without its code, it is an answer in another protocol.
      socket.destroy(new Error("no reply"));
    }
    return true;
  };
  const onread = { buffer: Buffer.alloc(CHUNK_BYTES), callback: onBytes };
  const address = { host, port, lookup: sharedLookup, onread };
  const name = isIP(host) === 0 ? { servername: host } : {};
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would change the default.
  const socket = hasTls ? connectTls({ ...address, ...name, rejectUnauthorized: true }) : connect(address);
  return socket;
}
