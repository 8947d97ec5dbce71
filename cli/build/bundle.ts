// Bundles the TypeScript into a few files of JavaScript, which start in a third of the time and need no tsx.
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { exclusions, NEVER_IMPORTED } from "./bundle-exclusions.ts";

/** Bundles programs with their imports into `outdir`; a dynamic import stays a file of its own. `entryPoints`: paths in
 * the project by output name. @throws Error if something does not compile. */
export async function bundle(entryPoints: Record<string, string>, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    // The threads: looked up by these names beside the program that starts them.
    entryPoints: {
      ...entryPoints,
      "module-thread": "collector/sources/module/module-thread.ts",
      "reader-thread": "collector/sources/reader-thread.ts",
    },
    outdir,
    chunkNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: NEVER_IMPORTED,
    plugins: [exclusions],
    // CommonJS dependencies call `require` for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    // They are in THIRD-PARTY-LICENSES.txt instead.
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}
