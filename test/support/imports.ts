// Source files, their imports as text, and this project's linter, for the tests of the rules.
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "./directory.ts";

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

/** The linter's output for a project with these files, each of which imports one module. */
export async function lint(imports: Iterable<readonly [path: string, specifier: string]>): Promise<string> {
  const project = await temporaryDirectory();
  await cp(join(ROOT, "oxlint.config.mjs"), join(project, "oxlint.config.mjs"));
  await cp(join(ROOT, "test/floors.json"), join(project, "test/floors.json"));
  for (const [path, specifier] of imports) {
    await mkdir(join(project, dirname(path)), { recursive: true });
    await writeFile(join(project, path), `import { x } from "${specifier}";\n\nexport const y = x;\n`);
  }
  const oxlint = join(ROOT, "node_modules/.bin/oxlint");
  const failed = (error: { stdout: string }) => error;
  const { stdout } = await promisify(execFile)(oxlint, ["-c", "oxlint.config.mjs", "-f", "unix"], {
    cwd: project,
  }).catch(failed);
  return stdout;
}
