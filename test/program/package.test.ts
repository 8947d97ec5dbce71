// The package as `npm run build` stages it for publication, its bill of materials, and a checkout without development packages.
// The built program of these tests runs from such a folder, too.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { access, cp, readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundle } from "../../cli/build/bundle.ts";
import { bundledPackages, licences, sbom } from "../../cli/build/packages.ts";
import { DEMO, EDGE, SCHEMA } from "../../cli/package-files.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { builtProgram } from "../support/program/built.ts";
import { isIn } from "../support/program/feature.ts";
import { ROOT, sourcesIn, specifiersOf } from "../support/imports.ts";

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
  for (const path of [
    manifest.bin.vitrine,
    ...read,
    "README.md",
    "LICENSE",
    "SECURITY.md",
    "docs/agents-setup.md",
    "examples/systemd",
  ])
    await expect(access(join(published, path)), path).resolves.toBeUndefined();
});

test("no link in the published package leads to a file that it does not have", async () => {
  const names = (await readdir(published, { recursive: true })).filter((name) => name.endsWith(".md"));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const text = (await readFile(join(published, name), "utf8")).replaceAll(/^```.*?^```|`[^`\n]*`/gms, "");
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^()\s#]+)|(?:src|srcset)="([^"]+)"/g)];
    for (const [, path = "", image = ""] of links) {
      const target = join(published, dirname(name), path + image);
      await expect(access(target), `${path}${image} in ${name}`).resolves.toBeUndefined();
    }
  }
});

/** Of `npm run build` and `npm run generate`. */
const isBuild = (path: string) => path.startsWith("cli/build/");

test("every package that the source imports is installed without development packages", async () => {
  const files = (await Promise.all(["cli", "collector", "server", "snapshots"].map(sourcesIn))).flat();
  const texts = files.filter((path) => !isBuild(path)).map((path) => readFile(join(ROOT, path), "utf8"));
  const imported = (await Promise.all(texts)).flatMap(specifiersOf).filter((name) => name && /^[a-z@]/.test(name));
  const packages = imported.map((name = "") => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  const needed = new Set(packages.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name)));
  expect(needed.size).toBeGreaterThan(8);
  expect(Object.keys(ofCheckout.dependencies).toSorted()).toEqual([...needed, "tsx"].filter(isFirst).toSorted());
});

const isFirst = <T>(value: T, index: number, all: readonly T[]) => all.indexOf(value) === index;

test("installing a checkout builds nothing, and needs no packages for it", async () => {
  const directory = await temporaryDirectory();
  await cp(join(ROOT, "cli/build/prepare.mjs"), join(directory, "cli/build/prepare.mjs"));
  const [, script = ""] = ofCheckout.scripts.prepare.split("node ");
  execFileSync(process.execPath, [script], { cwd: directory, env: { npm_command: "ci" }, stdio: "pipe" });
  expect(existsSync(join(directory, "dist"))).toBe(false);
});

test("every bundled package is in the bill, with its version, licence and address, and in the licences", async () => {
  const metafile = await bundle({ vitrine: "cli/main.ts" }, await temporaryDirectory());
  const packages = await bundledPackages(metafile);
  const bill = JSON.parse(sbom(ofCheckout, packages));
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  expect(bill.metadata.component).toMatchObject({ type: "application", name: "vitrine", version: ofCheckout.version });
  const refs: string[] = bill.components.map((component: { "bom-ref": string }) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill.dependencies).toEqual([{ ref: `pkg:npm/vitrine@${ofCheckout.version}`, dependsOn: refs }]);
  const own = { mcp: ["%40modelcontextprotocol/sdk"], s3: ["aws4", "%40smithy/core"] };
  const ofFeatures = Object.entries(own).flatMap(([feature, names]) => (isIn(feature) ? names : []));
  for (const name of ["zod", "h3", "undici", ...ofFeatures]) {
    expect(refs).toContainEqual(expect.stringMatching(new RegExp(`^pkg:npm/${name}@\\d+\\.\\d+\\.\\d+`)));
  }
  const texts = await licences(packages);
  for (const { type, name, version, licenses } of bill.components) {
    expect(type).toBe("library");
    expect(texts).toContain(`\n${name} ${version} (${licenses[0].license.id})\n`);
  }
  expect(sbom(ofCheckout, packages)).toBe(sbom(ofCheckout, packages));
});

test("a package under two versions is in the bill twice, and one in two folders once", () => {
  const [one, other] = ["1.0.0", "2.0.0"].map((version) => ({ name: "@acme/a", version, license: "MIT" }));
  if (!one || !other) throw new Error("two");
  const { components } = JSON.parse(sbom(ofCheckout, [one, other, one]));
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
    "pkg:npm/%40acme/a@1.0.0",
    "pkg:npm/%40acme/a@2.0.0",
  ]);
});
