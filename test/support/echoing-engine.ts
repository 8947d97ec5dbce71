// An engine, for any kind of store, that refuses everything and repeats in its refusal all that it got.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Speaks RESP and HTTP on a port of loopback. */
export async function startEchoingEngine(): Promise<{ host: string; received: () => string }> {
  let received = "";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
      const text = chunk.replace(/\s+/g, " ");
      if (chunk.startsWith("*")) return void socket.write(`-WRONGPASS ${text}\r\n`);
      const body = `<Error><Code>AccessDenied</Code><Message>${text}</Message></Error>`;
      const head = `HTTP/1.1 403 ${text.slice(0, 200)}\r\nx-echo: ${text}\r\ncontent-length: ${body.length}`;
      socket.write(`${head}\r\n\r\n${body}`);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received };
}
