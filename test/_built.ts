// The program as it is published, bundled into a directory of its own: it starts in a third of the time that the sources
// take, which tests that start it many times are glad of.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "../cli/bundle.ts";
import { temporaryDirectory } from "./_directory.ts";

const ROOT = join(import.meta.dirname, "..");
/** What the program reads beside its own code. */
const FILES = ["package.json", "vitrine.schema.json", "cli/demo", "server/texts"];

/** Path of the built program. `whenOver`: as in `temporaryDirectory`. */
export async function builtProgram(whenOver?: (cleanUp: () => Promise<void>) => void): Promise<string> {
  const home = await temporaryDirectory(whenOver);
  for (const file of FILES) await cp(join(ROOT, file), join(home, file), { recursive: true });
  await bundle({ vitrine: "cli/main.ts" }, join(home, "dist"));
  return join(home, "dist/vitrine.mjs");
}
