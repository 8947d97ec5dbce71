// Compares versions: by Semantic Versioning's precedence (2.0.0, 11) if they look like it, otherwise as people would
// count. It is one total order, so a list of mixed formats can be sorted. All that compares versions goes with it: kinds,
// guard, witnesses, check.

/** `4.2.0-beta.1` has the numbers [4 2 0] and the stage [beta 1]; `4.2.0-1.2` and `4.2.0a` have a patch, [1 2] or [a]. */
interface ParsedVersion {
  numbers: readonly string[];
  stage: readonly string[] | undefined;
  /** What was released after a finished version under the same number. */
  patch: readonly string[];
}

const UNFINISHED = /[\d._-](alpha|beta|rc|pre|preview|dev|nightly|canary|next|snapshot)(?![a-z])/i;
/** Bare numbers or one letter behind the numbers. Semantic Versioning calls `1.2.3-2` a prerelease (9), but its vendors do not. */
const PATCH = /^[-_. ]?(?!0$)(?:\d+|[a-z])(?:[-_.]\d+)*$/i;
const MAX_LENGTH = 200;

/** Negative if `a` is lower, positive if it is higher, 0 for spellings of one version, such as `1.0`, `v1.0.0` and
 * `1.0+7`. `1.0-beta.2` and `1.0b3` are lower than `1.0`, `1.0-2` and `1.0a` higher. A version without a number is the lowest. */
export function compareVersions(a: string, b: string): number {
  return compare(parse(a), parse(b));
}

/** Of equals, the first one stays the first. */
export function newestFirst<T>(items: readonly T[], versionOf: (item: T) => string): T[] {
  const versions = items.map((item) => ({ item, version: parse(versionOf(item)) }));
  return versions.toSorted((a, b) => compare(b.version, a.version)).map(({ item }) => item);
}

/** A version of words alone, such as `Autumn`, has no place in the order. */
export function hasNumber(version: string): boolean {
  return /\d/.test(version.slice(0, MAX_LENGTH));
}

/** True for a version with a prerelease stage in its name, such as 3.0.0-beta.2. */
export function isUnfinished(version: string): boolean {
  const [counted = ""] = version.split("+");
  return UNFINISHED.test(counted) || /^\d+(\.\d+)*[ab]\d+$/i.test(counted);
}

/** Cuts off a build number, which has no place in the order: `2.4.1#27`, `1.2 (433)`. */
export function withoutBuild(version: string): string {
  return version.replace(/(?:#\d+|\s*\(\d+\))$/, "");
}

/** Cuts off the word behind the numbers of a version that its vendor calls finished: `2.6.1_hotfix1` and `1.4.0-win` count as
 * 2.6.1 and 1.4.0, whatever Semantic Versioning says (9). Which of two such is later, only their dates say. */
export function withoutWord(version: string): string {
  const { numbers, stage } = parse(version);
  return stage && !isUnfinished(version) ? numbers.join(".") : version;
}

/** Returns `4` of 4.2.0, `0.9` of 0.9.3: the line of releases that a vendor may go on with after a higher one is out. */
export function seriesOf(version: string): string {
  const [major = "", minor = ""] = parse(version).numbers.map((number) => number.replace(/^0+(?=.)/, ""));
  return major === "0" ? `0.${minor || "0"}` : major;
}

/** A day, or the year alone: `2027-07-31`, `20270731`, `2027.1`. */
const CALENDAR = /^(?<year>20\d\d)(?:([-._]?)(?<month>0[1-9]|1[0-2])\2(?<day>0[1-9]|[12]\d|3[01])(?!\d)|(?=[-._]))/;
const MONTH_MS = 31 * 24 * 60 * 60_000;

/** True for a calendar version that is later than a time, in ms since the epoch, by more than a month, or `by`. 0: the time is unknown. */
export function isAheadOf(version: string, time: number, by = MONTH_MS): boolean {
  const { year, month = "01", day = "01" } = CALENDAR.exec(version)?.groups ?? {};
  return year !== undefined && time > 0 && Date.parse(`${year}-${month}-${day}`) > time + by;
}

/** A version and when it was published, in ms since the epoch. */
export interface DatedVersion {
  version: string;
  time: number;
}

/** Tells whether a lower version goes on with a series that was there before a higher one. 0.9.7 after 0.9.63 does not, unless its vendor
 * went from 9 to 10: it counts in decimals. */
export function backportsOf(all: readonly DatedVersion[]): (lower: string, higher: DatedVersion) => boolean {
  let known: ReturnType<typeof seriesIn> | undefined;
  return (lower, higher) => {
    const { starts, inWholes } = (known ??= seriesIn(all));
    const start = starts.get(seriesOf(lower)) ?? Infinity;
    return start < higher.time && (inWholes.has(lastApart(lower).before) || !isHigherInDecimals(lower, higher.version));
  };
}

/** `starts`: of each series, in ms. `inWholes`: the beginnings of versions behind which 9 was followed by 10. */
function seriesIn(all: readonly DatedVersion[]): { starts: Map<string, number>; inWholes: Set<string> } {
  const [starts, latest, inWholes] = [new Map<string, number>(), new Map<string, string>(), new Set<string>()];
  for (const { version, time } of all.toSorted((a, b) => a.time - b.time)) {
    const series = seriesOf(version);
    starts.set(series, starts.get(series) ?? time);
    const { before, last } = lastApart(version);
    const earlier = latest.get(before);
    if (earlier !== undefined && Number(earlier) < Number(last) && earlier > last) inWholes.add(before);
    latest.set(before, last);
  }
  return { starts, inWholes };
}

/** True for versions that differ in their last number only, if that is higher as decimals. A hotfix of the lower one is none. */
function isHigherInDecimals(a: string, b: string): boolean {
  const { stage, patch } = parse(a);
  const [one, other] = [lastApart(a), lastApart(b)];
  return !stage && patch.length === 0 && one.before === other.before && one.last > other.last;
}

/** `0.9` and `63` of 0.9.63. */
function lastApart(version: string): { before: string; last: string } {
  const { numbers } = parse(version);
  return { before: numbers.slice(0, -1).join("."), last: numbers.at(-1) ?? "" };
}

function parse(version: string): ParsedVersion {
  // Build metadata after a plus has no precedence (10); text before the first number is a name.
  const [text = ""] = version.slice(0, MAX_LENGTH).replace(/^\D+/, "").split("+");
  // One letter is a patch, however the numbers are joined: 0_10_9a after 0_10_9.
  const counted = text.replace(/^\d+(?:_\d+)+(?=[a-z]$)|^\d+(?:-\d+){2,}(?=[a-z]$)/i, (joined) =>
    joined.replace(/[-_]/g, "."),
  );
  // A date, not a stage.
  if (/^\d+([-_]\d+)+(\.\d+)?$/.test(counted)) return { numbers: counted.split(/[-_.]/), stage: undefined, patch: [] };
  const [core = ""] = /^\d*(\.\d+)*/.exec(counted) ?? [];
  const rest = counted.slice(core.length);
  const numbers = core.split(".");
  if (rest === "" || PATCH.test(rest)) {
    return { numbers, stage: undefined, patch: rest.toLowerCase().match(/\d+|[a-z]/g) ?? [] };
  }
  const stage = /^-[0-9A-Za-z.-]+$/.test(rest) ? rest.slice(1).split(".") : rest.match(/\d+|[A-Za-z]+/g);
  return { numbers, stage: stage?.filter((item) => item !== ""), patch: [] };
}

function compare(a: ParsedVersion, b: ParsedVersion): number {
  const byNumbers = compareLists(a.numbers, b.numbers, "0");
  if (byNumbers !== 0) return byNumbers;
  if (!a.stage && !b.stage) return compareLists(a.patch, b.patch, "");
  if (!a.stage || !b.stage) return Number(!a.stage) - Number(!b.stage);
  return compareLists(a.stage, b.stage, "");
}

/** Compares item by item; the shorter list is filled up with `missing`. */
function compareLists(a: readonly string[], b: readonly string[], missing: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareItems(a[index] ?? missing, b[index] ?? missing);
    if (order !== 0) return order;
  }
  return 0;
}

/** An empty item is lowest, then numbers by value, then words letter by letter (11.4). */
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
