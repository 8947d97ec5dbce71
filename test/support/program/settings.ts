// A directory with a settings file in it, as a vendor has one, whose sources are an upstream of the test's.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "../directory.ts";
import { json, startUpstream } from "../collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../collecting/vendor.ts";

/** `snapshots` of the settings: beside the file, in `facts`. */
export async function settingsDirectory(
  settings: object,
  onFinished?: (cleanUp: () => Promise<void>) => void,
): Promise<string> {
  const directory = await temporaryDirectory(onFinished);
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify({ snapshots: "facts", ...settings }, null, 2));
  return directory;
}

/** An upstream where all is well, and settings that collect from it; `source`: more for each of its two sources. */
export async function startVendor(source: object = {}) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string) => ({ from: "json", url: upstream.url(path), timeout: "20s", ...source });
  const settings = { plans: from("/plans"), releases: from("/releases") };
  const directory = await settingsDirectory(settings);
  return { upstream, directory, facts: join(directory, "facts") };
}
