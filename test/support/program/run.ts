// Runs a program as a real process with its own environment, keeps its output, and kills it after the test.
import { join, resolve } from "node:path";
import { startProcess, type RunResult } from "./process.ts";
import { LOADERS, PROGRAM } from "./program.ts";

const ROOT = join(import.meta.dirname, "../../..");

interface LaunchOptions {
  /** Working directory. */
  directory?: string;
  /** The whole environment except PATH. */
  environment?: Record<string, string>;
  /** Registers clean-up for the end of the test. Concurrent tests pass `onTestFinished` of their context. */
  onFinished?: (cleanUp: () => Promise<void>) => void;
}

/** Starts the built `vitrine ...words`, `node <script>.mjs ...words`, or `node --import tsx <script>.ts ...words`. */
export function launch(
  script: string,
  words: readonly string[],
  { directory = ROOT, environment, onFinished }: LaunchOptions = {},
) {
  const path = resolve(ROOT, script);
  const program = script === "vitrine" ? PROGRAM : script.endsWith(".mjs") ? [path] : [...LOADERS, path];
  const env = { PATH: process.env.PATH, LOG_FORMAT: "text", ...environment };
  return startProcess([process.execPath, ...program, ...words], { directory, environment: env, onFinished });
}

/** Runs the command line to its end. */
export function vitrine(words: readonly string[], wanted?: LaunchOptions): Promise<RunResult> {
  return launch("vitrine", words, wanted).ended;
}
