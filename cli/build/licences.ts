// The licences of the bundled packages, which must be distributed with their code.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Licences that require only their text to be included. Read another one before adding it. */
const PERMISSIVE = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "BlueOak-1.0.0"]);

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** One text with the licence of every bundled package. @throws Error for a licence that is not PERMISSIVE. */
export async function licences({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(bundled.flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  const texts = await Promise.all([...folders].toSorted().map((folder) => licenceIn(join(ROOT, folder))));
  return `Vitrine's own licence is in LICENSE. Its files in dist contain these packages as well.\n\n${texts.join("\n")}`;
}

async function licenceIn(folder: string): Promise<string> {
  const { name, version, license, author } = Package.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  if (!PERMISSIVE.has(license)) throw new Error(`${name} is under ${license}: read it, then list it in licences.ts`);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const text =
    texts.length > 0 ? texts.join("\n") : `The package includes no licence text. By ${author ?? "its authors"}.`;
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
