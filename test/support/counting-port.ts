// A port that counts who connects, for tests of what must not be asked.
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A port on all addresses of this computer, and the number of connections to it. */
export async function countingPort() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}
