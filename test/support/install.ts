// What only some scripts need has packages of its own beside them, so that the product does not install it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Installs the package in a folder, unless it is. @throws Error when npm fails. */
export function ensureInstalled(folder: string): void {
  // npm writes this file when everything else is in place.
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return;
  const name = relative(ROOT, folder);
  console.log(`Installing the packages of ${name} (npm ci) …`);
  const { status } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${name}`);
}
