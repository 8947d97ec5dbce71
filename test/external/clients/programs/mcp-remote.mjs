// mcp-remote between Vitrine and a client that supports stdio only.
import { fileURLToPath } from "node:url";
import { Client } from "sdk-1.32/client/index.js";
import { StdioClientTransport } from "sdk-1.32/client/stdio.js";
import { sdkAdapter, CLIENT_INFO, reportAll, url } from "./report.mjs";

const bridge = fileURLToPath(new URL("../../node_modules/mcp-remote/dist/proxy.js", import.meta.url));
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [bridge, url, "--transport", "http-only"],
  env: process.env,
  stderr: "pipe",
});
// Its log is printed only if the program fails.
transport.stderr.on("data", (text) => process.stderr.write(text));

const client = new Client(CLIENT_INFO);
await client.connect(transport);
await reportAll(sdkAdapter(client));
