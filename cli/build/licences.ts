// The licences of the bundled packages, which must be distributed with their code.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BundledPackage } from "./bundled-packages.ts";

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

/** One text with the licence of every bundled package. @throws Error for a licence that is not PERMISSIVE. */
export async function licences(packages: readonly BundledPackage[]): Promise<string> {
  const texts = await Promise.all(packages.map(licenceOf));
  return `Vitrine's own licence is in LICENSE. Its files in dist contain these packages as well.\n\n${texts.join("\n")}`;
}

async function licenceOf({ name, version, license, author, folder }: BundledPackage): Promise<string> {
  if (!PERMISSIVE.has(license)) throw new Error(`${name} is under ${license}: read it, then list it in licences.ts`);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const text =
    texts.length > 0 ? texts.join("\n") : `The package includes no licence text. By ${author ?? "its authors"}.`;
  return `${"-".repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}
