// `npm run browser`: tests the page in the system's Chromium, with real servers and no network. Prints one line per check.
// Exits with 1 if one fails; without Chromium it prints the reason and exits with 0.
import { ensureInstalled } from "../../support/install.ts";
import { findChromium } from "./find-chromium.ts";

async function main(): Promise<void> {
  const found = findChromium();
  if ("reason" in found) {
    process.stdout.write(`– skipped: ${found.reason}\n`);
    return;
  }
  ensureInstalled();
  // Imported here because its packages may just have been installed.
  const { run } = await import("./run.ts");
  await run(found.path, process.argv.slice(2));
}

main().catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
