// The package in an empty folder, installed with npm and started with npx, as a new user does, on one version of Node.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { startProcess } from "../../support/program/process.ts";
import { PRINTED_BASE } from "../../support/program/program.ts";
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

  /** Calls `use` while `npx vitrine` serves. @throws Error if it ends early; does not return unless it stops on SIGTERM. */
  async whileServing(words: readonly string[], use: (base: string) => Promise<void>): Promise<void> {
    const { printed, stop } = startProcess([...this.npx, ...words], {
      directory: this.directory,
      // Prints the addresses as text.
      environment: { ...this.environment, LOG_FORMAT: "text" },
      // npx is only the parent of the program.
      isGroup: true,
    });
    const [, base = ""] = await printed(PRINTED_BASE);
    await use(base);
    await stop("SIGTERM");
  }
}
