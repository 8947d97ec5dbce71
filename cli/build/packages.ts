// The packages with code in the bundle. Without dependencies in package.json, no audit of an installation can see them: the
// licences and the SBOM name them instead.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import * as z from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

export type BundledPackage = z.infer<typeof Package> & { folder: string };

/** The packages in order of their folders. */
export async function bundledPackages({ outputs }: Pick<Metafile, "outputs">): Promise<BundledPackage[]> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(bundled.flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  return Promise.all(
    [...folders].toSorted().map(async (path) => {
      const folder = join(ROOT, path);
      return { ...Package.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))), folder };
    }),
  );
}

/** Licences that require their text to be included, or nothing. Read another one before adding it. */
const PERMISSIVE = new Set([
  "MIT",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
]);

/** One text with the licence of every bundled package, which must be distributed with its code. @throws Error for a licence that
 * is not PERMISSIVE. */
export async function licences(packages: readonly BundledPackage[]): Promise<string> {
  const texts = await Promise.all(packages.map(licenceOf));
  return `Vitrine's own licence is in LICENSE. Its files in dist contain these packages as well.\n\n${texts.join("\n")}`;
}

async function licenceOf({ name, version, license, author, folder }: BundledPackage): Promise<string> {
  if (!PERMISSIVE.has(license)) throw new Error(`${name} is under ${license}: read it, then list it in packages.ts`);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const text =
    texts.length > 0 ? texts.join("\n") : `The package includes no licence text. By ${author ?? "its authors"}.`;
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}

type Named = Pick<BundledPackage, "name" | "version" | "license">;

/** The software bill of materials: the bundled packages in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), for scanners that
 * look for known vulnerabilities. Without a time and a serial number, so that the same sources give the same bytes. `main`: Vitrine
 * itself. */
export function sbom(main: Named, packages: readonly Named[]): string {
  const components = new Map(packages.map((one) => [purl(one), component("library", one)]));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: component("application", main) },
    components: [...components.values()],
    dependencies: [{ ref: purl(main), dependsOn: [...components.keys()] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component(type: "application" | "library", one: Named) {
  const { name, version, license } = one;
  return { type, "bom-ref": purl(one), name, version, purl: purl(one), licenses: [{ license: { id: license } }] };
}

/** The address of a package on npm (https://github.com/package-url/purl-spec). */
function purl({ name, version }: Named): string {
  return `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
}
