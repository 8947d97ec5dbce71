// Finds the system's Chromium. Imports no package that must be installed first.
import { existsSync } from "node:fs";

const DEBIANS = "/usr/bin/chromium";

/** The path of Chromium, or the reason for its absence. @throws Error if CHROMIUM names a missing file. */
export function findChromium(): { path: string } | { reason: string } {
  const named = process.env.CHROMIUM ?? "";
  if (named !== "" && !existsSync(named)) throw new Error(`CHROMIUM is ${named}, which does not exist`);
  if (named !== "") return { path: named };
  if (existsSync(DEBIANS)) return { path: DEBIANS };
  return { reason: `${DEBIANS} not found (apt-get install chromium, or set CHROMIUM to its path)` };
}
