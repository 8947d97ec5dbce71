// The title of a change as a person would write it: `Team: $12 → $14 a month`, `Acme Notes 2.4.2 for macOS`. It is made
// from the differences in the entry, not from the entry before it, so it stays when that one is removed.
import { MAX_TEXT, phraseOf, type Difference } from "../../../snapshots/features/differences/difference.ts";
import { clip } from "../../../snapshots/rules.ts";
import { capitalized, money, PLATFORM_NAMES } from "../words/words.ts";
import type { Change, Published } from "./recent-changes.ts";

/** A title is cut after so many UTF-16 units. */
const MAX_TITLE = 150;
/** Further changes are counted. */
const MAX_PHRASES = 2;
/** Further plans are counted. */
const MAX_PLANS = 5;

export function changeTitle(product: string, change: Change): string {
  const { name, differences, published } = change;
  if (name === "plans") return clip(plansTitle(differences, published), MAX_TITLE);
  return clip(releaseTitle(product, change, PLATFORM_NAMES[name === "release-macos" ? "macos" : "windows"]), MAX_TITLE);
}

function releaseTitle(product: string, { changes, differences, published }: Change, platform: string): string {
  const [first] = differences;
  // The payload was too large for the history.
  if (!published || !("version" in published) || !first) return changes[0] ?? "";
  const { version } = published;
  if (version === null) return `${product} for ${platform}: ${first.before === undefined ? "no release" : "withdrawn"}`;
  const release = `${product} ${version} for ${platform}`;
  if (first.version !== undefined) return `${release}: ${phraseOf(first)}`;
  const update = differences.find(({ kind }) => kind === "forceUpdate");
  if (update === undefined) return release;
  return `${release}, ${update.after ? "a" : "no longer a"} required update`;
}

function plansTitle(differences: readonly Difference[], published: Published | undefined): string {
  const currency = published && "currency" in published ? published.currency : undefined;
  const { before } = differences.find(({ kind }) => kind === "currency") ?? {};
  const last = currency && String(before ?? currency);
  const phrases = essential(differences).map((one) => phrase(one, last, currency));
  const text = phrases.slice(0, MAX_PHRASES).join(", ");
  // Those that were left out are not phrases, which would be fewer.
  if (differences.at(-1)?.kind === "more") return `${text}, and more`;
  return phrases.length > MAX_PHRASES ? `${text}, and ${phrases.length - MAX_PHRASES} more` : text;
}

const PERIODS: Partial<Record<Difference["kind"], string>> = { monthlyPrice: "month", annualPrice: "year" };

/** It leaves out those that repeat in another way how the price of a plan changed: the vendor's own keys usually do. */
function essential(differences: readonly Difference[]): Difference[] {
  const ofPeriods = differences.filter(({ kind }) => kind in PERIODS).toReversed();
  const first = new Map(ofPeriods.map(({ plan, kind }) => [plan, kind]));
  return differences.filter(({ kind, plan }) => {
    const isPrice = kind === "price" || kind in PERIODS;
    return kind !== "more" && (!isPrice || (first.get(plan) ?? kind) === kind);
  });
}

/** `last`, `currency`: before and after; undefined if the payload was too large for the history. */
function phrase(one: Difference, last: string | undefined, currency: string | undefined): string {
  const { kind, plan = "", before, after } = one;
  const period = PERIODS[kind];
  if (period !== undefined) {
    const price = (amount: Difference["after"], of = "") => (of === "" ? amount : money(Number(amount), of));
    return `${capitalized(plan)}: ${price(before, last)} → ${price(after, currency)} a ${period}`;
  }
  if (kind === "plans") return `Plans: ${beginning(String(after))}`;
  if (kind === "plan" && before === undefined) return `New plan: ${plan}`;
  if (kind === "plan") return `${capitalized(plan)} is no longer offered`;
  if (kind === "popular") return `${capitalized(plan)} is ${after ? "now" : "no longer"} recommended`;
  return capitalized(phraseOf(one));
}

/** `list`: may have been cut for the history. */
function beginning(list: string): string {
  const plans = list.split(", ");
  const text = plans.slice(0, MAX_PLANS).join(", ");
  if (list.length === MAX_TEXT) return `${text} and more`;
  return plans.length > MAX_PLANS ? `${text} and ${plans.length - MAX_PLANS} more` : text;
}
