// The system's Chromium, driven by playwright-core; never a browser that is downloaded.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const DEBIANS = "/usr/bin/chromium";

/** Nothing that a browser does for itself: no updates, no accounts, no HTTP/3. The profile is a new one each time, and
 * the sandbox is left out because root, as whom CI often runs, cannot have one. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Path of Chromium, or why there is none. @throws Error when CHROMIUM names a file that is not there. */
export function findChromium(): { path: string } | { reason: string } {
  const named = process.env.CHROMIUM;
  if (named !== undefined && !existsSync(named)) throw new Error(`CHROMIUM is ${named}, but there is no such file`);
  if (named !== undefined) return { path: named };
  if (existsSync(DEBIANS)) return { path: DEBIANS };
  return { reason: `there is no ${DEBIANS} (apt-get install chromium, or set CHROMIUM to the path of one)` };
}

/** Starts Chromium, without a window. `port`: where it takes DevTools connections besides, for Lighthouse. */
export function startChromium(path: string, port?: number): Promise<Browser> {
  const args = port === undefined ? FLAGS : [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launch({ executablePath: path, headless: true, args, timeout: 20_000 });
}
