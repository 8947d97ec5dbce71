// The Inspector's command line, one process per request.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { reportAll, url } from "../../programs/report.mjs";

const INSPECTOR = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url),
);

function inspect(method, ...more) {
  const words = [INSPECTOR, "--cli", url, "--transport", "http", "--method", method, ...more];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8", timeout: 30_000 }));
}

await reportAll({
  tools: () => inspect("tools/list").tools.map((tool) => tool.name),
  call(name, input) {
    const pairs = Object.entries(input).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    return inspect("tools/call", "--tool-name", name, ...pairs);
  },
  resources: () => inspect("resources/list").resources.map(({ uri }) => uri),
  read: (uri) => inspect("resources/read", "--uri", uri),
});
