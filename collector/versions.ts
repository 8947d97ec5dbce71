// Which of two versions is later: as people and Sparkle count, 2.10 after 2.9, and a beta before what it leads to.

const UNFINISHED = /[\d._-](alpha|beta|rc|pre|preview|dev|nightly|canary|next|snapshot)(?![a-z])/i;

/** Below zero when `a` is earlier, above when it is later; 0 for spellings of one version, such as 1.0 and 1.0.0. What
 * follows a `+` says nothing of the order (Semantic Versioning 2.0.0, 10). */
export function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const order = comparePart(ours[index], theirs[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** True for a version that its own name calls unfinished, such as 3.0.0-beta.2. */
export function isUnfinished(version: string): boolean {
  const [counted = ""] = version.split("+");
  return UNFINISHED.test(counted) || /^\d+(\.\d+)*[ab]\d+$/i.test(counted);
}

/** Numbers and words of a version, in order. */
function parts(version: string): string[] {
  const [counted = ""] = version.slice(0, 200).split("+");
  return counted.toLowerCase().match(/\d+|[a-z]+/g) ?? [];
}

/** A word is before every number and before nothing at all: 1.0b1, then 1.0, then 1.0.1. */
function comparePart(a = "0", b = "0"): number {
  const [isNumber, isOtherNumber] = [/^\d/.test(a), /^\d/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
  if (!isNumber) return compareText(a, b);
  const [digits, others] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return digits.length - others.length || compareText(digits, others);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
