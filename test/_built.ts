// The program as it is published, bundled into a directory of its own: it starts in a third of the time that the sources
// take, which tests that start it many times are glad of.
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "../cli/bundle.ts";
import { temporaryDirectory } from "./_directory.ts";

const ROOT = join(import.meta.dirname, "..");
/** What is published beside its code: it must find there whatever it reads. */
const { files }: { files: string[] } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
const FILES = ["package.json", ...files.filter((file) => file !== "dist")];

/** Path of the built program. `whenOver`: as in `temporaryDirectory`. */
export async function builtProgram(whenOver?: (cleanUp: () => Promise<void>) => void): Promise<string> {
  const home = await temporaryDirectory(whenOver);
  for (const file of FILES) await cp(join(ROOT, file), join(home, file), { recursive: true });
  await bundle({ vitrine: "cli/main.ts" }, join(home, "dist"));
  return join(home, "dist/vitrine.mjs");
}
