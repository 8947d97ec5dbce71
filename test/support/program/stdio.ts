// `vitrine mcp` as an MCP host starts it: a separate process, controlled line by line or through the official client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import { converseInProcess } from "./in-process.ts";
import { PROGRAM } from "./program.ts";

interface StdioOptions {
  /** The working directory. */
  directory: string;
  /** Arguments after `mcp`. */
  args?: readonly string[];
  environment?: Record<string, string>;
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

interface StdioProgramOptions extends StdioOptions {
  /** Node's arguments before `mcp`. */
  program?: readonly string[];
}

/** Starts the process and returns at once. */
export function startStdio({
  directory,
  args = [],
  environment,
  program = PROGRAM,
  onFinished = onTestFinished,
}: StdioProgramOptions) {
  const child = spawn(process.execPath, [...program, "mcp", ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(([code]: unknown[]) => code);
  const closed = once(child, "close");
  onFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // The process may end before it has read all input.
  child.stdin.on("error", () => {});
  return {
    ...conversationOver(child.stdin, child.stdout, () => errors),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves to its exit code; null if a signal ended it. */
    exited,
  };
}

/** The same in the test's process, for all that signals and the process's own pipes have no part in. */
export function startStdioInProcess({ directory, args = [], environment, onFinished = onTestFinished }: StdioOptions) {
  const { stdin, stdout, output, exited, stop } = converseInProcess(args, { directory, environment });
  onFinished(async () => {
    stop();
    await exited;
  });
  return { ...conversationOver(stdin, stdout, () => output.stderr), exited };
}

function conversationOver(stdin: Writable, stdout: Readable, errors: () => string) {
  let read: AsyncIterator<string> | undefined;
  const linesOf = () => (read ??= createInterface({ input: stdout })[Symbol.asyncIterator]());

  /** The next line of its output, as JSON. @throws Error if there is none, or it is not JSON. */
  async function next(): Promise<unknown> {
    const { value, done } = await linesOf().next();
    if (done) throw new Error(`it ended without an answer: ${errors()}`);
    return JSON.parse(value);
  }
  return {
    stdin,
    stdout,
    next,
    /** Sends a line; an object is sent as JSON. */
    send: (line: string | Uint8Array | object) =>
      void stdin.write(typeof line === "string" || line instanceof Uint8Array ? line : `${JSON.stringify(line)}\n`),
    ask(method: string, params?: unknown, id: string | number = 1): Promise<unknown> {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return next();
    },
    /** Ends its input and returns the remaining output. @throws Error if that is not JSON. */
    async end(): Promise<unknown[]> {
      stdin.end();
      const rest: unknown[] = [];
      for await (const line of { [Symbol.asyncIterator]: linesOf }) rest.push(JSON.parse(line));
      return rest;
    },
    /** Its output on stderr so far. */
    errors,
  };
}

/** The official client, connected to a new process. `command`: replaces `vitrine mcp`. */
export async function connectClient(
  { directory, args = [], environment = {}, program = PROGRAM }: StdioProgramOptions,
  command: readonly string[] = [process.execPath, ...program, "mcp", ...args],
): Promise<Client> {
  const [file = "", ...words] = command;
  const transport = new StdioClientTransport({
    command: file,
    args: words,
    cwd: directory,
    env: environment,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}
