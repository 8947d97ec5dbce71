// `npm run external -- NAME`: the names that it knows, its README and CI agree.
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./support/imports.ts";

const EXTERNAL = join(ROOT, "test/external");

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXTERNAL, "run.mjs"), ...words], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const names = /one of: (.+) \(/.exec(run().stderr)?.[1]?.split(", ") ?? [];

test.for(["", "nonsense", "constructor", "--help"])('"%s" is answered with the list of names', (name) => {
  const list = expect.stringMatching(
    /^usage: .*: agents, bench, browser, .*, upgrade \(test\/external\/README\.md\)\n$/,
  );
  expect(run(name)).toEqual({ status: 1, stdout: "", stderr: list });
});

test("what follows a name goes on to vitest, whose exit code is that of the run", () => {
  expect(run("clocks", "--unknown")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("option `--unknown`"),
  });
});

test("each folder with a check has a name", async () => {
  const entries = await readdir(EXTERNAL, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules");
  for (const { name } of folders) {
    const files = await readdir(join(EXTERNAL, name));
    if (files.some((file) => file.endsWith(".check.ts"))) expect(names).toContain(name);
  }
  expect(names.length).toBeGreaterThan(12);
});

test("README.md has a row for each name, and no other", async () => {
  const text = await readFile(join(EXTERNAL, "README.md"), "utf8");
  const rows = [...text.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(names.toSorted());
});

test("CI runs every check but those that README.md excepts", async () => {
  const runs = (await readFile(join(ROOT, ".ci/run"), "utf8")).matchAll(/npm run external -- ([\w-]+)/g);
  const excepted = ["bench", "pictures", "siege", "upgrade"];
  expect([...[...runs].map(([, name]) => name), ...excepted].toSorted()).toEqual(names.toSorted());
});
