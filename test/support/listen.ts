// Servers of tests, on loopback.
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on a free port, which it returns. At the end the server closes, and so do its connections. */
export async function listen(
  server: Server,
  onFinished: (cleanUp: () => Promise<void>) => void = onTestFinished,
): Promise<number> {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => {}).on("close", () => connections.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of connections) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
