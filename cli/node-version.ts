// Whether this Node can run Vitrine: "engines" in package.json names the versions, all with the fix for predictable hashes
// (CVE-2026-21717, March 2026). Without it, one message of 64 KB of chosen keys costs 161 ms of CPU instead of 2. An old
// Node must be able to load this file, so it imports nothing.

/** The error for an unsupported version, as one line; undefined if it is supported. `version`: such as `20.20.2`. `engines`:
 * ranges such as `^20.20.2 || >=26`. */
export function nodeRefusal(version: string, engines: string): string | undefined {
  if (engines.split("||").some((range) => isWithin(numbersOf(version), range))) return undefined;
  return `Vitrine needs Node ${engines}: others lack features or security fixes. This is ${version}`;
}

/** `^20.20.2` is that version or a later one of its line, `>=26` any from there on. */
function isWithin(version: readonly number[], range: string): boolean {
  const lowest = numbersOf(range);
  const different = lowest.findIndex((number, index) => number !== version[index]);
  if (different === -1) return true;
  const isSameLine = different > 0 || !range.includes("^");
  return isSameLine && (version[different] ?? 0) > (lowest[different] ?? 0);
}

/** `24.14.1` as [24, 14, 1]; a nightly build counts as its release. */
function numbersOf(text: string): number[] {
  return (/\d[\d.]*/.exec(text)?.[0] ?? "").split(".").map(Number);
}
