// `npm run clients`: compares the answers that real MCP clients get with REST. A small program drives each client against
// the demo product; no keys and no network are needed. Two of them also have agents with the servers of two vendors, which
// must be told apart. Prints one line per client; exits with 1 if one fails. `--all` adds the clients that take long to
// install.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDemo } from "../../support/program/demo.ts";
import { ensureInstalled } from "../../support/install.ts";
import { nodeFor } from "../../support/find-node.ts";
import { askPlainly, faults, type ClientReport } from "./expected.ts";
import { AGENTS, CLIENTS, manifestOf, MORE, type McpClient } from "./list.ts";
import { mistakes, withTwoVendors, type Choice } from "./two-vendors.ts";

/** For one client. */
const TIME_LIMIT_MS = 60_000;

async function main(): Promise<void> {
  ensureInstalled();
  if (process.argv.includes("--all")) ensureInstalled(MORE);
  const home = await mkdtemp(join(tmpdir(), "vitrine-clients-"));
  try {
    await withDemo(async (base) => {
      const expected = await askPlainly(base);
      for (const client of CLIENTS) {
        const check = (told: ClientReport) => ({ found: faults(told, expected, client.protocol), good: summary(told) });
        say(await drive(client, { words: [`${base}/mcp`, ...client.words], home, check }));
      }
    });
    await withTwoVendors(async (vendors) => {
      const words = vendors.flatMap(({ name, url }) => [url, name]);
      const check = (told: Choice[]) => ({ found: mistakes(told, vendors), good: "tells two vendors apart" });
      for (const client of AGENTS) say(await drive(client, { words, home, check }));
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface DriveContext<Report> {
  /** The arguments of the program. */
  words: string[];
  /** A home directory that the clients may write to. */
  home: string;
  /** Returns the faults in the program's output, and the line for an output without any. */
  check: (told: Report) => { found: string[]; good: string };
}

/** Returns the line to print for a client. A failure also sets the exit code. */
async function drive<Report>(client: McpClient, { words, home, check }: DriveContext<Report>): Promise<string> {
  const manifest = manifestOf(client);
  if (!manifest) return `– ${client.name}: skipped, not installed (npm run clients -- --all)`;
  const name = `${client.name} (${manifest.version})`;
  const node = nodeFor(manifest.engines);
  if (node === undefined) return `– ${name}: skipped, needs Node ${manifest.engines}, this is ${process.version}`;
  try {
    const program = join(client.folder, "programs", client.program);
    const { found, good } = check(JSON.parse(await run(node, [program, ...words], home)) as Report);
    if (found.length === 0) return `✔ ${name}: ${good}`;
    throw new Error(found.join("; "));
  } catch (failure) {
    process.exitCode = 1;
    return `✖ ${name}: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
}

/** Returns the program's output. @throws Error with the reason that it printed. */
function run(node: string, words: string[], home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", OPENAI_AGENTS_DISABLE_TRACING: "1" };
  return new Promise((resolve, reject) => {
    execFile(
      node,
      words,
      { cwd: home, env, timeout: TIME_LIMIT_MS, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else
          reject(
            new Error(error.killed ? `no answer in ${TIME_LIMIT_MS / 1000} s` : reasonIn(stderr), { cause: error }),
          );
      },
    );
  });
}

/** The line with the error in Node's output. */
function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^\s*(\[cause\]: )?\w*Error\b/.test(line))?.trim() ?? lines.at(-1) ?? "it ended";
}

function summary({ tools, calls, resources, texts, protocol }: ClientReport): string {
  if (!tools) return "connects";
  const parts = [
    `${tools.length} tools`,
    `${calls?.length ?? 0} calls`,
    `${resources?.length ?? 0} resources`,
    `${texts?.length ?? 0} texts`,
  ];
  return parts.join(", ") + (protocol === undefined ? "" : `, by ${protocol}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
