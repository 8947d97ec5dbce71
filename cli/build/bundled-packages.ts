// The packages with code in the bundle. Without dependencies in package.json, no audit of an installation can see them: the
// licences and the SBOM name them instead.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const Package = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

export type BundledPackage = z.infer<typeof Package> & { folder: string };

/** By folder, in order. */
export async function bundledPackages({ outputs }: Pick<Metafile, "outputs">): Promise<BundledPackage[]> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const bundled = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(bundled.flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  return Promise.all(
    [...folders].toSorted().map(async (path) => {
      const folder = join(ROOT, path);
      return { ...Package.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8"))), folder };
    }),
  );
}
