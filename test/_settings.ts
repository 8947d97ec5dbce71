// A directory with a settings file in it, as a vendor has one, whose sources are an upstream of the test's.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "./_directory.ts";

/** `snapshots` of the settings: beside the file, in `facts`. */
export async function settingsDirectory(settings: object): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify({ snapshots: "facts", ...settings }, null, 2));
  return directory;
}
