// Observes servers in the test's own process through Node's diagnostics channels, so that no test depends on timing.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setImmediate as aTurn } from "node:timers/promises";

/** The servers' sockets of open connections, by the ports of both ends, the client's first. */
const ends = new Map<string, Socket>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  const ports = `${socket.remotePort} ${socket.localPort}`;
  ends.set(ports, socket);
  socket.once("close", () => ends.delete(ports));
});

/** The server's socket of a new connection. `ports`: those of both ends, the client's first. */
export async function serverSocket(ports: string): Promise<Socket> {
  for (;;) {
    const end = ends.get(ports);
    if (end) return end;
    await aTurn();
  }
}

/** Resolves when the server has read this many bytes, or has closed the connection. */
export async function untilRead(end: Socket, bytes: number): Promise<void> {
  while (end.bytesRead < bytes && !end.destroyed) await aTurn();
}

/** The number of requests that reached node:http in a server during the work. */
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
