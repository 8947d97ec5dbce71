// Whether this Node has the fix for predictable hashes (CVE-2026-21717, March 2026), without which one message of 64 KB of
// chosen keys costs 161 ms of CPU instead of 2. The fixed releases of each line are "engines" in package.json.
import { ENGINES } from "./package-files.ts";

/** One line for the operator; undefined for a fixed release. `version`: such as `v20.20.2`. */
export function nodeWarning(version: string): string | undefined {
  const running = numbersOf(version);
  const isFixed = ENGINES.split("||").some((range) => {
    const [major = 0, ...rest] = numbersOf(range);
    const isLine = range.includes("^") ? running[0] === major : (running[0] ?? 0) >= major;
    return isLine && compare(running, [major, ...rest]) >= 0;
  });
  if (isFixed) return undefined;
  return `Node ${version} lacks security fixes: a few small requests can keep it busy; update it to ${ENGINES}`;
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
