// The system's Chromium, driven by playwright-core. No browser is downloaded.
import { chromium, type Browser } from "playwright-core";

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
export function startChromium(path: string, port?: number): Promise<Browser> {
  const args = port === undefined ? FLAGS : [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launch({ executablePath: path, headless: true, args, timeout: START_MS });
}
