// Bundles the handler for platforms that are not Node.js into one minified file. They have a few of Node's modules, and none of
// its globals for certain.
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { exclusions } from "./bundle-exclusions.ts";

/** All of Node's modules that the handler may import. */
export const EDGE_MODULES = ["buffer", "crypto", "net", "timers/promises", "util", "zlib"].map(
  (name) => `node:${name}`,
);

/** `entryPoint`: a path in the project. @throws Error if something does not compile, or imports another of Node's modules. */
export async function bundleEdge(outfile: string, entryPoint = "server/edge/handler.ts"): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    // Knows no module of Node's, so that every other import is an error.
    platform: "neutral",
    external: EDGE_MODULES,
    mainFields: ["module", "main"],
    conditions: ["worker"],
    target: "es2023",
    plugins: [exclusions],
    inject: ["cli/build/buffer.ts"],
    // They are in THIRD-PARTY-LICENSES.txt instead.
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
  });
  const foreign = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((path) => !EDGE_MODULES.includes(path));
  // An import that may fail is only a warning to the bundler.
  if (foreign.length > 0) throw new Error(`the edge must not import ${foreign.join(", ")}`);
  return metafile;
}
