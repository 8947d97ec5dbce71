// The package in an empty folder, installed by npm and started by npx, as a stranger does it, on one Node.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { printedBase } from "../../support/program/program.ts";
import type { NodeProgram } from "./nodes.ts";

/** How long anything may take, milliseconds: npm's own start is slow where a machine is busy. */
const TIMEOUT_MS = 60_000;

export interface CommandOutput {
  stdout: string;
  stderr: string;
}

export class Installed {
  readonly #node: NodeProgram;
  /** The folder. */
  readonly directory: string;

  /** Installs the tarball into a new folder. @throws Error when npm fails. */
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

  /** What is typed before the words of a command. */
  readonly npx = ["npx", "vitrine"] as const;

  get environment(): Record<string, string> {
    return this.#node.environment;
  }

  /** Runs `npx vitrine` to its end. @throws Error with what it printed when that is not good. */
  vitrine(...words: string[]): Promise<CommandOutput> {
    const [command, ...first] = this.npx;
    return this.run(command, ...first, ...words);
  }

  run(command: string, ...words: string[]): Promise<CommandOutput> {
    const options = { cwd: this.directory, env: this.environment, timeout: TIMEOUT_MS };
    return promisify(execFile)(command, words, options);
  }

  /** Does `use` while `npx vitrine` serves. @throws Error when it ends beforehand, or does not stop when it is told to. */
  async whileServing(words: readonly string[], use: (base: string) => Promise<void>): Promise<void> {
    const [command, ...first] = this.npx;
    const child = spawn(command, [...first, ...words], {
      cwd: this.directory,
      // Its addresses are read as people read them.
      env: { ...this.environment, LOG_FORMAT: "text" },
      stdio: ["ignore", "pipe", "inherit"],
      // A group of its own, because npx is not the program but its parent.
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
      if (by === "SIGKILL") throw new Error("it did not stop when it was told to");
    } finally {
      clearTimeout(limit);
      if (child.exitCode === null && child.signalCode === null) signal("SIGKILL");
    }
  }
}
