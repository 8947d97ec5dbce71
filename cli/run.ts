// The command line: the only file that reads arguments, environment and signals. Arguments in, exit code out; an
// unexpected error is one line and exit 1, never a stack trace.
import { EXIT } from "./command.ts";
import { invoke } from "./invoke.ts";
import { errorLine, openTerminal } from "./output/terminal.ts";
import { isUnderWay } from "../snapshots/system-calls.ts";
import { keepNewSpaceSmall } from "./small-heap.ts";

keepNewSpaceSmall();
const { argv, env, stdout, stderr } = process;
const terminal = openTerminal(stdout, stderr, Boolean(env.NO_COLOR));

/** How long the exit waits for printed output to be read; a reader that has stopped must not delay it further. */
const FLUSH_MS = 1_000;

const OPERATIONS_MS = 4_000;
const LOOK_MS = 20;
/** How often the process looks whether npm still runs, if npm has started it. */
const PARENT_MS = 500;
/** So long after a stop signal the process is ended by force: requests in flight take less. */
const STOP_MS = 8_000;

/** Exits once the printed output is written. */
function leave(code: number): void {
  process.exitCode = code;
  const latest = performance.now() + FLUSH_MS + OPERATIONS_MS;
  setTimeout(() => end(code, latest), FLUSH_MS);
  stdout.write("", () => stderr.write("", () => end(code, latest)));
}

/** Exits when no operation is under way, which process.exit would wait for without a limit; by force at the latest time. */
function end(code: number, latest: number): void {
  if (!isUnderWay()) process.exit(code);
  if (performance.now() > latest) endByForce(code);
  setTimeout(end, LOOK_MS, code, latest);
}

/** SIGKILL, because every other way out waits for the threads. `code`: for the first process of a container, which the
 * system protects from its own signals. */
function endByForce(code: number): void {
  terminal.err(
    errorLine(
      "the system does not return from a file or a name server, perhaps on a volume that hangs: ended by force",
    ),
  );
  process.kill(process.pid, "SIGKILL");
  process.exit(code);
}

function fail(error: unknown): void {
  terminal.err(errorLine(error));
  leave(EXIT.failed);
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP, or when npm is gone. A second one, or STOP_MS, ends the process. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = (code: number) => {
    if (stopping.signal.aborted) return end(code, performance.now() + LOOK_MS);
    stopping.abort();
    setTimeout(end, STOP_MS, code, 0).unref();
  };
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, () => stop(code));
  }
  if (env.npm_lifecycle_event !== undefined) stopAfterNpm(() => stop(143));
  return stopping.signal;
}

/** npm dies of SIGTERM without passing it on, and would leave the port to a process that its operator believes dead. */
function stopAfterNpm(stop: () => void): void {
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    stop();
  }, PARENT_MS).unref();
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
// A closed pipe (`| head`) or a full disk under the log costs lines, never the service.
for (const stream of [stdout, stderr]) stream.on("error", () => {});

const surroundings = () => ({
  environment: env,
  directory: process.cwd(),
  pipes: () => ({ input: process.stdin, output: stdout }),
  stop: stopSignal(),
});
invoke(argv.slice(2), terminal, surroundings).then(leave, fail);
