// The real program as an operator starts it: a separate process with its own directory and environment.
import { join } from "node:path";
import { builtProgram } from "./built.ts";
import { ask } from "../serving/server.ts";
import { startProcess } from "./process.ts";

const MAIN = join(import.meta.dirname, "../../../cli/main.ts");
// Absolute, because Node resolves loaders from the working directory. Zod is loaded before tsx so that its many files are
// not compiled: a start then takes 0.4 s instead of 0.6 s.
export const LOADERS = ["zod", "tsx"].flatMap((loader) => ["--import", import.meta.resolve(loader)]);

/** Node's arguments before the words of a command: to run the sources, and to run the build if there is one. */
export const SOURCE: readonly string[] = [...LOADERS, MAIN];
export const PROGRAM: readonly string[] = [builtProgram() ?? SOURCE].flat();

interface ProgramOptions {
  /** The working directory, with the settings. */
  directory: string;
  environment?: Readonly<Record<string, string>>;
  /** Node's arguments before `args`. */
  program?: readonly string[];
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** What `serve` and `start` print about their address. */
export const PRINTED_BASE = /^ +API +(\S+)\/api\/v1$/m;

/** Starts `serve` or `start` and waits for its printed addresses. @throws Error if it ends without them. */
export async function startProgram(
  args: string[],
  { directory, environment, program = PROGRAM, onFinished }: ProgramOptions,
) {
  const defaults = { HOST: "127.0.0.1", PORT: "0", NO_COLOR: "1", LOG_FORMAT: "text" };
  const started = startProcess([process.execPath, ...program, ...args], {
    directory,
    environment: { PATH: process.env.PATH, ...defaults, ...environment },
    onFinished,
  });
  const [, base = ""] = await started.printed(PRINTED_BASE);
  const port = Number(new URL(base).port);
  return {
    base,
    port,
    pid: started.pid,
    get: (path: string, headers: Record<string, string> = {}) => ask(port, path, { headers }),
    /** Its output so far, on stdout and on stderr. */
    output: () => started.output.stdout,
    errors: () => started.output.stderr,
    signal: started.kill,
    /** Resolves to its exit code; null if a signal ended it. */
    exited: started.ended.then(({ code }) => code),
  };
}
