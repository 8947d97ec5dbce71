// The answers that real MCP clients get from the demo product, compared with REST, and what the readers in docs/links.md read. A small
// program drives each; no keys and no network are needed.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { newerNode } from "../../support/find-node.ts";
import { ensureInstalled } from "../../support/install.ts";
import { startDemo } from "../../support/program/demo.ts";
import { askPlainly, expectSame, type ClientReport } from "./expected.ts";

/** For one client. */
const TIME_LIMIT_MS = 60_000;
const NEWEST = "2026-07-28";

interface McpClient {
  title: string;
  /** Of `programs/client.mjs`. */
  kind: string;
  word?: string;
  /** The revision to be negotiated, if the client reports it. */
  protocol?: string;
}

const CLIENTS: McpClient[] = [
  { title: "SDK 1.10", kind: "sdk", word: "sdk-1.10" },
  { title: "SDK 1.17", kind: "sdk", word: "sdk-1.17", protocol: "2025-06-18" },
  { title: "SDK 1.32", kind: "sdk", word: "sdk-1.32", protocol: "2025-11-25" },
  { title: "SDK 2, legacy", kind: "sdk-2", word: "legacy", protocol: "2025-11-25" },
  { title: "SDK 2, auto", kind: "sdk-2", word: "auto", protocol: NEWEST },
  { title: `SDK 2, ${NEWEST}`, kind: "sdk-2", word: NEWEST, protocol: NEWEST },
  { title: "AI SDK 1", kind: "ai-sdk", word: "@ai-sdk/mcp-1" },
  { title: "AI SDK 2", kind: "ai-sdk", word: "@ai-sdk/mcp-2" },
  { title: "mcp-remote", kind: "mcp-remote" },
];

ensureInstalled();
const node = newerNode();
const { base } = await startDemo(afterAll);
const expected = await askPlainly(base);
/** The clients may write to it. */
const home = await temporaryDirectory(afterAll);

test.skipIf(node === undefined).for(CLIENTS)("$title gets the answers of REST", async ({ kind, word, protocol }) => {
  const report = await drive<ClientReport>("client.mjs", `${base}/mcp`, kind, word ?? "");
  expectSame(report, expected, protocol);
});

test("the readers of docs/links.md read what they should", async () => {
  type Reading = readonly [name: string, found: unknown, wanted: unknown];
  const readings = await drive<Reading[]>("readers.mjs", base);
  for (const [name, found, wanted] of readings) expect.soft(found, name).toEqual(wanted);
});

/** The report of a program in `programs`. */
async function drive<Report>(program: string, ...words: string[]): Promise<Report> {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
  const options = { cwd: home, env, timeout: TIME_LIMIT_MS, killSignal: "SIGKILL" as const };
  const path = join(import.meta.dirname, "programs", program);
  return JSON.parse((await promisify(execFile)(node ?? "", [path, ...words], options)).stdout) as Report;
}
