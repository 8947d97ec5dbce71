// `npm run build`: writes the built program to dist: the command line, the edge, the types, and the licences and
// the bill of the bundled packages. Then writes the package that is published, with dist in it, to package: the files that `files` in
// package.json names, and a package.json without the dependencies, whose code is in the bundle, and without the keys that only a
// checkout uses.
import { existsSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle, bundleEdge, PROGRAMS } from "./bundle.ts";
import { bundledPackages, licences, sbom } from "./packages.ts";
import { declarations, edgeDeclarations, hostingDeclarations } from "./declarations.ts";
import { isUnknown, repositoryUrl, type Manifest } from "./repository.ts";

const ROOT = new URL("../../", import.meta.url);
/** npm publishes them whatever `files` names. */
const ALWAYS = ["README.md", "LICENSE"];
const NOT_PUBLISHED = ["private", "scripts", "dependencies", "devDependencies", "allowScripts"];

/** Writes all but `dist`, which the build writes. `directory`: a URL with a slash at its end. @throws Error if a file that
 * is named does not exist. */
export async function stage(directory: URL): Promise<void> {
  const manifest: Manifest & { files: string[] } = JSON.parse(await readFile(new URL("package.json", ROOT), "utf8"));
  for (const file of [...ALWAYS, ...manifest.files]) {
    if (file !== "dist") await cp(new URL(file, ROOT), new URL(file, directory), { recursive: true });
  }
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".md")) continue;
    const file = pathToFileURL(join(entry.parentPath, entry.name));
    await writeFile(file, linksOutside(await readFile(file, "utf8"), { file, directory, manifest }));
  }
  for (const key of NOT_PUBLISHED) delete manifest[key];
  await writeFile(new URL("package.json", directory), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A document whose links to files that only a checkout has lead to the repository; their text alone while it is unknown. */
function linksOutside(
  document: string,
  { file, directory, manifest }: { file: URL; directory: URL; manifest: Manifest },
): string {
  return document.replace(
    /(?<!!)\[([^[\]]+)\]\((?!https?:|mailto:|#)([^()\s#]+)(#[^()\s]*)?\)/g,
    (link, text, path, fragment = "") => {
      const target = new URL(path, file);
      if (existsSync(target)) return link;
      const inCheckout = target.href.slice(directory.href.length);
      return isUnknown(manifest)
        ? text
        : `[${text}](${repositoryUrl(manifest)}/blob/v${manifest.version}/${inCheckout}${fragment})`;
    },
  );
}

if (import.meta.filename === process.argv[1]) {
  const dist = new URL("dist/", ROOT);
  await rm(dist, { recursive: true, force: true });
  const metafile = await bundle(PROGRAMS, "dist");
  const edge = await bundleEdge("dist/edge.mjs");
  await writeFile(new URL("index.d.mts", dist), declarations());
  await writeFile(new URL("edge.d.mts", dist), await edgeDeclarations());
  await writeFile(new URL("hosting.d.mts", dist), await hostingDeclarations());
  const packages = await bundledPackages({ outputs: { ...metafile.outputs, ...edge.outputs } });
  await writeFile(new URL("THIRD-PARTY-LICENSES.txt", dist), await licences(packages));
  const manifest = JSON.parse(await readFile(new URL("package.json", ROOT), "utf8"));
  await writeFile(new URL("sbom.cdx.json", dist), sbom(manifest, packages));

  const published = new URL("package/", ROOT);
  await rm(published, { recursive: true, force: true });
  await stage(published);
  await cp(dist, new URL("dist/", published), { recursive: true });
}
