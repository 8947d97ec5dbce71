// The package as it is published: the files that `files` in package.json names, and a package.json without the
// dependencies, whose code is in the bundle, and without the keys that only a checkout uses.
import { cp, readFile, writeFile } from "node:fs/promises";

const ROOT = new URL("../../", import.meta.url);
/** npm publishes them whatever `files` names. */
const ALWAYS = ["README.md", "LICENSE"];
const NOT_PUBLISHED = ["private", "scripts", "dependencies", "devDependencies", "allowScripts"];

/** Writes all but `dist`, which the build writes. `directory`: a URL with a slash at its end. @throws Error if a file that
 * is named does not exist. */
export async function stage(directory: URL): Promise<void> {
  const manifest = JSON.parse(await readFile(new URL("package.json", ROOT), "utf8"));
  for (const file of [...ALWAYS, ...manifest.files]) {
    if (file !== "dist") await cp(new URL(file, ROOT), new URL(file, directory), { recursive: true });
  }
  for (const key of NOT_PUBLISHED) delete manifest[key];
  await writeFile(new URL("package.json", directory), `${JSON.stringify(manifest, null, 2)}\n`);
}
