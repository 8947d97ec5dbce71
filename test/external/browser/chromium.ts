// The system's Chromium, driven by playwright-core; never a browser that is downloaded.
import { chromium, type Browser } from "playwright-core";

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

/** Starts Chromium, without a window. `port`: where it takes DevTools connections besides, for Lighthouse. */
export function startChromium(path: string, port?: number): Promise<Browser> {
  const args = port === undefined ? FLAGS : [...FLAGS, `--remote-debugging-port=${port}`];
  return chromium.launch({ executablePath: path, headless: true, args, timeout: 20_000 });
}
