// `npm run build`: writes the published files to dist: the program, `defineSource` and the edge with types, and the licences
// and the bill of the bundled packages.
import { readFile, rm, writeFile } from "node:fs/promises";
import { bundle } from "./bundle.ts";
import { bundleEdge } from "./bundle-edge.ts";
import { bundledPackages } from "./bundled-packages.ts";
import { declarations, edgeDeclarations } from "./declarations.ts";
import { licences } from "./licences.ts";
import { sbom } from "./sbom.ts";

const dist = new URL("../../dist/", import.meta.url);
await rm(dist, { recursive: true, force: true });
const metafile = await bundle({ vitrine: "cli/main.ts", index: "collector/sources/module/define-source.ts" }, "dist");
const edge = await bundleEdge("dist/edge.mjs");
await writeFile(new URL("index.d.mts", dist), await declarations());
await writeFile(new URL("edge.d.mts", dist), await edgeDeclarations());
const packages = await bundledPackages({ outputs: { ...metafile.outputs, ...edge.outputs } });
await writeFile(new URL("THIRD-PARTY-LICENSES.txt", dist), await licences(packages));
const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
await writeFile(new URL("sbom.cdx.json", dist), sbom(manifest, packages));
