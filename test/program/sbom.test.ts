// The bill of materials names every package with code in the bundle, and nothing else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../cli/build/bundle.ts";
import { bundledPackages, licences, sbom } from "../../cli/build/packages.ts";
import { temporaryDirectory } from "../support/directory.ts";

const manifest = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));

test("every bundled package is in the bill, with its version, licence and address, and in the licences", async () => {
  const metafile = await bundle({ vitrine: "cli/main.ts" }, await temporaryDirectory());
  const packages = await bundledPackages(metafile);
  const bill = JSON.parse(sbom(manifest, packages));
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
  expect(bill.metadata.component).toMatchObject({ type: "application", name: "vitrine", version: manifest.version });
  const refs: string[] = bill.components.map((component: { "bom-ref": string }) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill.dependencies).toEqual([{ ref: `pkg:npm/vitrine@${manifest.version}`, dependsOn: refs }]);
  for (const name of ["zod", "h3", "undici", "%40modelcontextprotocol/sdk", "aws4", "%40smithy/core"]) {
    expect(refs).toContainEqual(expect.stringMatching(new RegExp(`^pkg:npm/${name}@\\d+\\.\\d+\\.\\d+`)));
  }
  const texts = await licences(packages);
  for (const { type, name, version, licenses } of bill.components) {
    expect(type).toBe("library");
    expect(texts).toContain(`\n${name} ${version} (${licenses[0].license.id})\n`);
  }
  expect(sbom(manifest, packages)).toBe(sbom(manifest, packages));
});

test("a package under two versions is in the bill twice, and one in two folders once", () => {
  const [one, other] = ["1.0.0", "2.0.0"].map((version) => ({ name: "@acme/a", version, license: "MIT" }));
  if (!one || !other) throw new Error("two");
  const { components } = JSON.parse(sbom(manifest, [one, other, one]));
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
    "pkg:npm/%40acme/a@1.0.0",
    "pkg:npm/%40acme/a@2.0.0",
  ]);
});
