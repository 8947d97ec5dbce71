// The ways to Vitrine that do not pass through a registry: a checkout without development packages, and a git address.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { equal, match } from "node:assert/strict";
import type { NodeProgram } from "./nodes.ts";

const ROOT = join(import.meta.dirname, "../../..");
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];

interface CheckoutOptions {
  /** A folder for the checkout or the project, which does not exist yet. */
  directory: string;
  node: NodeProgram;
}

/** Runs the last commit from source, with nothing that only developers need. */
export async function runInProduction({ directory, node }: CheckoutOptions): Promise<void> {
  execFileSync("git", ["clone", "--quiet", ROOT, directory], { stdio: "pipe" });
  const run = runIn(directory, node);
  run("npm", "ci", "--omit=dev", ...QUIET);
  equal(existsSync(join(directory, "node_modules/typescript")), false);
  equal(existsSync(join(directory, "dist")), false);
  match(run("npm", "run", "collect", "--", "--demo"), /plans .* changed/);
}

/** Installs the last commit from its git address into an empty project; npm has to build it, and fetches its dependencies. */
export async function installFromGit({ directory, node }: CheckoutOptions): Promise<void> {
  await mkdir(directory);
  await writeFile(join(directory, "package.json"), '{ "private": true }');
  const run = runIn(directory, node);
  run("npm", "install", ...QUIET, `git+file://${ROOT}`);
  match(run("npx", "vitrine", "collect", "--demo"), /plans .* changed/);
  run("node", "--input-type=module", "--eval", 'import { createHandler } from "vitrine/edge"');
  equal(existsSync(join(directory, "node_modules/zod")), true);
}

function runIn(directory: string, { environment }: NodeProgram) {
  const options = { cwd: directory, env: environment, encoding: "utf8", stdio: "pipe" } as const;
  return (command: string, ...words: string[]) => execFileSync(command, words, options);
}
