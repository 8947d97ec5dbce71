// The commands of docs/edge.md and examples/edge on the platforms' own tools: `deno serve`, `bun run`, and `wrangler dev`, which
// runs workerd with a bucket of R2 or a namespace of KV on this computer.
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { documented, startVendor } from "../../examples/edge-vendor.ts";
import { projectFile } from "../../examples/read.ts";
import { PACKAGES } from "../../support/install.ts";
import { freePort } from "../../support/port.ts";
import { startProcess } from "../../support/program/process.ts";
import { isOk, pollUntil } from "../../support/serving/server.ts";

const EXAMPLES = join(import.meta.dirname, "../../../examples/edge");
const TOOLS = [".bin", "@deno/linux-x64-glibc", "@oven/bun-linux-x64/bin"].map((folder) => join(PACKAGES, folder));
/** Wrangler asks Cloudflare for nothing. */
const ALONE = { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false", CI: "1", NO_COLOR: "1" };

/** Runs the one documented command with this word, on another port, until the test is over. */
async function start(word: string, directory: string) {
  const [command = ""] = await documented(word);
  const port = await freePort();
  const line = command.replace("npx ", "").replace("8000", String(port));
  // This Node.js first: among the tools is one that is too old, for another check.
  const environment = {
    ...ALONE,
    HOME: directory,
    PATH: [dirname(process.execPath), ...TOOLS, process.env.PATH].join(delimiter),
  };
  startProcess(["sh", "-c", line], { directory, environment, isGroup: true });
  const get = (path: string) => fetch(`http://localhost:${port}${path}`).catch(() => undefined);
  const [asked = ""] = await documented("ask");
  const [, path = ""] = /^curl -s http:\/\/localhost:8000(\S+)$/.exec(asked) ?? [];
  // Its first request gets 502 if reading the store takes long.
  const answer = await pollUntil(() => get(path), isOk);
  return { get, answer };
}

describe.for(["bun", "deno", "cloudflare"])("with the documented command for %s", (word) => {
  test("the built file answers from the web host", async () => {
    const { directory } = await startVendor();
    await cp(join(EXAMPLES, "cloudflare"), directory, { recursive: true });
    const { answer, get } = await start(word, directory);
    expect(await answer?.json()).toHaveProperty("plans.0.id");
    expect((await get("/changes.json"))?.status).toBe(404);
  });
});

/** As far as it is used. The types of the package are there only where it is installed. */
interface Wrangler {
  getPlatformProxy(options: {
    configPath: string;
    persist: { path: string };
  }): Promise<{ env: { FACTS: { put(key: string, value: string): Promise<unknown> } }; dispose(): Promise<void> }>;
}

/** Puts files of the collector's store into the binding. */
async function fill(directory: string, store: string, isWanted: (key: string) => boolean): Promise<void> {
  const persist = { path: join(directory, ".wrangler/state/v3") };
  const { getPlatformProxy } = (await import(join(PACKAGES, "wrangler/wrangler-dist/cli.js"))) as Wrangler;
  const { env, dispose } = await getPlatformProxy({ configPath: join(directory, "wrangler.jsonc"), persist });
  for (const key of (await readdir(store, { recursive: true })).filter(isWanted)) {
    await env.FACTS.put(key, await readFile(join(store, key), "utf8"));
  }
  await dispose();
}

test("on Workers with R2, the facts, the history and the collector's state come from the bucket", async () => {
  const { directory, store } = await startVendor();
  await cp(join(EXAMPLES, "cloudflare-r2"), directory, { recursive: true });
  await fill(directory, store, (key) => key.endsWith(".json"));
  const { get } = await start("cloudflare", directory);
  expect(await (await get("/status"))?.json()).toHaveProperty("snapshots.0.lastOutcome.result", "changed");
  expect(await (await get("/changes.json"))?.json()).toHaveProperty("items");
});

test("on Workers with KV and the documented lines, the facts come from the namespace", async () => {
  const { directory, store } = await startVendor();
  const settings = await projectFile("examples/edge/cloudflare-r2/wrangler.jsonc");
  const namespace = '"kv_namespaces": [{ "binding": "FACTS", "id": "facts" }]';
  await writeFile(join(directory, "wrangler.jsonc"), settings.replace(/"r2_buckets": .*(?=,\n)/, namespace));
  const worker = await projectFile("examples/edge/cloudflare-r2/worker.mjs");
  const [lines = ""] = await documented("kv");
  await writeFile(
    join(directory, "worker.mjs"),
    worker.replace(/const store = .*createHandler\(\{ store \}\);/s, lines),
  );
  await fill(directory, store, (key) => /^(?:plans|release-\w+)\.json$/.test(key));
  const { get } = await start("cloudflare", directory);
  expect((await get("/changes.json"))?.status).toBe(404);
});
