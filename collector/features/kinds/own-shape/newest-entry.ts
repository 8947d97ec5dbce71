// Of a list, `fields` reads the newest entry, by the date, number or version that each one states. The order of the list decides
// nothing; an entry that cannot be compared with the others may be the newest one, so it is refused, like two that are equally new. One
// whose version is unfinished counts only where all are.
import * as z from "zod";
import { UpstreamError } from "../../../http/errors.ts";
import { compareVersions, isUnfinished } from "../../versions/version.ts";
import { type Conditions, foundAt, unmetIn, valueAt } from "./pointer.ts";
import { isNoDay, timeOf } from "../releases/date.ts";
import { checkShape, listOf, MAX_NAME } from "../shape.ts";

/** All pointers but that to the list begin at an entry, which must have what is required to count. */
interface ListPointers extends Record<"list" | "newest" | "version", string> {
  require: Conditions;
}

const EntryList = z.object({ list: listOf(z.unknown(), 10_000) });

/** @throws UpstreamError naming the entry that cannot be compared, or two that are equally new. */
export function newestEntry(document: unknown, { list, newest, version, require }: ListPointers): unknown {
  const all = checkShape(EntryList, { list: valueAt(document, list) }, 'the list that "fields" describes').list;
  const required = all
    .map((entry, index) => ({ entry, place: `${list}/${index}`, value: valueAt(entry, newest) }))
    .filter(({ entry }) => unmetIn(entry, require) === undefined);
  const finished = required.filter(({ entry }) => ![newest, version].some((at) => isUnfinishedAt(entry, at)));
  const entries = finished.length > 0 ? finished : required;
  const [first, ...others] = entries;
  if (!first) {
    const unmet = unmetIn(all[0], require) ?? "";
    const found = `${unmet}${foundAt(all[0], unmet, require)}`;
    throw new UpstreamError(
      all.length === 0
        ? `the list "${list}" is empty`
        : `no entry of the list "${list}" is as "require" says (${found})`,
    );
  }
  const odd =
    entries.find(({ value }) => !orderOf(value)) ?? others.find((one) => orderOf(one.value) !== orderOf(first.value));
  const compare = orderOf(first.value)?.compare;
  if (odd || !compare) {
    const { place } = odd ?? first;
    throw new UpstreamError(
      `${place}${newest} cannot be compared: all need a date, all a number or all a version there`,
    );
  }
  const best = others.reduce((best, one) => (compare(one.value, best.value) > 0 ? one : best), first);
  const twin = entries.find((one) => one !== best && compare(one.value, best.value) === 0);
  if (twin) {
    const places = [best, twin]
      .map(({ place }) => place)
      .toSorted()
      .join(" and ");
    throw new UpstreamError(`${places} are equally new by ${newest}: "require" can leave one of them out`);
  }
  return best.entry;
}

function isUnfinishedAt(entry: unknown, at: string): boolean {
  const found = valueAt(entry, at);
  return typeof found === "string" && found.length <= MAX_NAME && isUnfinished(found);
}

interface Order {
  isOf(value: unknown): boolean;
  compare(a: unknown, b: unknown): number;
}

const VERSION = /^v?\.?\d[0-9A-Za-z.+_-]*$/;
/** `05.11.2026` is the 5th of November or the 11th of May. */
const IN_DOUBT = /^\d{1,2}[._-]\d{1,2}[._-](?:19|20)\d\d$|^0\d[._-]/;

const ORDERS: readonly Order[] = [
  { isOf: (value) => timeIn(value) !== undefined, compare: (a, b) => (timeIn(a) ?? 0) - (timeIn(b) ?? 0) },
  { isOf: Number.isFinite, compare: (a, b) => Number(a) - Number(b) },
  { isOf: isVersion, compare: (a, b) => compareVersions(String(a), String(b)) },
];

function orderOf(value: unknown): Order | undefined {
  return ORDERS.find(({ isOf }) => isOf(value));
}

function timeIn(value: unknown): number | undefined {
  return typeof value === "string" && value.length <= MAX_NAME ? timeOf(value) : undefined;
}

function isVersion(value: unknown): boolean {
  if (typeof value !== "string" || value.length > MAX_NAME) return false;
  return VERSION.test(value) && !IN_DOUBT.test(value) && !isNoDay(value);
}
