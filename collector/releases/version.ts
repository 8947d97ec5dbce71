// Which of two versions is the higher one: Semantic Versioning's precedence (2.0.0, 11) for what looks like it, and as
// people count for whatever else vendors write. One order for all of them, so a list of any mixture can be sorted.

/** Numbers, and what they are a stage before: `4.2.0-beta.1` is [4 2 0] and [beta 1]. */
interface Version {
  numbers: readonly string[];
  /** Undefined for a version that is out. */
  stage: readonly string[] | undefined;
}

const UNFINISHED = /[\d._-](alpha|beta|rc|pre|preview|dev|nightly|canary|next|snapshot)(?![a-z])/i;
const LONGEST = 200;

/** Below 0 when `a` is lower, above 0 when it is higher, 0 for spellings of one version, such as `1.0`, `v1.0.0` and
 * `1.0+7`. A stage comes before what it leads to: `1.0-beta.2`, `1.0b3`. What has no number in it is the lowest. */
export function compareVersions(a: string, b: string): number {
  return compare(read(a), read(b));
}

/** The same in descending order. */
export function newestFirst<T>(items: readonly T[], versionOf: (item: T) => string): T[] {
  const versions = items.map((item) => ({ item, version: read(versionOf(item)) }));
  return versions.toSorted((a, b) => compare(b.version, a.version)).map(({ item }) => item);
}

/** The item with the highest version, the first of equals; undefined of none. */
export function newest<T>(items: readonly T[], versionOf: (item: T) => string): T | undefined {
  let best: { item: T; version: Version } | undefined;
  for (const item of items) {
    const version = read(versionOf(item));
    if (!best || compare(version, best.version) > 0) best = { item, version };
  }
  return best?.item;
}

/** False for a version of words alone, such as `Autumn`, of which nobody can say where it stands. */
export function isCounted(version: string): boolean {
  return /\d/.test(version.slice(0, LONGEST));
}

/** True for a version that its own name calls unfinished, such as 3.0.0-beta.2. */
export function isUnfinished(version: string): boolean {
  const [counted = ""] = version.split("+");
  return UNFINISHED.test(counted) || /^\d+(\.\d+)*[ab]\d+$/i.test(counted);
}

function read(version: string): Version {
  // What follows a plus says nothing of the order (10), what stands before the first number is a name.
  const [counted = ""] = version.slice(0, LONGEST).replace(/^\D+/, "").split("+");
  // No stage, but a date.
  if (/^\d+([-_]\d+)+$/.test(counted)) return { numbers: counted.split(/[-_]/), stage: undefined };
  const [core = ""] = /^\d*(\.\d+)*/.exec(counted) ?? [];
  const rest = counted.slice(core.length);
  const stage = /^-[0-9A-Za-z.-]+$/.test(rest) ? rest.slice(1).split(".") : rest.match(/\d+|[A-Za-z]+/g);
  return { numbers: core.split("."), stage: stage?.filter((item) => item !== "") };
}

function compare(a: Version, b: Version): number {
  const byNumbers = compareLists(a.numbers, b.numbers, "0");
  if (byNumbers !== 0) return byNumbers;
  if (!a.stage || !b.stage) return Number(!a.stage) - Number(!b.stage);
  return compareLists(a.stage, b.stage, "");
}

/** Compares item by item; a list that is over goes on with `missing`. */
function compareLists(a: readonly string[], b: readonly string[], missing: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareItems(a[index] ?? missing, b[index] ?? missing);
    if (order !== 0) return order;
  }
  return 0;
}

/** Nothing before numbers, by their value, and those before words, letter by letter (11.4). */
function compareItems(a: string, b: string): number {
  if (a === "" || b === "") return Number(a !== "") - Number(b !== "");
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (!isNumber) return compareText(a, b);
  const [digits, others] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return digits.length - others.length || compareText(digits, others);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
