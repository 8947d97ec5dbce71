// A process that carries out one attack: `attacker.ts PORT INDEX`. It reports when everything is sent, and ends when it is
// killed.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ATTACKS, type Attack } from "./attacks.ts";

/** Fewer than wait at a server with Node's default queue. */
const AT_A_TIME = 100;
/** Between two writes on a connection, so that they arrive one by one. */
const PAUSE_MS = 50;

async function attackOn(port: number, { writes, isReading = false }: Attack): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true }).on("error", () => {});
  await once(socket, "connect").catch(() => {});
  const [last = ""] = writes.slice(-1);
  if (isReading) socket.on("data", () => socket.write(last, "latin1"));
  else socket.pause();
  for (const bytes of writes) {
    socket.write(bytes, "latin1");
    await sleep(PAUSE_MS);
  }
}

/** Writes as fast as the server reads, and connects again when the server has closed. */
function flood(port: number, bytes: string): void {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true }).on("error", () => {});
  const write = () => {
    while (socket.writable && socket.write(bytes, "latin1"));
  };
  socket.resume().on("connect", write).on("drain", write);
  socket.on("close", () => setImmediate(flood, port, bytes));
}

const [, , port, index] = process.argv;
const attack = ATTACKS[Number(index)];
if (!attack) throw new Error(`there is no attack ${index}`);
const { connections, isSudden = false, isEndless = false, writes } = attack;
const atATime = isSudden ? connections : AT_A_TIME;
for (let opened = 0; opened < connections; opened += atATime) {
  const some = Math.min(atATime, connections - opened);
  const start = () => (isEndless ? flood(Number(port), writes.join("")) : attackOn(Number(port), attack));
  await Promise.all(Array.from({ length: some }, start));
}
process.send?.("everything is sent");
// Keeps the connections open.
setInterval(() => {}, 1_000);
