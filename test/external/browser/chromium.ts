// The system's Chromium, driven by playwright-core, which is imported only once it is installed. No browser is downloaded.
import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { ensureInstalled } from "../../support/install.ts";

const NAMED = process.env.CHROMIUM ?? "";
const PATH = NAMED || "/usr/bin/chromium";
if (NAMED !== "" && !existsSync(NAMED)) throw new Error(`CHROMIUM is ${NAMED}, which does not exist`);

/** The reason for skipping its tests, also printed; undefined if it is installed. */
export const NO_CHROMIUM = existsSync(PATH)
  ? undefined
  : `${PATH} not found (apt-get install chromium, or set CHROMIUM to its path)`;
if (NO_CHROMIUM === undefined) ensureInstalled();
else process.stdout.write(`Chromium: ${NO_CHROMIUM}\n`);

/** Turns off the browser's own activity: updates, accounts, HTTP/3. The profile is new each time. The sandbox is off because
 * it does not work for root, under which CI often runs. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** For its start, on a busy machine. */
const START_MS = 60_000;

/** Starts Chromium without a window. `port`: accepts DevTools connections, for Lighthouse. */
export async function startChromium(port?: number): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  const args = port === undefined ? FLAGS : [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launch({ executablePath: PATH, headless: true, args, timeout: START_MS });
}
