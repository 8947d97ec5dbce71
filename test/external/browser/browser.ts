// `npm run browser`: tests the page in the system's Chromium, with real servers and no network. Prints one line per check.
// Exits with 1 if one fails; without Chromium it prints the reason and exits with 0.
import { runCheck, say } from "../../support/check.ts";
import { ensureInstalled } from "../../support/install.ts";
import { findChromium } from "./find-chromium.ts";

async function main(): Promise<void> {
  const found = findChromium();
  if ("reason" in found) {
    return say(`– skipped: ${found.reason}`);
  }
  ensureInstalled();
  // Imported here because its packages may just have been installed.
  const { run } = await import("./run.ts");
  await run(found.path, process.argv.slice(2));
}

await runCheck(main);
