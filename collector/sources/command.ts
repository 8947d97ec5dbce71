// Source `command`: a program of the vendor's, for upstreams that no other source reads. It runs without a shell in the folder
// of the settings file and prints one JSON document in Vitrine's own shape. It is as trusted as the collector, but its accidents
// are contained: its time and its output are bounded, it ends with all processes that it has started, and what it prints passes
// the same gate as every other answer.
import { spawn, spawnSync } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, dirname, resolve } from "node:path";
import * as z from "zod";
import { errorCode } from "../../snapshots/system-calls.ts";
import { withDeadline } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";
import { decodeText, MAX_BYTES, MAX_SIZE } from "../http/fetch.ts";
import { programVariables, requestTimeout, withSecrets, type Environment } from "../http/request.ts";
import { displayName } from "../parsing/shape.ts";
import { ownSchedule } from "../setting-values.ts";
import { sourceKind } from "../source.ts";
import { ownCandidate, parseDocument } from "./own-shape/own-shape.ts";
import { secretFinder } from "./secret-leak.ts";

const argument = z
  .string()
  .max(4_096)
  .regex(/^[^\0]*$/, "must have no null character")
  .refine((text) => !/^\$[A-Za-z_]\w*$/.test(text), 'is not replaced here: give the variable in "env"');

export const command = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("command"),
      command: z
        .tuple([argument.min(1, "must name a program")], argument, 'must be a list such as ["node", "facts.mjs"]')
        .describe("The program and its arguments, run without a shell in the folder of the settings file"),
      env: programVariables.optional(),
      timeout: requestTimeout.describe("Time for the program, after which it is ended with all that it has started"),
      schedule: ownSchedule,
    })
    .describe("Your own program, which prints JSON in Vitrine's own shape"),
  open(settings, { names, directory, environment, log = () => {} }) {
    const { command, timeout } = settings;
    const env = { ...inherited(environment), ...withSecrets(settings.env ?? {}, environment) };
    const hasSecret = secretFinder(settings, environment);
    const shown = (line: string) => (hasSecret(line) ? "a line with a secret, which is not shown" : plain(line));
    return {
      kind: "command",
      names,
      fetch: ({ signal: stop }) =>
        withDeadline(timeout, stop, async (signal) => {
          const run = runProgram(command, { directory, env, timeout, signal, shown, log });
          const body = await run.catch((error: unknown) => {
            if (error instanceof UpstreamError) throw error;
            throw new UpstreamError(startProblem(command[0], errorCode(error) ?? "unknown error"), { cause: error });
          });
          return { upstream: parseDocument(decodeText(body, "a command's output")) };
        }),
      translate: (document, name) => ownCandidate(document, name, { names }),
    };
  },
});

const IS_WINDOWS = process.platform === "win32";

/** Programs on Windows need more than PATH and HOME to start. */
const INHERITED = IS_WINDOWS ? ["HOME", "USERPROFILE", "SystemRoot", "PATHEXT", "TEMP"] : ["HOME"];

/** Every program gets these variables. The Node.js that runs the collector is found last, for a service whose PATH lacks it. */
function inherited(environment: Environment): Record<string, string | undefined> {
  const path = [environment.PATH, dirname(process.execPath)].filter(Boolean).join(delimiter);
  return { PATH: path, ...Object.fromEntries(INHERITED.map((name) => [name, environment[name]])) };
}

interface ProgramRun {
  directory: string;
  env: Record<string, string | undefined>;
  timeout: number;
  signal: AbortSignal;
  shown: (line: string) => string;
  log: (line: string) => void;
}

const MAX_LINES = 100;
const MAX_LINE_READ = 4_096;

/** Runs a program to its end and resolves to what it printed. @throws UpstreamError with the exit code and the last line of
 * stderr that says something; the system's error if the program cannot be started. */
function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  { directory, env, timeout, signal, shown, log }: ProgramRun,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Detached: in a process group of its own, which can be ended as a whole.
    const options = { cwd: directory, env, detached: !IS_WINDOWS, windowsHide: true };
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const { stdout, stderr } = child;
    const chunks: Uint8Array[] = [];
    let [printed, told, lines] = [0, 0, 0];
    let [rest, last] = ["", ""];

    const readLine = (line: string) => {
      if (line.trim() === "") return;
      if (last === "" || isReason(line)) last = line;
      if (lines++ < MAX_LINES) log(shown(line));
    };
    const fail = (reason: string) => {
      readLine(rest);
      rest = "";
      reject(new UpstreamError(last === "" ? reason : `${reason}: ${shown(last)}`));
    };
    const end = (reason: string) => {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning) endGroup(child.pid);
      for (const stream of [stdout, stderr]) stream.destroy();
      fail(reason);
    };

    stdout.on("data", (chunk: Uint8Array) => {
      printed += chunk.byteLength;
      if (printed > MAX_BYTES) return end(`the command printed more than ${MAX_SIZE}`);
      chunks.push(chunk);
    });
    stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text.length;
      if (told > MAX_BYTES) return end(`the command wrote more than ${MAX_SIZE} to stderr`);
      const complete = (rest + text).split(/\r\n?|\n/).map((line) => line.slice(0, MAX_LINE_READ));
      rest = complete.pop() ?? "";
      complete.forEach(readLine);
    });
    signal.addEventListener("abort", () => end(`the command did not end within ${timeout / 1000} s`), { once: true });
    child.on("error", reject);
    // What it has left behind would hold its output open. On Windows nothing knows its children any more.
    if (!IS_WINDOWS) child.on("exit", () => endGroup(child.pid));
    child.on("close", (code, by) => {
      if (code === null) return fail(`the command was ended by ${by}`);
      if (code !== 0) return fail(`the command ended with exit code ${code}`);
      readLine(rest);
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Ends a program and its children at once: one that hangs may not heed a request. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (IS_WINDOWS)
    return void spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

/** A line of stderr may say why a program failed. Node.js also prints an indented trace, and its own version. */
function isReason(line: string): boolean {
  return /^[^\s}]/.test(line) && !/^Node\.js v\d/.test(line);
}

const MAX_LINE_SHOWN = 200;

function plain(line: string): string {
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, MAX_LINE_SHOWN)
    .toWellFormed();
}

function startProblem(program: string, code: string): string {
  const name = displayName(program);
  if (code === "EACCES") return `${name} may not be executed: allow it (chmod +x), or put its interpreter before it`;
  if (code !== "ENOENT") return `${name} cannot be started (${code})`;
  return program.includes("/")
    ? `${name} does not exist, or the interpreter that its first line names`
    : `${name} is in no folder of PATH: write its full path, or ./${name} if it is beside the settings`;
}

export async function programProblem(
  program: string,
  { directory, environment }: { directory: string; environment: Environment },
): Promise<string | undefined> {
  if (IS_WINDOWS) return undefined;
  const folders = program.includes("/") ? [""] : (inherited(environment).PATH ?? "").split(delimiter);
  const tries = folders.map((folder) => access(resolve(directory, folder, program), constants.X_OK));
  const failures = (await Promise.allSettled(tries)).flatMap((tried) =>
    tried.status === "rejected" ? [errorCode(tried.reason)] : [],
  );
  if (failures.length < tries.length) return undefined;
  return startProblem(program, failures.includes("EACCES") ? "EACCES" : "ENOENT");
}
