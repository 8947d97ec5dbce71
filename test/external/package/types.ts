// Compiles programs against the types of the installed package, in strict mode, with both kinds of module resolution.
import { execFileSync } from "node:child_process";
import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGES, runTool } from "../../support/install.ts";
import type { Installed } from "./installed.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");

/** Compiler options by kind of project. */
const PROJECTS = {
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

/** @throws Error with the compiler's output. */
export async function compile({ directory }: Installed): Promise<void> {
  for (const name of ["client.ts", "edge.ts", "my-source.ts", "same-types.ts"]) {
    await copyFile(join(HERE, "program", name), join(directory, name.replace(/\.ts$/, ".mts")));
  }
  await symlink(join(PACKAGES, "@types"), join(directory, "node_modules/@types"));
  for (const [name, project] of Object.entries(PROJECTS)) {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const options = { ...project, ...strict, target: "es2023", noEmit: true };
    const reader = { compilerOptions: options, include: ["client.mts", "edge.mts", "my-source.mts"] };
    await writeFile(join(directory, `${name}.json`), JSON.stringify(reader));
    runTool("tsc", ["--project", join(directory, `${name}.json`)]);
  }
  const paths = { schema: [join(ROOT, "snapshots/schema.ts")] };
  const ours = { extends: join(ROOT, "tsconfig.json"), compilerOptions: { paths }, include: ["same-types.mts"] };
  await writeFile(join(directory, "same-types.json"), JSON.stringify(ours));
  const words = [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", join(directory, "same-types.json")];
  execFileSync(process.execPath, words, { encoding: "utf8", stdio: "pipe" });
}
