// ARCHITECTURE.md cannot drift: its map is the tree, the files it names are there, and it stays short.
import { access, readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/imports.ts";

const text = await readFile(join(ROOT, "ARCHITECTURE.md"), "utf8");
const rows = [...text.matchAll(/^\| `([^`]+\/)`/gm)].map(([, folder = ""]) => folder);

const PROGRAMS = ["cli", "collector", "server", "snapshots"];

/** Every file of the product, by its path from the root. */
async function productFiles(): Promise<string[]> {
  const inEach = await Promise.all(
    PROGRAMS.map(async (program) => {
      const entries = await readdir(join(ROOT, program), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));
    }),
  );
  // What a collector has left there is no part of the product.
  return inEach.flat().filter((file) => !file.startsWith("snapshots/data/"));
}

const files = await productFiles();

/** Folders of the core: top-level ones and those one level below. */
function folders(): string[] {
  const core = files.filter((file) => !file.includes("/features/"));
  return [...new Set(core.map((file) => `${dirname(file).split("/").slice(0, 2).join("/")}/`))];
}

test("the core has one row for each folder, and no other", () => {
  expect(rows.toSorted()).toEqual(folders().toSorted());
});

test("each feature has its row with the programs that it touches, and no other", () => {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    const [, program = "", name] = /^(\w+)\/features\/([^/]+)\//.exec(file) ?? [];
    if (name !== undefined) found.set(name, (found.get(name) ?? new Set()).add(program));
  }
  const table = /## The features\n([^]*?)\n## /.exec(text)?.[1] ?? "";
  const named = [...table.matchAll(/^\| (`[^|]+`) +\|[^|]*\| ([^|]+?) +\|$/gm)].flatMap(
    ([, names = "", programs = ""]) =>
      names
        .split(", ")
        .map((name) => [name.slice(1, -1), programs === "all" ? PROGRAMS : programs.split(", ")] as const),
  );
  const sorted = (all: Iterable<readonly [string, Iterable<string>]>) =>
    [...all].map(([name, programs]) => `${name}: ${[...programs].toSorted().join(", ")}`).toSorted();
  expect(sorted(named)).toEqual(sorted(found));
});

test("the files and folders it names are there", async () => {
  const named = [...text.matchAll(/`((?:cli|collector|server|snapshots|test)\/[\w/.-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  for (const path of named) await expect(access(join(ROOT, path)), path).resolves.toBeUndefined();
});

test("every decision names a file or folder that is there", () => {
  const decisions = /## Decisions\n([^]*?)\nLimits are/.exec(text)?.[1]?.split("\n- ").slice(1) ?? [];
  expect(decisions.length).toBeGreaterThan(10);
  for (const decision of decisions) {
    const [, path = "nothing"] = /`([^`]+)`\.?(?: `|\s*$)/.exec(decision.split(": ").at(-1) ?? "") ?? [];
    expect(files.join("\n"), decision).toContain(path);
  }
});

test("it has at most 150 lines", () => {
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
