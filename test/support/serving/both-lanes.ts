// Two servers over the same facts, one with the express lane and one without. Their answers must be identical byte for
// byte, except for the date.
import { afterAll, beforeAll, expect } from "vitest";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { serverSocket, untilRead } from "./server-sockets.ts";
import { freePort } from "../port.ts";
import { openRawConnection } from "./raw-connection.ts";
import { allSnapshots, startServer } from "./server.ts";
import { untilCompressed } from "./prepared-targets.ts";

/** Starts both servers for all tests of a file. */
export async function startBothLanes(snapshots: readonly Snapshot[] = allSnapshots().slice(0, 2)) {
  const [withLane, without] = [await start(true, snapshots), await start(false, snapshots)];
  beforeAll(async () => {
    for (const { port } of [withLane, without]) await untilCompressed(port);
  });
  return {
    withLane,
    without,
    /** Sends the pieces and a last request to both servers, and compares their answers. */
    async expectSame(...pieces: string[]): Promise<void> {
      const [express, usual] = await Promise.all(
        [withLane, without].map(({ port }) => responsesTo(port, [...pieces, LAST_REQUEST])),
      );
      expect(express).toBe(usual);
      expect(usual).toMatch(/^HTTP\/1\.1 \d{3} /);
    },
  };
}

async function start(expressLane: boolean, snapshots: readonly Snapshot[]) {
  return startServer({
    api: {
      baseUrl: "https://api.vendor.example",
      contact: "https://vendor.example/contact",
      origins: ["https://www.vendor.example"],
    },
    snapshots,
    port: await freePort(),
    share: true,
    expressLane,
    onFinished: afterAll,
  });
}

/** The last request of a connection: all earlier ones are answered before it. */
export const LAST_REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** The server's answers to the pieces, without dates. Each piece is sent after the one before it has been read, because the
 * lane never handles two requests that are read together. */
export async function responsesTo(port: number, pieces: readonly string[], isEnd = false): Promise<string> {
  const connection = openRawConnection(port, () => {});
  await connection.connected();
  const end = await serverSocket(connection.ports());
  let sent = 0;
  for (const piece of pieces) {
    connection.send(piece);
    sent += piece.length;
    await untilRead(end, sent);
    // The server would answer further bytes with a reset.
    if (!end.writable) break;
  }
  if (isEnd) connection.close();
  const heard = await connection.untilEnded();
  connection.reset();
  return heard.replaceAll(/^(Date: ).*/gm, "$1…");
}
