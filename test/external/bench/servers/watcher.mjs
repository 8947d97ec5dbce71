// The smallest server of a changing file: node:http, and plans.json read again on each event of fs.watch.
import { createHash } from "node:crypto";
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { report } from "./peer.mjs";

const directory = process.argv[2];
const path = join(directory, "plans.json");
let [body, tag] = [Buffer.alloc(0), ""];

async function read() {
  body = await readFile(path);
  tag = `"${createHash("sha256").update(body).digest("base64url")}"`;
}

await read();
watch(directory, (_event, name) => name === "plans.json" && void read());
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-length": body.length, etag: tag }).end(body);
});
server.listen(0, "127.0.0.1", () => report(server.address().port));
