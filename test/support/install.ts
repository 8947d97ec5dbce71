// Installs the packages that only the external checks need. They are in a package.json of their own, not in the product's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder with the packages of all external checks. */
const EXTERNAL = join(import.meta.dirname, "../external");
/** Their packages, by name; their commands are in `.bin`. */
export const PACKAGES = join(EXTERNAL, "node_modules");

/** Runs a command of theirs to its end. @throws Error with its output if it fails. */
export function runTool(
  name: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): void {
  const { status, stdout, stderr } = spawnSync(join(PACKAGES, ".bin", name), words, { ...options, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${words.join(" ")}\n${stdout}${stderr}`);
}

/** Installs them unless they are installed. @throws Error if npm fails. */
export function ensureInstalled(): void {
  // npm writes this file last.
  if (existsSync(join(PACKAGES, ".package-lock.json"))) return;
  console.log("Installing the packages of the external checks (npm ci) …");
  const { status } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: EXTERNAL,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("npm ci failed in test/external");
}
