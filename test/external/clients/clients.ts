// `npm run clients`: compares the answers that real MCP clients, and the readers in docs/links.md, get with REST. A small program
// drives each client against the demo product; no keys and no network are needed. Prints one line per client; exits with 1 if one fails.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { withDemo } from "../../support/program/demo.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { nodeFor } from "../../support/find-node.ts";
import { askPlainly, faults, type ClientReport } from "./expected.ts";

/** For one client. */
const TIME_LIMIT_MS = 60_000;
const NEWEST = "2026-07-28";
const SDK_2 = "@modelcontextprotocol/client";

interface McpClient {
  packageName: string;
  /** Drives it, in `programs`. */
  program: string;
  words?: string[];
  /** The revision to be negotiated, if the client reports it. */
  protocol?: string;
}

const CLIENTS: Readonly<Record<string, McpClient>> = {
  "SDK 1.10": { packageName: "sdk-1.10", program: "sdk.mjs", words: ["sdk-1.10"] },
  "SDK 1.17": { packageName: "sdk-1.17", program: "sdk.mjs", words: ["sdk-1.17"], protocol: "2025-06-18" },
  "SDK 1.32": { packageName: "sdk-1.32", program: "sdk.mjs", words: ["sdk-1.32"], protocol: "2025-11-25" },
  "SDK 2, legacy": { packageName: SDK_2, program: "sdk-2.mjs", words: ["legacy"], protocol: "2025-11-25" },
  "SDK 2, auto": { packageName: SDK_2, program: "sdk-2.mjs", words: ["auto"], protocol: NEWEST },
  [`SDK 2, ${NEWEST}`]: { packageName: SDK_2, program: "sdk-2.mjs", words: [NEWEST], protocol: NEWEST },
  "AI SDK 1": { packageName: "@ai-sdk/mcp-1", program: "ai-sdk.mjs", words: ["@ai-sdk/mcp-1"] },
  "AI SDK 2": { packageName: "@ai-sdk/mcp-2", program: "ai-sdk.mjs", words: ["@ai-sdk/mcp-2"] },
  "mcp-remote": { packageName: "mcp-remote", program: "mcp-remote.mjs" },
};

async function main(): Promise<void> {
  ensureInstalled();
  // The clients get a home directory that they may write to.
  const home = await mkdtemp(join(tmpdir(), "vitrine-clients-"));
  try {
    await withDemo(async (base) => {
      const expected = await askPlainly(base);
      for (const [title, { packageName, program, words = [], protocol }] of Object.entries(CLIENTS)) {
        const { version, engines } = JSON.parse(await readFile(join(PACKAGES, packageName, "package.json"), "utf8"));
        const node = nodeFor(engines?.node);
        if (node === undefined) {
          say(`– ${title} (${version}): skipped, needs Node ${engines.node}, this is ${process.version}`);
          continue;
        }
        const told = await drive<ClientReport>(node, [program, `${base}/mcp`, ...words], home);
        const found = typeof told === "string" ? [told] : faults(told, expected, protocol);
        if (found.length > 0) process.exitCode = 1;
        const isGood = typeof told !== "string" && found.length === 0;
        say(`${isGood ? "✔" : "✖"} ${title} (${version}): ${isGood ? summary(told) : found.join("; ")}`);
      }
      const readings = await drive<Reading[]>(process.execPath, ["readers.mjs", base], home);
      if (typeof readings === "string") throw new Error(readings);
      for (const [name, found, wanted] of readings) {
        const isGood = isDeepStrictEqual(found, wanted);
        if (!isGood) process.exitCode = 1;
        say(`${isGood ? "✔" : "✖"} docs/links.md, ${name}: ${JSON.stringify(found)}`);
      }
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** What a reader read from the demo, and what it should have read. */
type Reading = readonly [name: string, found: unknown, wanted: unknown];

/** Returns the report of a program in `programs`, or the reason for having none. */
async function drive<Report>(node: string, [program = "", ...words]: string[], home: string): Promise<Report | string> {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1" };
  const options = { cwd: home, env, timeout: TIME_LIMIT_MS, killSignal: "SIGKILL" as const };
  try {
    const path = join(import.meta.dirname, "programs", program);
    return JSON.parse((await promisify(execFile)(node, [path, ...words], options)).stdout) as Report;
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  }
}

function summary({ tools, calls, resources, texts, protocol }: ClientReport): string {
  const counts = `${tools.length} tools, ${calls.length} calls, ${resources.length} resources, ${texts.length} texts`;
  return counts + (protocol === undefined ? "" : `, by ${protocol}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
