// The title of a change as a person would write it: `Team: $12 → $14 a month`, `Acme Notes 2.4.2 for macOS`. It is made
// from the lines of `difference` in the entry, not from the entry before it, so it stays when that one is removed.
import { clip } from "../../snapshots/rules.ts";
import { capitalized, money, PLATFORM_NAMES } from "../format.ts";
import type { Change, Published } from "../mirror/recent-changes.ts";

/** In UTF-16 units. */
const MAX_TITLE = 150;
/** Further changes are counted. */
const MAX_PHRASES = 2;
/** Further plans are counted. */
const MAX_PLANS = 5;

const PRICE = /^(?<plan>\S+) price by the (?<period>month|year) (?<before>[\d.e+-]+) → (?<after>[\d.e+-]+)$/;
/** A price by the vendor's own key, which a price by the month or year usually repeats. */
const PRICE_BY_KEY = /^(?<plan>\S+) \S+ (?:[\d.e+-]+ → [\d.e+-]+|added at [\d.e+-]+|removed)$/;
/** The end of a list that was too long for the history. The lines it counts are not phrases, which would be fewer. */
const MORE = /^and \d+ more$/;

/** `product`: the vendor's name for it. */
export function changeTitle(product: string, change: Change): string {
  const { name, changes, published } = change;
  if (name === "plans") return clip(plansTitle(changes, published), MAX_TITLE);
  return clip(releaseTitle(product, change, PLATFORM_NAMES[name === "release-macos" ? "macos" : "windows"]), MAX_TITLE);
}

function releaseTitle(product: string, { changes, published }: Change, platform: string): string {
  const [line = ""] = changes;
  // The payload was too large for the history.
  if (!published || !("version" in published)) return line;
  const { version } = published;
  if (version === null) return `${product} for ${platform}: ${line.includes(" → ") ? "withdrawn" : "no release"}`;
  const release = `${product} ${version} for ${platform}`;
  const [, ofSameVersion] = line.split(` ${version}: `, 2);
  if (ofSameVersion !== undefined) return `${release}: ${ofSameVersion}`;
  const update = changes.find((other) => /^\w+ update \w+ → \w+$/.test(other));
  if (update === undefined) return release;
  return `${release}, ${update.endsWith("forced") ? "a" : "no longer a"} required update`;
}

function plansTitle(changes: readonly string[], published: Published | undefined): string {
  const lines = changes.map((line) => line.replace(/^plans: /, ""));
  const currencies = currenciesOf(lines, published);
  const phrases = essential(lines).map((line) => phrase(line, currencies));
  const text = phrases.slice(0, MAX_PHRASES).join(", ");
  if (MORE.test(lines.at(-1) ?? "")) return `${text}, and more`;
  return phrases.length > MAX_PHRASES ? `${text}, and ${phrases.length - MAX_PHRASES} more` : text;
}

/** Without the lines that repeat in another way how the price of a plan changed. */
function essential(lines: readonly string[]): string[] {
  const periods = new Map<string, string>();
  for (const { plan, period } of lines.map((line) => PRICE.exec(line)?.groups ?? {})) {
    if (plan !== undefined && period !== undefined && !periods.has(plan)) periods.set(plan, period);
  }
  return lines.filter((line) => {
    const { plan = "", period } = (PRICE.exec(line) ?? PRICE_BY_KEY.exec(line))?.groups ?? {};
    return !MORE.test(line) && (!periods.has(plan) || periods.get(plan) === period);
  });
}

interface Currencies {
  before: string;
  after: string;
}

/** Undefined if the payload was too large for the history. */
function currenciesOf(lines: readonly string[], published: Published | undefined): Currencies | undefined {
  if (!published || !("currency" in published)) return undefined;
  const [start, after] = ["currency ", published.currency];
  const change = lines.find((line) => line.startsWith(start) && line.endsWith(` → ${after}`));
  return { before: change?.slice(start.length, -` → ${after}`.length) ?? after, after };
}

function phrase(line: string, currencies: Currencies | undefined): string {
  const { plan = "", period, before = "", after = "" } = PRICE.exec(line)?.groups ?? {};
  if (period !== undefined) {
    const [old, current] = currencies
      ? [money(Number(before), currencies.before), money(Number(after), currencies.after)]
      : [before, after];
    return `${capitalized(plan)}: ${old} → ${current} a ${period}`;
  }
  return capitalized(
    line
      .replace(/^(.*), for the first time$/, (_line, plans: string) => `plans: ${beginning(plans.split(", "))}`)
      .replace(/^(\S+) added$/, "new plan: $1")
      .replace(/^(\S+) removed$/, "$1 is no longer offered")
      .replace(/^(\S+) (now|no longer) popular$/, "$1 is $2 recommended"),
  );
}

function beginning(plans: readonly string[]): string {
  const text = plans.slice(0, MAX_PLANS).join(", ");
  return plans.length > MAX_PLANS ? `${text} and ${plans.length - MAX_PLANS} more` : text;
}
