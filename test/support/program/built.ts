// Bundles the program, and the scripts that tests start often, once before the tests: the bundles start in a third of the
// time. vitest.config.ts names this file as its global set-up.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";
import { stage } from "../../../cli/build/build.ts";
import { bundle, bundleEdge, PROGRAMS } from "../../../cli/build/bundle.ts";
import { isIn } from "./feature.ts";

const SCRIPTS = ["claimant", "publisher", "fetch-urls"] as const;
/** The environment variable with the path, inherited by the workers. */
const VARIABLE = "VITRINE_BUILT";

/** Builds, and rebuilds before each rerun in watch mode. Returns the clean-up. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "vitrine-built-"));
  // Some tests run it as another user.
  await chmod(home, 0o755);
  await build(home);
  project.onTestsRerun(() => build(home));
  process.env[VARIABLE] = join(home, "dist/vitrine.mjs");
  return () => rm(home, { recursive: true, force: true });
}

/** Builds beside the published files, and nothing else: the program must find there every file that it reads. */
async function build(home: string): Promise<void> {
  await stage(pathToFileURL(`${home}/`));
  await bundle(PROGRAMS, join(home, "dist"));
  if (isIn("edge")) await bundleEdge(join(home, "dist/edge.mjs"));
  const scripts = SCRIPTS.map((name) => [name, `test/support/program/${name}.ts`]);
  await bundle(Object.fromEntries(scripts), join(home, "test"));
}

/** Path of a built script. */
export function builtScript(name: (typeof SCRIPTS)[number]): string {
  return join(builtProgram() ?? "", `../../test/${name}.mjs`);
}

/** Path of the built program; undefined outside vitest. */
export function builtProgram(): string | undefined {
  return process.env[VARIABLE];
}
