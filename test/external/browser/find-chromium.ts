// Where the system's Chromium is. Imports nothing that would have to be installed first.
import { existsSync } from "node:fs";

const DEBIANS = "/usr/bin/chromium";

/** Path of Chromium, or why there is none. @throws Error when CHROMIUM names a file that is not there. */
export function findChromium(): { path: string } | { reason: string } {
  const named = process.env.CHROMIUM ?? "";
  if (named !== "" && !existsSync(named)) throw new Error(`CHROMIUM is ${named}, but there is no such file`);
  if (named !== "") return { path: named };
  if (existsSync(DEBIANS)) return { path: DEBIANS };
  return { reason: `there is no ${DEBIANS} (apt-get install chromium, or set CHROMIUM to the path of one)` };
}
