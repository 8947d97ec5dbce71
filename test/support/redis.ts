// A real redis-server on loopback, in a temporary directory, without persistence.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { temporaryDirectory } from "./directory.ts";
import { FREE_PORTS_END, freePort } from "./port.ts";
import { startProcess } from "./program/process.ts";

/** The reason for skipping tests, also printed; undefined if redis-server is installed. */
export const NO_REDIS = missingReason();

function missingReason(): string | undefined {
  if (spawnSync("redis-server", ["--version"]).status === 0) return undefined;
  const reason = "redis-server is not installed (Debian package redis-server): its tests are skipped";
  console.warn(reason);
  return reason;
}

export interface RedisServer {
  port: number;
  pid: number;
  /** The location of a store: a new one, unless it has a name. */
  location(name?: string): string;
  /** Runs a command, such as `["CONFIG", "SET", "maxmemory", "1mb"]`. Resolves to the first line of the reply. */
  command(...words: string[]): Promise<string>;
  /** A section of its INFO, with a line for each field. */
  info(section: string): Promise<string>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

/** With cluster mode on, it listens on a second port, which is 10,000 higher, and must be no client's either. */
const END = FREE_PORTS_END - 10_000;

let stores = 0;

/** Starts a server; resolves when it answers. `onFinished`: `onTestFinished`, or `afterAll` outside of hooks. */
export async function startRedis(
  onFinished: (cleanUp: () => Promise<void>) => void,
  { port, settings = [] }: { port?: number; settings?: readonly string[] } = {},
): Promise<RedisServer> {
  const directory = await temporaryDirectory(onFinished);
  let own = port ?? (await freePort());
  while (port === undefined && own >= END) own = await freePort();
  // A settings file comes first.
  const words = [...settings, "--port", String(own), "--bind", "127.0.0.1", "--save", "", "--dir", directory];
  const {
    pid = 0,
    hasEnded,
    stop,
    output,
  } = startProcess(["redis-server", ...words], { environment: process.env, onFinished });
  while ((await send(own, ["PING"]).catch(() => "")) === "") {
    if (hasEnded()) throw new Error(`redis-server ended: ${output.stdout}`);
  }
  return {
    port: own,
    pid,
    location: (name = `store-${++stores}`) => `redis://127.0.0.1:${own}/0/${name}`,
    command: async (...command) => (await send(own, command)).split("\r\n")[0] ?? "",
    info: (section) => send(own, ["INFO", section]),
    kill: async () => void (await stop("SIGKILL")),
  };
}

/** Sends a command over a connection of its own. Resolves to the reply, or to its first packet. */
async function send(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    socket.write(`*${words.length}\r\n${parts.join("")}`);
    const [reply] = (await once(socket, "data")) as [Buffer];
    return reply.toString();
  } finally {
    socket.destroy();
  }
}
