// The checks, a line for each as it is judged.
import { setTimeout as sleep } from "node:timers/promises";
import type { Check, Scene, Verdict } from "./check.ts";
import { ACCESSIBLE } from "./checks/accessible.ts";
import { COPY } from "./checks/copy-button.ts";
import { CYCLES } from "./checks/cycles.ts";
import { FITS } from "./checks/fits.ts";
import { FRESHNESS } from "./checks/freshness.ts";
import { KEYBOARD } from "./checks/keyboard.ts";
import { LIGHTHOUSE } from "./checks/lighthouse.ts";
import { QUIET } from "./checks/quiet.ts";
import { RUN } from "./checks/run-button.ts";
import { SAFE } from "./checks/safe.ts";
import { startChromium } from "./chromium.ts";
import { startVendors } from "./vendors.ts";

const CHECKS: Check[] = [
  ...QUIET,
  ...FRESHNESS,
  ...ACCESSIBLE,
  ...FITS,
  ...SAFE,
  ...CYCLES,
  ...RUN,
  ...COPY,
  ...KEYBOARD,
];
/** These measure how fast the page is, so nothing else may go on. */
const ALONE: Check[] = LIGHTHOUSE;
/** Of the others, so many are made at once: mostly they wait. */
const LANES = 3;

/** For the start of the servers, and for each check, milliseconds. */
const TIME_LIMIT = 120_000;

/** So many faults of a check are told. */
const MOST = 8;

/** Sets the exit code. `chromium`: its path; `words`: if there are any, only checks whose names contain one of them. */
export async function run(chromium: string, words: readonly string[]): Promise<void> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  try {
    const vendors = await inTime(startVendors((cleanUp) => void cleanUps.unshift(cleanUp)));
    const browser = await startChromium(chromium);
    cleanUps.unshift(() => browser.close());
    say(`Chromium ${browser.version()}`);
    const isWanted = ({ name }: Check) => words.length === 0 || words.some((word) => name.includes(word));
    const scene = { browser, chromium, vendors };
    const next = CHECKS.filter(isWanted).values();
    await Promise.all(Array.from({ length: LANES }, () => judgeAll(next, scene)));
    await judgeAll(ALONE.filter(isWanted).values(), scene);
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

/** Takes one check after the other from those that are left. */
async function judgeAll(left: Iterable<Check>, scene: Scene): Promise<void> {
  for (const check of left) report(check, await judge(check, scene));
}

/** A check that throws, or takes too long, has found a fault. */
async function judge({ look }: Check, scene: Scene): Promise<Verdict> {
  try {
    return await inTime(look(scene));
  } catch (failure) {
    // After its first lines Playwright tells what it tried.
    const [told = ""] = (failure instanceof Error ? failure.message : String(failure)).split("\nCall log:");
    return { seen: "", faults: [told] };
  }
}

/** What it resolves to. @throws Error when that takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(TIME_LIMIT, undefined, { signal: over.signal }).then(() => {
    throw new Error(`it took more than ${TIME_LIMIT / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

function report({ name }: Check, { seen, faults }: Verdict): void {
  if (faults.length === 0) return say(`✔ ${name}: ${seen}`);
  process.exitCode = 1;
  say(`✖ ${name}`);
  const different = [...new Set(faults)];
  for (const fault of different.slice(0, MOST)) say(`    ${fault.slice(0, 1_000).replaceAll("\n", "\n    ")}`);
  if (different.length > MOST) say(`    and ${different.length - MOST} more`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
