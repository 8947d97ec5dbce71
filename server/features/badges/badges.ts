// Badges: for each snapshot an SVG, and the JSON from which shields.io draws one in the reader's own style. For readmes and sites.
// Without them, `/badge/…` is a 404. A badge is always a 200, since browsers and image proxies show no other: while its fact is stale
// or missing it says so in grey, and no cache keeps it.
// after: words
import { clip } from "../../../snapshots/rules.ts";
import type { PlanNames, PlansResponse } from "../../../snapshots/schema.ts";
import { type Payload, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { answer, ANYWHERE, json, type Answer } from "../../answers/answer.ts";
import type { FactView } from "../../answers/facts.ts";
import { isFree, money, period, PLATFORM_NAMES, xml } from "../words/words.ts";

interface Badge {
  label: string;
  message: string;
  /** `#rrggbb`, dark enough for white text. */
  color: string;
}

const BADGES: Record<SnapshotName, { path: string; label: string }> = {
  plans: { path: "/badge/plans", label: "plans" },
  "release-macos": { path: "/badge/macos", label: PLATFORM_NAMES.macos },
  "release-windows": { path: "/badge/windows", label: PLATFORM_NAMES.windows },
};

const BLUE = "#0969da";
const GREY = "#6e7781";
/** A message is cut after so many UTF-16 units. */
const MAX_MESSAGE = 40;

const LABEL_COLOR = "#555";
/** Each text has so many px to its left and right. */
const PADDING = 6;

/** Pixels, about as in Verdana of 11 px; `textLength` makes a text exactly so wide in any font. */
const WIDTHS: readonly [characters: RegExp, width: number][] = [
  [/[fijlrtI.,:;'|!()[\]\s-]/, 4.2],
  [/[mwMW@%+=~]/, 10],
  [/[\u0020-\u024F]/, 6.8],
];
const WIDEST = 12;

export const BADGE_VIEWS: readonly FactView[] = SNAPSHOT_NAMES.flatMap((name) => [
  badgeView(name, ".svg", svg),
  // The form is described at shields.io/badges/endpoint-badge.
  badgeView(name, ".json", (badge) => json(200, JSON.stringify({ schemaVersion: 1, ...badge }))),
]);

function badgeView(name: SnapshotName, extension: string, draw: (badge: Badge) => Answer): FactView {
  const { path, label } = BADGES[name];
  return {
    name,
    targets: [path + extension],
    fresh: ({ payload, names }) => draw({ label, ...valueOf(payload, names) }),
    unavailable: draw({ label, message: "unknown", color: GREY }),
  };
}

function svg(badge: Badge): Answer {
  return answer(200, badgeSvg(badge), {
    "content-type": "image/svg+xml",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'",
    ...ANYWHERE,
  });
}

function valueOf(payload: Payload, names: PlanNames | undefined): Omit<Badge, "label"> {
  const none = "plans" in payload ? "no plans" : "no release";
  const message = "plans" in payload ? lowestPrice(payload, names) : payload.hasUpdate && payload.latest.version;
  return message === undefined || message === false
    ? { message: none, color: GREY }
    : { message: clip(message, MAX_MESSAGE), color: BLUE };
}

/** The lowest price by the month, or that of a plan without one, with a free plan beside it: `free or Plus from $12`, `$49 once`. Undefined
 * without plans. */
function lowestPrice({ plans, cycles, currency }: PlansResponse, names: PlanNames = {}): string | undefined {
  const byTheMonth = plans.map(({ id, monthlyPrice }) => {
    return { id, amount: monthlyPrice, words: names[id]?.computed === "month" ? " a month, billed yearly" : "" };
  });
  const others = plans.flatMap(({ id, prices }) =>
    cycles.map(({ key, durationMonths }) => {
      return { id, amount: (Object.hasOwn(prices, key) && prices[key]) || 0, words: ` ${period(durationMonths)}` };
    }),
  );
  const [lowest] = [byTheMonth, others].flatMap((offers) =>
    offers.filter(({ amount }) => amount > 0).toSorted((a, b) => a.amount - b.amount),
  );
  if (!lowest) return plans.length === 0 ? undefined : "free";
  const or = plans.some(isFree) ? "free or " : "";
  const price = `${lowest.words === "" ? "from " : ""}${money(lowest.amount, currency)}${lowest.words}`;
  const title = names[lowest.id]?.title;
  const named = `${or}${title} ${price}`;
  return title === undefined || named.length > MAX_MESSAGE ? or + price : named;
}

/** Two boxes with a text each, in opaque colours that are readable on light and dark pages. Own code, because
 * badge-maker keeps 0.9 MB of character widths in memory, and lets characters pass that XML does not allow. */
export function badgeSvg({ label, message, color }: Badge): string {
  const [left, right] = [widthOf(label) + 2 * PADDING, widthOf(message) + 2 * PADDING];
  const title = xml(`${label}: ${message}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">\
<title>${title}</title><rect width="${left + right}" height="20" rx="3" fill="${color}"/>\
<path fill="${LABEL_COLOR}" d="M3 0H${left}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>\
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
${text(label, PADDING)}${text(message, left + PADDING)}</g></svg>`;
}

function text(content: string, x: number): string {
  return `<text x="${x}" y="14" textLength="${widthOf(content)}">${xml(content)}</text>`;
}

function widthOf(content: string): number {
  const widths = Array.from(content, (character) => WIDTHS.find(([some]) => some.test(character))?.[1] ?? WIDEST);
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
}
