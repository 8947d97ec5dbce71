// Runs the checks and prints a line for each.
import { setTimeout as sleep } from "node:timers/promises";
import { fail, say, withCleanUp } from "../../support/check.ts";
import type { Check, Scene, CheckResult } from "./check.ts";
import { ACCESSIBLE } from "./checks/accessible.ts";
import { CARD } from "./checks/card.ts";
import { COPY } from "./checks/copy-button.ts";
import { BILLING_CYCLES } from "./checks/billing-cycles.ts";
import { NARROW_WINDOW } from "./checks/narrow-window.ts";
import { FIRST_SCREEN } from "./checks/first-screen.ts";
import { EMBED } from "./checks/embed.ts";
import { EMBED_SURROUNDINGS } from "./checks/embed-surroundings.ts";
import { FRESHNESS } from "./checks/freshness.ts";
import { KEYBOARD } from "./checks/keyboard.ts";
import { LIGHTHOUSE } from "./checks/lighthouse.ts";
import { NOTICES } from "./checks/notices.ts";
import { NETWORK } from "./checks/network.ts";
import { MARKUP_SAFETY } from "./checks/markup-safety.ts";
import { MEDIA } from "./checks/media.ts";
import { startChromium } from "./chromium.ts";
import { startVendors } from "./vendors.ts";

const CHECKS: Check[] = [
  ...NETWORK,
  ...FIRST_SCREEN,
  ...MEDIA,
  ...FRESHNESS,
  ...ACCESSIBLE,
  ...NARROW_WINDOW,
  ...MARKUP_SAFETY,
  ...NOTICES,
  ...BILLING_CYCLES,
  ...COPY,
  ...KEYBOARD,
  ...EMBED,
  ...EMBED_SURROUNDINGS,
  ...CARD,
];
/** Checks of the page's speed, which run alone. */
const EXCLUSIVE: Check[] = LIGHTHOUSE;
/** The number of other checks at a time: mostly they wait. */
const CONCURRENCY = 3;

/** For the start of the servers, and for each check. */
const TIME_LIMIT_MS = 120_000;

/** The number of faults printed per check. */
const MAX_FAULTS = 8;

/** Sets the exit code. `chromium`: its path. `words`: if given, only checks whose names contain one of them run. */
export async function run(chromium: string, words: readonly string[]): Promise<void> {
  await withCleanUp(async (onFinished) => {
    const vendors = await inTime(startVendors(onFinished));
    const browser = await startChromium(chromium);
    onFinished(() => browser.close());
    say(`Chromium ${browser.version()}`);
    const isWanted = ({ name }: Check) => words.length === 0 || words.some((word) => name.includes(word));
    const scene = { browser, chromium, vendors };
    const next = CHECKS.filter(isWanted).values();
    await Promise.all(Array.from({ length: CONCURRENCY }, () => judgeAll(next, scene)));
    await judgeAll(EXCLUSIVE.filter(isWanted).values(), scene);
  });
}

/** Runs the remaining checks in order. */
async function judgeAll(left: Iterable<Check>, scene: Scene): Promise<void> {
  for (const check of left) report(check, await judge(check, scene));
}

/** A check that throws, or takes too long, has failed. */
async function judge({ run: look }: Check, scene: Scene): Promise<CheckResult> {
  try {
    return await inTime(look(scene));
  } catch (failure) {
    // The rest of Playwright's messages is its call log.
    const [message = ""] = (failure instanceof Error ? failure.message : String(failure)).split("\nCall log:");
    return { checked: "", faults: [message] };
  }
}

/** The result of the work. @throws Error if it takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(TIME_LIMIT_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`it took more than ${TIME_LIMIT_MS / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

function report({ name }: Check, { checked, faults }: CheckResult): void {
  if (faults.length === 0) return say(`✔ ${name}: ${checked}`);
  fail(`✖ ${name}`);
  const different = [...new Set(faults)];
  for (const fault of different.slice(0, MAX_FAULTS)) say(`    ${fault.slice(0, 1_000).replaceAll("\n", "\n    ")}`);
  if (different.length > MAX_FAULTS) say(`    and ${different.length - MAX_FAULTS} more`);
}
