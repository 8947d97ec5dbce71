// `npm run build`: writes the published files to dist: the program, `defineSource` with types, and the licences of the
// bundled packages.
import { rm, writeFile } from "node:fs/promises";
import { bundle } from "./bundle.ts";
import { declarations } from "./declarations.ts";
import { licences } from "./licences.ts";

const dist = new URL("../../dist/", import.meta.url);
await rm(dist, { recursive: true, force: true });
const metafile = await bundle({ vitrine: "cli/main.ts", index: "collector/sources/module/define-source.ts" }, "dist");
await writeFile(new URL("index.d.mts", dist), await declarations());
await writeFile(new URL("THIRD-PARTY-LICENSES.txt", dist), await licences(metafile));
