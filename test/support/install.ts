// Installs the packages that only the external checks need. They are in a package.json of their own, not in the product's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The folder with the packages of all external checks. */
export const EXTERNAL = join(ROOT, "test/external");
/** Their packages, by name; their commands are in `.bin`. */
export const PACKAGES = join(EXTERNAL, "node_modules");

/** Installs a folder's packages unless they are installed. @throws Error if npm fails. */
export function ensureInstalled(folder = EXTERNAL): void {
  // npm writes this file last.
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return;
  const name = relative(ROOT, folder);
  // A folder without a lock file has exact versions in its package.json.
  const command = existsSync(join(folder, "package-lock.json")) ? "ci" : "install";
  console.log(`Installing the packages of ${name} (npm ${command}) …`);
  const { status } = spawnSync("npm", [command, "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ${command} failed in ${name}`);
}
