// TypeScript becomes the JavaScript that is published: few files, which start in a third of the time and need no tsx.
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { lighter, NEVER_IMPORTED } from "./bundle-exclusions.ts";

/** Bundles programs with all that they import, into `outdir`; what is imported late stays a file that is read late.
 * `entryPoints`: paths in the project by the names they get. Resolves to what came from where. @throws Error when something
 * does not compile. */
export async function bundle(entryPoints: Record<string, string>, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    // Next to every program, because that is where those who start them look.
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
    plugins: [lighter],
    // Some dependencies are CommonJS, and ask for Node's own modules in its way.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    // The licences are in a file of their own.
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}
