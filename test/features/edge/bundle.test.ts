// The edge as one file: small, and without anything that only Node.js has.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { bundleEdge, EDGE_MODULES } from "../../../cli/build/bundle.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { FACTS, PREPARED } from "../../support/serving/prepared-targets.ts";
import { ask, startServer } from "../../support/serving/server.ts";
import { NOW } from "../../support/snapshot.ts";

const directory = await temporaryDirectory(afterAll);
const edge = join(directory, "edge.mjs");
const { outputs } = await bundleEdge(edge);

describe("the edge as one file (server/features/edge/handler.ts)", () => {
  test("it has at most 450 KB, 140 KB compressed, and exports one function", async () => {
    const bytes = await readFile(edge);
    expect(bytes.byteLength).toBeLessThan(450_000);
    expect(gzipSync(bytes).byteLength).toBeLessThan(140_000);
    expect(Object.values(outputs).map((output) => output.exports)).toEqual([["createHandler"]]);
  });

  test("of Node's modules it imports only those that every platform has", () => {
    const imported = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect([...new Set(imported)].toSorted()).toEqual(EDGE_MODULES.toSorted());
  });

  /** Asks for targets. Timers are numbers, and the bundle has no global of Node's, though Node's own code needs them. */
  const PLATFORM = `
  import { readFile } from "node:fs/promises";
  const [edge, directory, base, now, targets] = JSON.parse(process.argv[1]);
  const { setTimeout, setInterval, console } = globalThis;
  globalThis.setTimeout = (...words) => Number(setTimeout(...words));
  globalThis.setInterval = (...words) => Number(setInterval(...words));
  for (const name of ["process", "Buffer", "global", "setImmediate"]) {
    const value = globalThis[name];
    const isAsked = () => new Error().stack.split("\\n")[3]?.includes(edge);
    const get = () => { if (isAsked()) throw new Error("no " + name); return value; };
    Object.defineProperty(globalThis, name, { get });
  }
  const { createHandler } = await import(edge);
  const warnings = [];
  const store = { get: (key) => readFile(directory + "/" + key).then((bytes) => new Uint8Array(bytes), () => {}), list: async () => [] };
  const options = { store, base, api: { contact: "hello@example.com" }, warn: (line) => warnings.push(line) };
  const handler = createHandler(options, { wall: () => now, steady: () => now });
  const answers = {};
  for (const target of targets) {
    const response = await handler(new Request(base + target));
    answers[target] = { status: response.status, text: await response.text() };
  }
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const mcp = await handler(new Request(base + "/mcp", { method: "POST", headers, body: JSON.stringify(message) }));
  console.log(JSON.stringify({ answers, mcp: await mcp.json(), warnings }));
`;

  test("answers without a global of Node's", async () => {
    const { base, directory, port } = await startServer();
    const words = JSON.stringify([edge, directory, base, NOW, PREPARED]);
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", PLATFORM, words]);
    const { answers, mcp, warnings } = JSON.parse((await run).stdout);
    expect(warnings).toEqual([]);
    for (const target of FACTS)
      expect(answers[target]).toMatchObject({ status: 200, text: (await ask(port, target)).text });
    expect(PREPARED.filter((target) => answers[target].status !== 200)).toEqual([]);
    const { _meta: dates, content, structuredContent } = mcp.result;
    const { about, ...facts } = structuredContent;
    expect(about).toEqual({ ...dates, note: content[1].text });
    expect(facts).toEqual(JSON.parse(answers["/api/v1/plans"].text));
  });
});
