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
    onResolve({ filter: /server\/features\/edge\/handler\.ts$/ }, () => ({ path: "./edge.mjs", external: true })),
};

/** Writes `edge.mjs` as it is published, `worker.mjs` and `node.mjs`. */
export async function bundleInto(folder: string): Promise<void> {
  await bundleEdge(join(folder, "edge.mjs"));
  const worker = { entryPoints: ["worker/worker.ts"], outfile: join(folder, "worker.mjs") };
  await build({ ...COMMON, ...worker, platform: "neutral", plugins: [separate] });
  await build({ ...COMMON, entryPoints: ["worker/node.ts"], outfile: join(folder, "node.mjs"), platform: "node" });
}
