// What servers in the test's own process do with what they are sent, as Node itself tells it: nothing is guessed from time.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setImmediate as aTurn } from "node:timers/promises";

/** The servers' ends of the connections that are open, by the ports of both ends, the client's first. */
const ends = new Map<string, Socket>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  const ports = `${socket.remotePort} ${socket.localPort}`;
  ends.set(ports, socket);
  socket.once("close", () => ends.delete(ports));
});

/** The server's end of a connection that nothing was sent on yet. `ports`: of both ends, the client's first. */
export async function serverSocket(ports: string): Promise<Socket> {
  for (;;) {
    const end = ends.get(ports);
    if (end) return end;
    await aTurn();
  }
}

/** Resolves when the server has read so many bytes of the connection, or will read no more. */
export async function untilRead(end: Socket, bytes: number): Promise<void> {
  while (end.bytesRead < bytes && !end.destroyed) await aTurn();
}

/** How many requests node:http itself has been given by a server while the work was done. */
export async function countNodeHttpRequests(port: number, work: () => Promise<void>): Promise<number> {
  let seen = 0;
  const count = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === port) seen++;
  };
  subscribe("http.server.request.start", count);
  await work().finally(() => unsubscribe("http.server.request.start", count));
  return seen;
}
