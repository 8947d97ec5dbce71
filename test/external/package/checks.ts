// The checks of the installed package. Each gets the installation and the version of Node.
import { deepEqual, equal, match } from "node:assert/strict";
import { access, copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { transform } from "esbuild";
import { PlansResponse } from "../../../snapshots/schema.ts";
import { isOk, pollUntil } from "../../support/serving/server.ts";
import type { Installed } from "./installed.ts";

export const CHECKS: Record<string, (installed: Installed, version: string) => Promise<void>> = {
  "has no dependencies and prints its version": async (installed) => {
    const lock = JSON.parse(await readFile(join(installed.directory, "package-lock.json"), "utf8"));
    deepEqual(Object.keys(lock.packages), ["", "node_modules/vitrine"]);
    const { stdout } = await installed.vitrine("--version");
    equal(stdout.trim(), lock.packages["node_modules/vitrine"].version);
  },

  "installs the files for operators": async (installed) => {
    const directory = join(installed.directory, "node_modules/vitrine");
    match(await readFile(join(directory, "SECURITY.md"), "utf8"), /report vulnerabilities/i);
    await access(join(directory, "dist/sbom.cdx.json"));
    // At the path that the instructions in the unit give.
    const unit = await readFile(join(directory, "examples/systemd/vitrine.service"), "utf8");
    match(unit, /cd "\$\(npm root --global\)\/vitrine\/examples\/systemd" && cp \*\.service \*\.socket /);
    for (const name of ["examples/systemd", "examples/alerts", "examples/nginx"]) {
      deepEqual(await readdir(join(directory, name)), await readdir(join(import.meta.dirname, "../../..", name)));
    }
  },

  "serves the demo: REST, the page, MCP over HTTP": (installed) =>
    installed.whileServing(["start"], async (base) => {
      await pollUntil(() => fetch(`${base}/readyz`), isOk);
      const plans = PlansResponse.parse(await json(`${base}/api/v1/plans`));
      match(await (await fetch(`${base}/`)).text(), /Lumen Notes/);
      match(JSON.stringify(await json(`${base}/openapi.json`)), /Lumen Notes/);
      await withClient(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)), async (client) => {
        deepEqual(await plansBy(client), plans);
      });
    }),

  "answers MCP on stdin and stdout": async (installed) => {
    const [command, ...args] = installed.npx;
    const { directory: cwd, environment: env } = installed;
    const transport = new StdioClientTransport({
      command,
      args: [...args, "mcp", "--demo"],
      cwd,
      env,
      stderr: "ignore",
    });
    await withClient(transport, async (client) => {
      PlansResponse.parse(await plansBy(client));
      match(JSON.stringify(await client.readResource({ uri: "product://overview" })), /Lumen Notes/);
    });
  },

  "writes settings, checks them and collects": async (installed) => {
    match((await installed.vitrine("init")).stdout, /npx --no vitrine start/);
    await installed.vitrine("check");
    match((await installed.vitrine("collect")).stdout, /plans .* changed/);
    const { $schema } = JSON.parse(await readFile(join(installed.directory, "vitrine.config.json"), "utf8"));
    JSON.parse(await readFile(join(installed.directory, $schema), "utf8"));
  },

  "answers at the edge": async (installed) => {
    await installed.vitrine("collect", "--demo");
    await copyFile(join(import.meta.dirname, "program/edge.mjs"), join(installed.directory, "edge.mjs"));
    const { stdout } = await installed.run("node", "edge.mjs", "snapshots/data/demo");
    PlansResponse.parse(JSON.parse(stdout));
  },

  "collects from a vendor's own program, in TypeScript if Node can run it": async (installed, version) => {
    const text = await readFile(join(import.meta.dirname, "program/my-source.ts"), "utf8");
    const isRead = Number(/\d+/.exec(version)) >= 22;
    const name = isRead ? "my-source.ts" : "my-source.mjs";
    const written = isRead ? text : (await transform(text, { loader: "ts" })).code;
    await writeFile(join(installed.directory, name), written);
    const settings = {
      plans: { from: "command", command: ["node", name] },
      releases: { from: "file", path: "product/releases.json" },
      snapshots: "from-command",
      guard: false,
    };
    await writeFile(join(installed.directory, "command.config.json"), JSON.stringify(settings));
    const { stdout } = await installed.vitrine("collect", "--config", "command.config.json");
    match(stdout, /plans +1 plan, 1 cycle +changed/);
  },
};

async function json(url: string): Promise<unknown> {
  const response = await fetch(url);
  equal(response.status, 200, url);
  return response.json();
}

async function withClient(transport: object, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ name: "package", version: "1.0.0" });
  try {
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await client.connect(transport as Transport);
    await use(client);
  } finally {
    await client.close();
  }
}

async function plansBy(client: Client): Promise<unknown> {
  const { about: _, ...plans } = Object((await client.callTool({ name: "get_pricing" })).structuredContent);
  return plans;
}
