// An engine, for any kind of store, that refuses everything and repeats in its refusal all that it got.
import { createServer } from "node:net";
import { listen } from "./listen.ts";

/** Speaks RESP and HTTP on a port of loopback. */
export async function startEchoingEngine(): Promise<{ host: string; received: () => string }> {
  let received = "";
  const server = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
      const text = chunk.replace(/\s+/g, " ");
      if (chunk.startsWith("*")) return void socket.write(`-WRONGPASS ${text}\r\n`);
      const body = `<Error><Code>AccessDenied</Code><Message>${text}</Message></Error>`;
      const head = `HTTP/1.1 403 ${text.slice(0, 200)}\r\nx-echo: ${text}\r\ncontent-length: ${body.length}`;
      socket.write(`${head}\r\n\r\n${body}`);
    });
  });
  return { host: `127.0.0.1:${await listen(server)}`, received: () => received };
}
