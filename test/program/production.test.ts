// A checkout without development packages still runs.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { ROOT, sourcesIn, specifiersOf } from "../support/imports.ts";

const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

/** Of `npm run build` and `npm run generate`. */
const isBuild = (path: string) => path.startsWith("cli/build/");

test("every package that the source imports is installed without development packages", async () => {
  const files = (await Promise.all(["cli", "collector", "server", "snapshots"].map(sourcesIn))).flat();
  const texts = files.filter((path) => !isBuild(path)).map((path) => readFile(join(ROOT, path), "utf8"));
  const imported = (await Promise.all(texts)).flatMap(specifiersOf).filter((name) => name && /^[a-z@]/.test(name));
  const packages = imported.map((name = "") => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  const needed = new Set(packages.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name)));
  expect(needed.size).toBeGreaterThan(8);
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual([...needed, "tsx"].filter(isFirst).toSorted());
});

const isFirst = <T>(value: T, index: number, all: readonly T[]) => all.indexOf(value) === index;

test("installing a checkout builds nothing, and needs no packages for it", async () => {
  const directory = await temporaryDirectory();
  await cp(join(ROOT, "cli/build/prepare.mjs"), join(directory, "cli/build/prepare.mjs"));
  const [, script = ""] = manifest.scripts.prepare.split("node ");
  execFileSync(process.execPath, [script], { cwd: directory, env: { npm_command: "ci" }, stdio: "pipe" });
  expect(existsSync(join(directory, "dist"))).toBe(false);
});
