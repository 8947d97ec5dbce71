// The licences of what is bundled, which must go wherever its code goes.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Those that ask for no more than their text; another one is to be read before it is added. */
const PERMISSIVE = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "BlueOak-1.0.0"]);

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** One text with the licence of every package that code was taken from. @throws Error for one that is not known here. */
export async function licences({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const taken = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(taken.flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  const texts = await Promise.all([...folders].toSorted().map((folder) => licenceIn(join(ROOT, folder))));
  return `Vitrine's own licence is in LICENSE. Its files in dist contain these packages as well.\n\n${texts.join("\n")}`;
}

async function licenceIn(folder: string): Promise<string> {
  const { name, version, license, author } = Package.parse(
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")),
  );
  if (!PERMISSIVE.has(license)) throw new Error(`${name} is under ${license}, which cli/licences.ts does not know`);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const said = texts.length > 0 ? texts.join("\n") : `No text of it is in the package. By ${author ?? "its authors"}.`;
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${said.trim()}\n`;
}
