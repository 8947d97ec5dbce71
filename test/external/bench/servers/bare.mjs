// Bare node:http, the baseline: a raw header list and one Buffer, no routing.
import { createServer } from "node:http";
import { readAnswer, report } from "./peer.mjs";

const { ok, notModified, tag, text } = readAnswer();
const body = Buffer.from(text);

const server = createServer((request, response) => {
  if (request.headers["if-none-match"] === tag) response.writeHead(304, notModified.list).end();
  else response.writeHead(200, ok.list).end(body);
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => report(server.address().port));
