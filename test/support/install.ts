// Installs the packages that only an external check needs. They are in its own package.json, not in the product's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Installs a folder's packages unless they are installed. @throws Error if npm fails. */
export function ensureInstalled(folder: string): void {
  // npm writes this file last.
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return;
  const name = relative(ROOT, folder);
  console.log(`Installing the packages of ${name} (npm ci) …`);
  const { status } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${name}`);
}
