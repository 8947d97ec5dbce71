// Two servers over the same facts, one with the express lane and one without: what they are sent alike they must answer
// alike, byte for byte, the date aside.
import { afterAll, beforeAll, expect } from "vitest";
import { freePort } from "./_port.ts";
import { dial } from "./_raw.ts";
import { everything, startServer } from "./_server.ts";
import { untilCompressed } from "./_surface.ts";

const [plans, macos] = everything();
const start = async (expressLane: boolean) =>
  startServer({
    api: { baseUrl: "https://api.vendor.example", contact: "https://vendor.example/contact" },
    snapshots: [plans!, macos!],
    port: await freePort(),
    expressLane,
    whenOver: afterAll,
  });
export const withLane = await start(true);
export const without = await start(false);
beforeAll(async () => {
  for (const { port } of [withLane, without]) await untilCompressed(port);
});

/** Ends a conversation: whatever was asked before is answered first. */
const LAST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** Everything that the server says to the pieces, each sent so that it can read it by itself, without dates. */
export async function hear(port: number, pieces: readonly string[], isEnd = false): Promise<string> {
  const connection = dial(port, () => {});
  await connection.connected();
  for (const piece of pieces) await connection.sent(piece);
  if (isEnd) connection.close();
  const heard = await connection.untilEnded();
  connection.reset();
  return heard.replaceAll(/^(Date: ).*/gm, "$1…");
}

/** Sends the pieces to both servers, and a last request behind them. */
export async function expectSame(...pieces: string[]): Promise<void> {
  const [express, usual] = await Promise.all([withLane, without].map(({ port }) => hear(port, [...pieces, LAST])));
  expect(express).toBe(usual);
  expect(usual).toMatch(/^HTTP\/1\.1 \d{3} /);
}
