// The package as `npm run build` stages it for publication. The built program of these tests runs from such a folder, too.
import { access, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEMO, EDGE, SCHEMA } from "../../cli/package-files.ts";
import { builtProgram } from "../support/program/built.ts";
import { ROOT } from "../support/imports.ts";

const published = join(builtProgram() ?? "", "../..");
const [manifest, ofCheckout] = await Promise.all(
  [published, ROOT].map(async (directory) => JSON.parse(await readFile(join(directory, "package.json"), "utf8"))),
);

test("the published package depends on nothing and runs no scripts", () => {
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts|private/i.test(key))).toEqual([]);
  expect(ofCheckout).toMatchObject(manifest);
});

test("npm refuses to publish a checkout", () => {
  expect(ofCheckout.private).toBe(true);
});

test("the published package has the program, every file that it reads, and the files for operators", async () => {
  expect(manifest.files).toContain("dist");
  const read = [SCHEMA, EDGE, DEMO].map((url) => relative(ROOT, fileURLToPath(url)));
  for (const path of [manifest.bin.vitrine, ...read, "README.md", "LICENSE", "SECURITY.md", "examples/systemd"])
    await expect(access(join(published, path)), path).resolves.toBeUndefined();
});
