// The program of the first commit that writes format 3, built from git: the oldest that may work with any later one.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/directory.ts";

const ROOT = join(import.meta.dirname, "../../..");
const git = (...words: string[]) => spawnSync("git", words, { cwd: ROOT, maxBuffer: 2 ** 28 });
/** As it stands in the function that writes snapshots. */
const FIRST_WRITTEN = "format: 3, ...";

/** Node's arguments that run it, or why it cannot be built here. */
export async function firstVersion(
  onFinished: (cleanUp: () => Promise<void>) => void,
): Promise<{ program: string[]; commit: string } | { missing: string }> {
  const { status, stdout } = git("log", "--reverse", "--format=%h", "-S", FIRST_WRITTEN, "--", "snapshots/snapshot.ts");
  const [commit = ""] = status === 0 ? stdout.toString().trim().split("\n") : [];
  // Without a parent it is where a shallow clone begins.
  const isKnown = commit !== "" && git("rev-parse", "--verify", "--quiet", `${commit}^`).status === 0;
  const archive = isKnown ? git("archive", commit) : undefined;
  if (archive?.status !== 0) return { missing: "git has no commit here that writes format 3 for the first time" };
  const directory = join(await temporaryDirectory(onFinished), "first");
  await mkdir(directory);
  execFileSync("tar", ["-x", "-C", directory], { input: archive.stdout });
  const lock = (root: string) => readFile(join(root, "package-lock.json"), "utf8");
  if ((await lock(directory)) === (await lock(ROOT))) {
    await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  } else {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: directory, stdio: "ignore" });
  }
  execFileSync("npm", ["run", "--silent", "build"], { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
  return { program: [join(directory, "dist/vitrine.mjs")], commit };
}
