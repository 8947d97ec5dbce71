// Source files and their imports as text, for the tests of the house.
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

// Static imports, type imports and re-exports; then dynamic imports, of which only a literal can be checked.
const STATIC = /(?:\bfrom|\bimport)\s*(["'])(?<specifier>.+?)\1/g;
const DYNAMIC = /\b(?:import|require|import\.meta\.resolve)\s*\((?:\s*(["'`])(?<specifier>[^$]+?)\1)?/g;

/** Every specifier that a source imports; undefined for a computed one. */
export function specifiersOf(source: string): (string | undefined)[] {
  return [...source.matchAll(STATIC), ...source.matchAll(DYNAMIC)].map((match) => match.groups?.specifier);
}

/** The paths, relative to the root, of every source file in a top-level folder. */
export async function sourcesIn(folder: string): Promise<string[]> {
  const files = await readdir(join(ROOT, folder), { recursive: true });
  return files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).map((file) => `${folder}/${file}`);
}
