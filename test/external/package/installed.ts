// The package in an empty folder, installed with npm and started with npx, as a new user does, on one version of Node.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { printedBase } from "../../support/program/program.ts";
import type { NodeProgram } from "./nodes.ts";

/** For any command: npm itself starts slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

export interface CommandOutput {
  stdout: string;
  stderr: string;
}

export class Installed {
  readonly #node: NodeProgram;
  /** The folder. */
  readonly directory: string;

  /** Installs the tarball into a new folder. @throws Error if npm fails. */
  static async from(
    tarball: string,
    { directory, node }: { directory: string; node: NodeProgram },
  ): Promise<Installed> {
    await mkdir(directory);
    const installed = new Installed(directory, node);
    await installed.run("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", tarball);
    return installed;
  }

  private constructor(directory: string, node: NodeProgram) {
    this.directory = directory;
    this.#node = node;
  }

  /** The command line before the words of a command. */
  readonly npx = ["npx", "vitrine"] as const;

  get environment(): Record<string, string> {
    return this.#node.environment;
  }

  /** Runs `npx vitrine` to its end. @throws Error with its output if it fails. */
  vitrine(...words: string[]): Promise<CommandOutput> {
    const [command, ...first] = this.npx;
    return this.run(command, ...first, ...words);
  }

  run(command: string, ...words: string[]): Promise<CommandOutput> {
    const options = { cwd: this.directory, env: this.environment, timeout: TIMEOUT_MS };
    return promisify(execFile)(command, words, options);
  }

  /** Calls `use` while `npx vitrine` serves. @throws Error if it ends early, or does not stop on SIGTERM. */
  async whileServing(words: readonly string[], use: (base: string) => Promise<void>): Promise<void> {
    const [command, ...first] = this.npx;
    const child = spawn(command, [...first, ...words], {
      cwd: this.directory,
      // Prints the addresses as text.
      env: { ...this.environment, LOG_FORMAT: "text" },
      stdio: ["ignore", "pipe", "inherit"],
      // A separate process group, because npx is only the parent of the program.
      detached: true,
    });
    const closed = once(child, "close");
    const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name);
    const limit = setTimeout(signal, TIMEOUT_MS, "SIGKILL");
    try {
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      const base = await printedBase(child.stdout, () => output);
      if (base === undefined) throw new Error(`it ended without serving: ${output}`);
      await use(base);
      signal("SIGTERM");
      const [, by] = await closed;
      if (by === "SIGKILL") throw new Error("it did not stop on SIGTERM");
    } finally {
      clearTimeout(limit);
      if (child.exitCode === null && child.signalCode === null) signal("SIGKILL");
    }
  }
}
