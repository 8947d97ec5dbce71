// `npm run build`: writes the built program to dist: the command line, the edge, the types, and the licences and
// the bill of the bundled packages. Then writes the package that is published, with dist in it, to package.
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { bundle, bundleEdge } from "./bundle.ts";
import { bundledPackages, licences, sbom } from "./packages.ts";
import { declarations, edgeDeclarations } from "./declarations.ts";
import { stage } from "./stage.ts";

const dist = new URL("../../dist/", import.meta.url);
await rm(dist, { recursive: true, force: true });
const metafile = await bundle({ vitrine: "cli/main.ts" }, "dist");
const edge = await bundleEdge("dist/edge.mjs");
await writeFile(new URL("index.d.mts", dist), declarations());
await writeFile(new URL("edge.d.mts", dist), await edgeDeclarations());
const packages = await bundledPackages({ outputs: { ...metafile.outputs, ...edge.outputs } });
await writeFile(new URL("THIRD-PARTY-LICENSES.txt", dist), await licences(packages));
const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
await writeFile(new URL("sbom.cdx.json", dist), sbom(manifest, packages));

const published = new URL("../../package/", import.meta.url);
await rm(published, { recursive: true, force: true });
await stage(published);
await cp(dist, new URL("dist/", published), { recursive: true });
