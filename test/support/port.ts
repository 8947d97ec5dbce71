// Ports, for servers whose port must be known beforehand.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** From here no port is one that fetch and browsers refuse. */
const LOWEST = 11_000;
/** From here systems take ports for clients, and for servers that listen on any. */
export const FREE_PORTS_END = 32_768;

/** A port that is not in use, and that the system gives to no program unless it asks for it by number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, FREE_PORTS_END);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}

/** Whether something accepts connections on a port of this computer. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}
