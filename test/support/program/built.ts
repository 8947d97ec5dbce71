// The program as it is published, and the scripts that tests start many times, bundled once before they start: it takes a
// third of the time that the sources take. vitest.config.ts names this file as what sets everything up.
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle } from "../../../cli/build/bundle.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Where the workers, which inherit it, find the path. */
const VARIABLE = "VITRINE_BUILT";

/** Builds, and again before tests that are run anew because a file has changed. Returns what cleans up. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "vitrine-built-"));
  await build(home);
  project.onTestsRerun(() => build(home));
  process.env[VARIABLE] = join(home, "dist/vitrine.mjs");
  return () => rm(home, { recursive: true, force: true });
}

/** With what is published beside the code, and nothing else: there it must find whatever it reads. */
async function build(home: string): Promise<void> {
  const { files }: { files: string[] } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  for (const file of ["package.json", ...files.filter((file) => file !== "dist")]) {
    await cp(join(ROOT, file), join(home, file), { recursive: true });
  }
  await bundle({ vitrine: "cli/main.ts" }, join(home, "dist"));
  await bundle(
    { claimant: "test/support/program/claimant.ts", publisher: "test/support/program/publisher.ts" },
    join(home, "test"),
  );
}

/** Path of a script as it is built. */
export function builtScript(name: "claimant" | "publisher"): string {
  return join(builtProgram() ?? "", `../../test/${name}.mjs`);
}

/** Path of the built program; undefined in the scripts that vitest does not run. */
export function builtProgram(): string | undefined {
  return process.env[VARIABLE];
}
