// Which of two versions is the higher one, as far as that can be said of texts that vendors write as they like.

const VERSION = /^v?(?<core>\d+(?:\.\d+)*)(?:-(?<stage>[0-9A-Za-z.-]+))?(?:\+.*)?$/;

/** Below 0 when `a` is lower, above 0 when it is higher, 0 when neither is or nobody can say. Semantic Versioning, but with
 * any count of numbers: `4.2` is `4.2.0`, and `4.2.0-beta.1` comes before it. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [VERSION.exec(a)?.groups, VERSION.exec(b)?.groups];
  if (!one || !other) return 0;
  const byCore = compareLists(numbers(one.core), numbers(other.core), "0");
  if (byCore !== 0) return byCore;
  if (one.stage === undefined || other.stage === undefined) {
    return Number(one.stage === undefined) - Number(other.stage === undefined);
  }
  return compareLists(one.stage.split("."), other.stage.split("."), "");
}

function numbers(core = ""): string[] {
  return core.split(".");
}

/** Compares item by item; a list that is over goes on with `missing`. */
function compareLists(a: readonly string[], b: readonly string[], missing: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareItems(a[index] ?? missing, b[index] ?? missing);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers as numbers, and before words (SemVer, 11.4). */
function compareItems(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? -1 : 1;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (!isNumber) return a < b ? -1 : 1;
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
