// A directory with a settings file, as a vendor has, whose sources are a test upstream.
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEMO } from "../../../cli/package-files.ts";
import { temporaryDirectory } from "../directory.ts";
import { isIn } from "./feature.ts";
import { json, startUpstream } from "../collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../collecting/vendor.ts";

/** Required in the settings, but never read by `serve`. */
export const FILE_SOURCES = {
  plans: { from: "file", path: "plans.json" },
  releases: { from: "file", path: "releases.json" },
};

/** Downloads of tests lead nowhere. */
export const UNCHECKED_LINKS = isIn("link-check") ? { checkLink: false } : {};

/** The snapshots are in `facts`, beside the settings file. */
export async function settingsDirectory(
  settings: object,
  onFinished?: (cleanUp: () => Promise<void>) => void,
): Promise<string> {
  const directory = await temporaryDirectory(onFinished);
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify({ snapshots: "facts", ...settings }, null, 2));
  return directory;
}

/** Sample facts in files, with settings of them, as `init` writes them. */
export async function writeSamples(directory: string): Promise<void> {
  for (const file of ["plans.json", "releases.json"]) {
    await cp(new URL(file, DEMO), join(directory, "product", file), { recursive: true });
  }
  const file = (path: string) => ({ from: "file", path });
  const sources = { plans: file("product/plans.json"), releases: file("product/releases.json") };
  const settings = { api: { name: "My product" }, ...sources, staleAfter: "24h" };
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings, null, 2));
}

/** A folder of its own for them. */
export async function sampleDirectory(onFinished?: (cleanUp: () => Promise<void>) => void): Promise<string> {
  const directory = await temporaryDirectory(onFinished);
  await writeSamples(directory);
  return directory;
}

/** An upstream with valid documents, and settings that collect from it. `source`: more settings for both sources. */
export async function startVendor(source: object = {}) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string) => ({ from: "json", url: upstream.url(path), timeout: "20s", ...source });
  const settings = { product: "acme-notes", plans: from("/plans"), releases: from("/releases") };
  const directory = await settingsDirectory(settings);
  return { upstream, directory, facts: join(directory, "facts") };
}
