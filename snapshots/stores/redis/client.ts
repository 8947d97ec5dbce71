// Commands on one connection, which is opened again by the next command after it has ended.
import { connect, isIP, type Socket } from "node:net";
import { Unreachable, type StoreError } from "../../store.ts";
import { sharedLookup } from "../shared-lookup.ts";
import type { CommandWord, RedisConnection } from "./connection.ts";
import type { RedisPlace } from "./place.ts";
import type { RedisReply } from "./replies.ts";

/** For an operation of the store, which may need a new connection and several commands. */
const OPERATION_MS = 2_800;

export class RedisClient {
  readonly #open: () => RedisConnection;
  #connection: RedisConnection | undefined;
  #closed: StoreError | undefined;

  constructor(open: () => RedisConnection) {
    this.#open = open;
  }

  /** Until when an operation that begins now has to end. */
  deadline(): number {
    return performance.now() + OPERATION_MS;
  }

  /** @throws StoreError */
  async ask(words: readonly CommandWord[], deadline = this.deadline()): Promise<RedisReply> {
    if (this.#closed) throw this.#closed;
    const connection = (this.#connection ??= this.#connect());
    await connection.ready;
    return connection.call(words, Math.max(0, deadline - performance.now()));
  }

  close(): void {
    this.#closed = new Unreachable("the store is closed");
    this.#connection?.end(this.#closed);
  }

  #connect(): RedisConnection {
    const connection = this.#open();
    void connection.ended.then(() => (this.#connection = undefined));
    return connection;
  }
}

/** A function that begins a connection to the engine. TLS is loaded only if it is used. */
export async function dialler({ host, port, hasTls }: RedisPlace): Promise<() => Socket> {
  const address = { host, port, lookup: sharedLookup };
  if (!hasTls) return () => connect(address);
  const tls = await import("node:tls");
  const name = isIP(host) === 0 ? { servername: host } : {};
  // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would change the default.
  return () => tls.connect({ ...address, ...name, rejectUnauthorized: true });
}
