// Bare node:http, the baseline: a raw header list and one Buffer, no routing. Its answer is taken from Vitrine.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { report } from "./report.mjs";

/** Headers are names and values in turns. */
const { ok, notModified, tag, text } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const body = Buffer.from(text);

const server = createServer((request, response) => {
  if (request.headers["if-none-match"] === tag) response.writeHead(304, notModified).end();
  else response.writeHead(200, ok).end(body);
});
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => report(server.address().port));
