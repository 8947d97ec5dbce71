// A TCP proxy on loopback that can lose everything without a sign, as a network does when it is partitioned.
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

export interface TcpProxy {
  port: number;
  /** From now on connections are accepted and stay open, but nothing is passed on. */
  drop(): void;
  /** New connections work again. Those of before stay silent, because bytes of them are lost. */
  restore(): void;
  /** Resets all connections. */
  cut(): void;
  /** New connections go to this port. Those of before stay where they are, as after a fail-over behind one address. */
  lead(target: number): void;
}

/** Starts a proxy in front of a port of this computer. */
export async function startProxy(
  target: number,
  onFinished?: (cleanUp: () => Promise<void>) => void,
): Promise<TcpProxy> {
  const connections = new Set<{ near: Socket; isSilent: boolean }>();
  let isDropping = false;
  let leadsTo = target;
  const server = createServer((near) => {
    const connection = { near, isSilent: isDropping };
    connections.add(connection);
    const far = connect(leadsTo, "127.0.0.1");
    for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
      socket.on("data", (bytes) => connection.isSilent || other.write(bytes));
      socket.on("error", () => {}).on("close", () => connection.isSilent || other.destroy());
    }
    near.on("close", () => far.destroy());
  });
  return {
    port: await listen(server, onFinished),
    drop() {
      isDropping = true;
      for (const connection of connections) connection.isSilent = true;
    },
    restore: () => void (isDropping = false),
    cut() {
      for (const { near } of connections) near.resetAndDestroy();
      connections.clear();
    },
    lead: (target) => void (leadsTo = target),
  };
}
