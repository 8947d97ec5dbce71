// Source `command`: a program of the vendor's, for upstreams that no other source reads. It runs without a shell in the folder
// of the settings file and prints one JSON document in Vitrine's own shape. It is as trusted as the collector, but its accidents
// are contained: its time and its output are bounded, it ends with all processes of its group and with the collector, and what it
// prints passes the same gate as every other answer.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, dirname, resolve } from "node:path";
import * as z from "zod";
import { errorCode } from "../../../snapshots/system-calls.ts";
import { withDeadline } from "../../http/deadline.ts";
import { UpstreamError } from "../../http/errors.ts";
import { COMMAND_OUTPUT, decodeText, MAX_BYTES, MAX_SIZE } from "../../http/fetch.ts";
import { isPlainOrReference, requestTimeout, withSecrets, type Environment } from "../../http/request.ts";
import { displayName } from "../../parsing/issues.ts";
import { ownSchedule } from "../../setting-values.ts";
import { sourceKind } from "../../source.ts";
import { ownCandidate, parseDocument } from "./own-shape/own-candidate.ts";
import { secretFinder } from "../secret-leak/secret-leak.ts";

const programText = z
  .string()
  .max(4_096)
  .regex(/^[^\0]*$/, "must have no null character");

const programVariables = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "is not a name of a variable"),
    programText.refine(isPlainOrReference, 'use "$NAME" for an environment variable'),
  )
  .describe('Its environment variables beside PATH and HOME; "$NAME" is the collector\'s NAME: `{ "TOKEN": "$NAME" }`');

const argument = programText.refine(
  (text) => !/^\$[A-Za-z_]\w*$/.test(text),
  'is not replaced here: give the variable in "env"',
);

export const command = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("command"),
      command: z
        .tuple([argument.min(1, "must name a program")], argument, "must be a list")
        .describe(
          'The program and its arguments, run in the folder of the settings without a shell: `["node", "facts.mjs"]`',
        ),
      env: programVariables.optional(),
      timeout: requestTimeout.describe("Time for the program, after which all processes of its group are ended"),
      schedule: ownSchedule,
    })
    .describe("Your own program, which prints JSON in Vitrine's own shape"),
  open(settings, { names, directory, environment, log = () => {} }) {
    const { command, timeout } = settings;
    const env = variablesOf(settings.env, environment);
    const secretIn = secretFinder(settings, environment);
    const shown = (line: string) => (secretIn(line) ? "a line with a secret, which is not shown" : plain(line));
    return {
      kind: "command",
      names,
      fetch: ({ signal: stop }) =>
        withDeadline(timeout, stop, async (signal) => {
          const run = runProgram(command, { directory, env, timeout, signal, shown, log });
          const body = await run.catch(async (error: unknown) => {
            if (error instanceof UpstreamError) throw error;
            const problem =
              (await programProblem(command, env, directory)) ?? startProblem(command[0], errorCode(error));
            throw new UpstreamError(problem, { cause: error });
          });
          if (body.byteLength === 0) throw new UpstreamError("the command printed nothing");
          return { upstream: parseDocument(decodeText(body, COMMAND_OUTPUT)) };
        }),
      translate: (document, name) => ownCandidate(document, name, { names }),
    };
  },
});

const IS_WINDOWS = process.platform === "win32";

/** Programs on Windows need more than PATH and HOME to start. */
const INHERITED = IS_WINDOWS ? ["HOME", "USERPROFILE", "SystemRoot", "PATHEXT", "TEMP"] : ["HOME"];

type Variables = Record<string, string | undefined>;

/** All variables that a program gets. The Node.js that runs the collector is found last, for a service whose PATH lacks it.
 * @throws Error for a variable of the collector's that is named and not set. */
export function variablesOf(given: Record<string, string> = {}, environment: Environment): Variables {
  const path = [environment.PATH, dirname(process.execPath)].filter(Boolean).join(delimiter);
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, environment[name]]));
  return { PATH: path, ...inherited, ...withSecrets(given, environment) };
}

interface ProgramRun {
  directory: string;
  env: Variables;
  timeout: number;
  signal: AbortSignal;
  shown: (line: string) => string;
  log: (line: string) => void;
}

/** Lines of stderr that are logged, and the characters of a line that are looked at. */
const MAX_LINES = 100;
const MAX_LINE_READ = 4_096;
/** How long what a program has started may go on writing after its end: `tee` still has some of the output then. */
const GRACE_MS = 1_000;

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
    const warden = wardenOf(child);
    const chunks: Uint8Array[] = [];
    let [printed, told, lines] = [0, 0, 0];
    let [rest, last] = ["", ""];

    const readLine = (line: string) => {
      if (line.trim() === "") return;
      last = reasonAfter(line, last);
      if (lines < MAX_LINES) log(shown(line));
      if (lines++ === MAX_LINES) log("further lines are not shown");
    };
    const fail = (reason: string) => {
      readLine(rest);
      rest = "";
      reject(new UpstreamError(last === "" ? reason : `${reason}: ${shown(last)}`));
    };
    const end = (reason?: string) => {
      endGroup(child);
      for (const stream of [stdout, stderr]) stream.destroy();
      if (reason === undefined) return;
      // A line that is cut here may have a part of a secret, which would not be found.
      rest = "";
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
    const stop = () => end(hasEnded(child) ? undefined : `the command did not end within ${timeout / 1000} s`);
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", reject);
    child.on("exit", () => {
      const grace = setTimeout(end, GRACE_MS);
      child.on("close", () => clearTimeout(grace));
    });
    child.on("close", (code, by) => {
      endGroup(child);
      warden?.kill("SIGKILL");
      if (code === null) return fail(`the command was ended by ${by}`);
      if (code !== 0) return fail(`the command ended with exit code ${code}`);
      readLine(rest);
      resolve(Buffer.concat(chunks));
    });
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Ends a program and its children at once: one that hangs may not heed a request. Windows no longer knows the children of a
 * program that has ended. */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || (IS_WINDOWS && hasEnded(child))) return;
  if (IS_WINDOWS)
    return void spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

/** A shell that ends the group of a program as soon as the collector has ended, however it ended: then the pipe between them is
 * closed. None on Windows, and none in a container without a shell, which ends as a whole. */
function wardenOf({ pid }: ChildProcess): ChildProcess | undefined {
  if (pid === undefined || IS_WINDOWS) return undefined;
  const script = 'read -r _; kill -s KILL -- "-$0"';
  // Detached: a signal to the group of the collector does not end it.
  const warden = spawn("/bin/sh", ["-c", script, String(pid)], {
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return warden.on("error", () => {});
}

/** The reason why a program failed, as far as stderr tells it up to this line. Node.js prints an error with an indented trace
 * and its cause, and its own version. */
function reasonAfter(line: string, last: string): string {
  const [, cause] = /^\s+\[cause\]: (.*?)(?: \{)?$/.exec(line) ?? [];
  if (cause !== undefined) return `${last} (${cause})`;
  const isTrace = /^(?:[\s}]|Node\.js v\d|\(Use `node )/.test(line);
  return isTrace && last !== "" ? last : line.replace(/^\[(.*)\] \{$/, "$1");
}

const MAX_LINE_SHOWN = 200;

function plain(line: string): string {
  return line
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, MAX_LINE_SHOWN)
    .toWellFormed();
}

function startProblem(program: string, code = "unknown error"): string {
  const name = displayName(program);
  return code === "ENOENT"
    ? `${name} needs what does not exist: the interpreter in its first line, or the system that it was built for`
    : `${name} cannot be started (${code})`;
}

const INTERPRETER = /(?:^|\/)(?:node|deno|bun|tsx|python[\d.]*|ruby|php|perl|(?:ba|z)?sh)$/;
const SCRIPT = /^[^-].*\.(?:[cm]?[jt]s|py|rb|php|pl|sh)$/;

/** Why a program cannot be started; undefined if that is not known. `env`: all variables that it gets. */
export async function programProblem(
  [program, ...args]: readonly [string, ...string[]],
  { PATH = "" }: Variables,
  directory: string,
): Promise<string | undefined> {
  if (IS_WINDOWS) return undefined;
  if (/^\w+=/.test(program)) return 'a variable cannot stand before the program: give it in "env"';
  const name = displayName(program);
  const hasFolder = program.includes("/");
  const folders = hasFolder ? [""] : PATH.split(delimiter);
  const paths = folders.map((folder) => resolve(directory, folder, program));
  const found = (await Promise.all(paths.map(stateOf))).filter((state) => state !== "missing");
  const [script = ""] = args;
  if (found.includes("executable") && INTERPRETER.test(program) && SCRIPT.test(script))
    return (await stateOf(resolve(directory, script))) === "missing"
      ? `${displayName(script)} does not exist`
      : undefined;
  if (found.includes("executable")) return undefined;
  if (found.includes("folder")) return `${name} is a folder: name the program in it`;
  if (found.length > 0)
    return `${name} may not be executed: allow it, and its folders (chmod +x), or put its interpreter before it`;
  if (args.length === 0 && /\s/.test(program)) return `${name} is no program: write a list with an entry for each word`;
  return hasFolder
    ? `${name} does not exist`
    : `${name} is in no folder of PATH: write its full path, or ./${name} if it is beside the settings`;
}

async function stateOf(path: string): Promise<"executable" | "folder" | "denied" | "missing"> {
  try {
    if ((await stat(path)).isDirectory()) return "folder";
    await access(path, constants.X_OK);
    return "executable";
  } catch (error) {
    return errorCode(error) === "EACCES" ? "denied" : "missing";
  }
}
