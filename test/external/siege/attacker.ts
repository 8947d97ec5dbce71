// A process that carries out one attack: `attacker.ts PORT INDEX`. It reports when everything is sent, and ends when it is
// killed.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ATTACKS, type Attack } from "./attacks.ts";

/** Fewer than a server's backlog. */
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

const [, , port, index] = process.argv;
const attack = ATTACKS[Number(index)];
if (!attack) throw new Error(`there is no attack ${index}`);
for (let opened = 0; opened < attack.connections; opened += AT_A_TIME) {
  const some = Math.min(AT_A_TIME, attack.connections - opened);
  await Promise.all(Array.from({ length: some }, () => attackOn(Number(port), attack)));
}
process.send?.("everything is sent");
// Keeps the connections open.
setInterval(() => {}, 1_000);
