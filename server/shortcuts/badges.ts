// Badges: for each snapshot an SVG, and the JSON from which shields.io draws one in the reader's own style. A badge is
// always a 200, since browsers and image proxies show no other: while its fact is stale or missing it says so in grey, and
// no cache keeps it.
import { clip } from "../../snapshots/rules.ts";
import type { PlansResponse } from "../../snapshots/schema.ts";
import { SNAPSHOT_NAMES, type Payload, type SnapshotName } from "../../snapshots/snapshot.ts";
import { answer, json, type Answer } from "../answers/answer.ts";
import type { FactView } from "../answers/facts.ts";
import { money, PLATFORM_NAMES } from "../format.ts";
import { badgeSvg, type Badge } from "./badge-svg.ts";

const BADGES: Record<SnapshotName, { path: string; label: string }> = {
  plans: { path: "/badge/plans", label: "plans" },
  "release-macos": { path: "/badge/macos", label: PLATFORM_NAMES.macos },
  "release-windows": { path: "/badge/windows", label: PLATFORM_NAMES.windows },
};

const BLUE = "#0969da";
const GREY = "#6e7781";
/** In UTF-16 units. */
const MAX_MESSAGE = 40;

export const BADGE_VIEWS: readonly FactView[] = SNAPSHOT_NAMES.flatMap((name) => [
  view(name, ".svg", svg),
  view(name, ".json", shieldsEndpoint),
]);

function view(name: SnapshotName, extension: string, draw: (badge: Badge) => Answer): FactView {
  const { path, label } = BADGES[name];
  return {
    name,
    targets: [path + extension],
    fresh: ({ payload }) => draw({ label, ...valueOf(payload) }),
    unavailable: draw({ label, message: "unknown", color: GREY }),
  };
}

function svg(badge: Badge): Answer {
  return answer(200, badgeSvg(badge), {
    "content-type": "image/svg+xml",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'",
  });
}

/** shields.io/badges/endpoint-badge */
function shieldsEndpoint(badge: Badge): Answer {
  return json(200, JSON.stringify({ schemaVersion: 1, ...badge }));
}

function valueOf(payload: Payload): Omit<Badge, "label"> {
  const none = "plans" in payload ? "none" : "no release";
  const message = "plans" in payload ? lowestPrice(payload) : payload.hasUpdate && payload.latest.version;
  return message === undefined || message === false
    ? { message: none, color: GREY }
    : { message: clip(message, MAX_MESSAGE), color: BLUE };
}

/** By the month, with a free plan beside it; undefined without plans. */
function lowestPrice({ plans, currency }: PlansResponse): string | undefined {
  const prices = plans.map(({ monthlyPrice }) => monthlyPrice);
  const paid = prices.filter((price) => price > 0);
  if (paid.length === 0) return prices.length === 0 ? undefined : "free";
  return `${paid.length < prices.length ? "free or " : ""}from ${money(Math.min(...paid), currency)}`;
}
