// The files that the runtimes load, in a folder of their own.
import { join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { bundleEdge } from "../../../cli/build/bundle.ts";

const COMMON: BuildOptions = {
  absWorkingDir: import.meta.dirname,
  bundle: true,
  format: "esm",
  target: "es2023",
  logLevel: "warning",
};

/** The published file stays a file of its own. */
const separate: Plugin = {
  name: "separate",
  setup: ({ onResolve }) =>
    onResolve({ filter: /server\/edge\/handler\.ts$/ }, () => ({ path: "./edge.mjs", external: true })),
};

/** Writes `edge.mjs` as it is published, `worker.mjs`, `origins.mjs` and `node.mjs`. */
export async function bundleInto(folder: string): Promise<void> {
  await bundleEdge(join(folder, "edge.mjs"));
  const workers = {
    entryPoints: ["worker/worker.ts", "worker/origins.ts"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
  };
  await build({ ...COMMON, ...workers, platform: "neutral", plugins: [separate] });
  await build({ ...COMMON, entryPoints: ["worker/node.ts"], outfile: join(folder, "node.mjs"), platform: "node" });
}
