// Names, numbers, dates and periods as text: English, UTC, the same on every replica, and as precise as the fact. All that people
// read goes with it: page, badges, downloads, feeds, MCP, widgets.
import type { Architecture } from "../../../snapshots/processors.ts";
import type { BillingCycle, Plan, Platform, Release, ReleaseFile } from "../../../snapshots/schema.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";

export const PLATFORM_NAMES: Record<Platform, string> = { macos: "macOS", windows: "Windows" };
/** What the processors of a platform are called; empty for those that nearly everybody has. */
export const PROCESSOR_NAMES: Record<Platform, Record<Architecture, string>> = {
  macos: { universal: "", arm64: "Apple silicon", x64: "Intel", ia32: "32-bit" },
  windows: { universal: "", arm64: "Arm", x64: "", ia32: "32-bit" },
};
export const SUM_NAMES = { sha256: "SHA-256", sha512: "SHA-512" } as const;
export const SNAPSHOT_TITLES: Record<SnapshotName, string> = {
  plans: "Plans",
  "release-macos": "Release for macOS",
  "release-windows": "Release for Windows",
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `21 Nov 2026`. `instant`: ISO 8601, UTC. */
export function day(instant: string): string {
  const date = new Date(instant);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `21 Nov 2026, 09:12 UTC`. */
export function dateTime(instant: string): string {
  return `${day(instant)}, ${new Date(instant).toISOString().slice(11, 16)} UTC`;
}

/** A date as the vendor supplies it; only ISO 8601 is reformatted. */
export function vendorDate(text: string): string {
  const date = vendorDay(text);
  return date === undefined ? text : day(date);
}

/** `2026-11-21`; undefined for text that is no date of ISO 8601, and for a day that no month has. */
export function vendorDay(text: string): string | undefined {
  const [date = ""] = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(text) ?? [];
  return date && new Date(date).toJSON()?.startsWith(date) ? date : undefined;
}

/** The installer of the release's own link, its shorter checksum in hex if one is known, and the other installers. */
export function installersOf({ downloadURL }: Release, files: readonly ReleaseFile[] = []) {
  const own: ReleaseFile = files.find(({ url }) => url === downloadURL) ?? { url: downloadURL };
  const kind = (["sha256", "sha512"] as const).find((kind) => own[kind] !== undefined);
  const sum = kind && { name: SUM_NAMES[kind], hex: own[kind] ?? "" };
  return { own, sum, others: files.filter((file) => file !== own) };
}

/** `104.2 MB`. `size`: bytes; empty if unknown. */
export function bytes(size: string): string {
  if (size === "") return "size not listed";
  const [value, unit] = (
    [
      [1e9, "GB"],
      [1e6, "MB"],
      [1e3, "kB"],
    ] as const
  ).find(([value]) => Number(size) >= value) ?? [1, "bytes"];
  return `${(Number(size) / value).toFixed(unit === "bytes" ? 0 : 1)} ${unit}`;
}

/** The last currency's is kept, because making an Intl formatter is slow. */
let lastMoney: { currency: string; locale: string; format: (amount: number) => string } | undefined;

/** `$119.50`, with every digit of the price. A currency that is not an ISO 4217 code follows the number. `locale`: BCP 47. */
export function money(amount: number, currency: string, locale = "en-US"): string {
  if (lastMoney?.currency !== currency || lastMoney.locale !== locale)
    lastMoney = { currency, locale, format: moneyFormat(currency, locale) };
  return lastMoney.format(amount);
}

function moneyFormat(currency: string, locale: string): (amount: number) => string {
  const digits = { maximumFractionDigits: 10, trailingZeroDisplay: "stripIfInteger" } as const;
  try {
    const { format } = new Intl.NumberFormat(locale, { style: "currency", currency, ...digits });
    return format;
  } catch {
    const { format } = new Intl.NumberFormat(locale, digits);
    return (amount) => `${format(amount)} ${currency}`;
  }
}

/** `2,000 credits`. Intl would make a formatter for one comma. */
export function count(amount: number, one: string): string {
  return `${String(amount).replace(/\B(?=(?:\d{3})+$)/g, ",")} ${one}${amount === 1 ? "" : "s"}`;
}

/** Whether every price of a plan is 0. */
export function isFree({ monthlyPrice, annualPrice, prices }: Plan): boolean {
  return [monthlyPrice, annualPrice, ...Object.values(prices)].every((amount) => amount === 0);
}

/** `Quarterly`; with the key if another cycle is as long. `title`: another title for this length. */
export function cycleTitle(
  { key, durationMonths }: BillingCycle,
  cycles: readonly BillingCycle[],
  title = CYCLE_TITLES[durationMonths] ?? capitalized(period(durationMonths)),
): string {
  const isAlone = cycles.filter((other) => other.durationMonths === durationMonths).length === 1;
  return isAlone ? title : `${title} (${key})`;
}

const CYCLE_TITLES: Record<number, string> = { 1: "Monthly", 3: "Quarterly", 6: "Half-yearly", 12: "Yearly" };

/** More months than this are no rhythm: the price is paid once. */
export const MAX_RHYTHM = 120;

/** `a year`, `every 3 months`, `once`. */
export function period(months: number): string {
  if (months > MAX_RHYTHM) return "once";
  if (months === 1) return "a month";
  if (months === 12) return "a year";
  return months % 12 === 0 ? `every ${months / 12} years` : `every ${months} months`;
}

/** `Plans`, `Plans and Release for macOS`. */
export function joinTitles(names: readonly SnapshotName[]): string {
  const words = names.map((name) => SNAPSHOT_TITLES[name]);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Text in XML, such as the Atom feed and badges: escapes markup, and drops characters that XML 1.0 does not allow. */
export function xml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
