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

/** Top-level folders of the product and those one level below: `collector/sources/` covers every kind of source. */
function folders(): string[] {
  return [...new Set(files.map((file) => `${dirname(file).split("/").slice(0, 2).join("/")}/`))];
}

test("the map has one row for each folder, and no other", () => {
  expect(rows.toSorted()).toEqual(folders().toSorted());
});

test("the files and folders it names are there", async () => {
  const named = [...text.matchAll(/`((?:cli|collector|server|snapshots|test)\/[\w/.-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(30);
  for (const path of named) await expect(access(join(ROOT, path)), path).resolves.toBeUndefined();
});

test("every decision names a file or folder that is there", () => {
  const decisions = /## Decisions\n([^]*?)\n## /.exec(text)?.[1]?.split("\n- ").slice(1) ?? [];
  expect(decisions.length).toBeGreaterThan(10);
  for (const decision of decisions) {
    const [, path = "nothing"] = /`([^`]+)`\.?(?: `|\s*$)/.exec(decision.split(": ").at(-1) ?? "") ?? [];
    expect(files.join("\n"), decision).toContain(path);
  }
});

test("it has at most 150 lines", () => {
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
