// `npm run browser`: the page in Debian's Chromium. Real servers, a real browser, nothing outside this machine. One line for
// each check; exits 1 when one fails, and 0 with a reason where there is no Chromium.
import { ensureInstalled } from "../../support/install.ts";
import { findChromium } from "./find-chromium.ts";

async function main(): Promise<void> {
  const found = findChromium();
  if ("reason" in found) {
    process.stdout.write(`– skipped: ${found.reason}\n`);
    return;
  }
  ensureInstalled(import.meta.dirname);
  // What it imports has only now been installed.
  const { run } = await import("./run.ts");
  await run(found.path, process.argv.slice(2));
}

main().catch((failure: unknown) => {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
});
