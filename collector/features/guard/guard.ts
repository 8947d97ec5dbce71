// A suspicious candidate is held back until it has been seen often and long enough, or until the operator accepts it. Meanwhile
// the published snapshot is not confirmed, so no old fact is served for longer than `staleAfter`. For a vendor
// whose upstream may err. Without it, every fact that passes the gate is published, and a link of another size with it.
// after: differences, prices, versions
import * as z from "zod";
import { difference, lineOf, type Difference } from "../../../snapshots/features/differences/difference.ts";
import { heldReasons, HOLD_REASON_NAMES, type Held, type HoldReason } from "../../../snapshots/records.ts";
import { clip, firstLines, whatApplies } from "../../../snapshots/rules.ts";
import type { LatestReleaseResponse, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { type Payload, sha256 } from "../../../snapshots/snapshot.ts";
import { compareVersions, hasNumber } from "../versions/version.ts";
import { isOnePrice, pricesOf } from "../prices/plan-prices.ts";
import { duration } from "../../setting-values.ts";
import type { Circumstances, Judgement, RunPart } from "../../hooks.ts";

export const Guard = z
  .strictObject({
    confirm: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe("Equal sightings in a row after which a held candidate is published"),
    over: duration("20m", "30d").describe("Time that must have passed since the first sighting"),
    // Upstreams lose a platform for hours while they publish, and most of their plans for a night.
    releaseOver: duration("12h", "30d").describe(
      "The same time for a release or most plans that would vanish; half of staleAfter at most",
    ),
    priceFactor: z.number().min(1.1).max(1_000_000).default(5).describe("Factor from which a change of price is held"),
    off: z.array(z.enum(HOLD_REASON_NAMES)).default([]).describe("Reasons that are not checked"),
  })
  .describe("When a held candidate is published automatically, and which reasons are not checked");
export type GuardSettings = z.infer<typeof Guard>;

export const guardSettings = {
  guard: z
    .union([z.literal(false, 'must be false, or an object such as { "off": ["price"] }; it is on by default'), Guard])
    .prefault({ confirm: 3, over: "20m", releaseOver: "12h", priceFactor: 5, off: [] })
    .describe("Holds back changes that look like an accident; disabled by `false`, or for single reasons by `off`"),
};

export function openGuard({ guard, staleAfter }: { guard: GuardSettings | false; staleAfter: number }): RunPart {
  if (guard === false) return {};
  // A hold ends before the fact that it protects is stale.
  const settings = { ...guard, releaseOver: Math.min(guard.releaseOver, staleAfter / 2) };
  return { judges: [(publication, circumstances) => judgeAccident(publication, circumstances, settings)] };
}

/** What is lost may come back after hours. */
const LOSSES: readonly string[] = ["release", "plans", "empty"] satisfies HoldReason[];

type Compared = Pick<Circumstances, "last" | "held" | "isAccepted"> &
  Partial<Pick<Circumstances, "doubts" | "isSample">>;

/** Holds back a suspicious candidate. Without a last known payload, only an empty list of plans is one. */
export function judgeAccident(
  { kind, fact: { payload: candidate }, askedAt }: { kind?: string; fact: { payload: Payload }; askedAt: number },
  { last, held, doubts = [], isAccepted, isSample = false }: Compared,
  settings: GuardSettings,
): Pick<Judgement, "held" | "why"> {
  if (isSample) return {};
  const fingerprint = fingerprintOf(candidate);
  const before = held?.fingerprint === fingerprint ? held : undefined;
  // What is held already was compared with facts that are lost since.
  const firstDoubts = before?.reasons ?? (isEmpty(candidate) && kind !== "none" ? ["empty"] : []);
  if (last === undefined && firstDoubts.length === 0) return {};
  const all = [...(last ? suspicions(last, candidate, settings) : firstDoubts), ...doubts];
  const off: readonly string[] = settings.off;
  const reasons = [...new Set(all)].filter((reason) => !off.includes(reason));
  if (reasons.length === 0) return {};
  if (isAccepted) return { why: "accepted" };
  // A clock that was set back must not delay the end.
  const since = Math.min(askedAt, before ? Date.parse(before.since) : askedAt);
  const sightings = (before?.sightings ?? 0) + 1;
  const isLoss = reasons.some((reason) => LOSSES.includes(reason));
  const over = isLoss ? Math.max(settings.over, settings.releaseOver) : settings.over;
  // Two prices for one thing stay wrong, however often they are seen: the hold ends when the other price follows.
  const isContradiction = reasons.includes("price") && last !== undefined && haveParted(last, candidate);
  if (!isContradiction && sightings >= settings.confirm && askedAt - since >= over) {
    return { why: `was held, and seen ${sightings} times` };
  }
  const changes = last ? changesOf(last, candidate, settings) : (before?.changes ?? []);
  const times = { since: new Date(since).toISOString(), seenAt: new Date(askedAt).toISOString() };
  const ends = isContradiction
    ? "does not publish itself while the two prices differ"
    : `publishes itself from ${minuteOf(since + over)} UTC, when seen ${settings.confirm} times in a row (so far ${sightings}), unless the source takes it back`;
  const hold = { fingerprint, reasons, ...times, sightings, changes, ends };
  return { held: hold, why: whyHeld(hold) };
}

/** In a log or a chat, where nothing else shows what would change. */
function whyHeld(held: Held): string {
  const changes = firstLines(held.changes, MAX_TOLD).join(", ").replaceAll("plans: ", "");
  return `${heldReasons(held).join("; ")}${changes && ` (${changes})`}; ${held.ends}`;
}

/** Rounded up: not sooner. */
function minuteOf(time: number): string {
  const whole = Math.ceil(time / 60_000) * 60_000;
  return new Date(whole).toISOString().slice(0, 16).replace("T", " ");
}

/** Such changes look like an accident. A suspicion is not proof: it only makes the collector ask again. */
export function suspicions(before: Payload, after: Payload, { priceFactor }: { priceFactor: number }): HoldReason[] {
  if ("plans" in before && "plans" in after) return ofPlans(before, after, priceFactor);
  if ("hasUpdate" in before && "hasUpdate" in after) return ofRelease(before, after);
  return [];
}

/** A setting or a source that is wrong from the start looks like a vendor without plans, whose source is `none`. */
function isEmpty(payload: Payload): boolean {
  return "plans" in payload && payload.plans.length === 0;
}

function ofPlans(before: PlansResponse, after: PlansResponse, factor: number): HoldReason[] {
  const prices = new Map(after.plans.map((plan) => [plan.id, pricesOf(plan)]));
  const vanished = before.plans.filter(({ id }) => !prices.has(id)).length;
  const hasLeap = (plan: Plan) => {
    const now = prices.get(plan.id);
    return [...pricesOf(plan)].some(([key, price]) => isLeap(price, now?.get(key), factor));
  };
  return whatApplies({
    plans: vanished * 2 > before.plans.length,
    price: before.plans.some(hasLeap) || haveParted(before, after),
    // Without plans, nothing is priced in it.
    currency: before.plans.length > 0 && after.plans.length > 0 && before.currency !== after.currency,
  });
}

/** A plan's `monthlyPrice` and its price for the cycle of one month were equal, and no longer are. */
function haveParted(before: Payload, after: Payload): boolean {
  if (!("plans" in before && "plans" in after)) return false;
  const wereOne = new Set(before.plans.flatMap((plan) => (isOnePrice(plan, before.cycles) ? [plan.id] : [])));
  return after.plans.some((plan) => wereOne.has(plan.id) && isOnePrice(plan, after.cycles) === false);
}

/** A price that was 0, or is no longer listed, is not compared. */
function isLeap(before: number, after: number | undefined, factor: number): boolean {
  if (before === 0 || after === undefined) return false;
  // Amounts are binary fractions: 1.15 / 5 is not 0.23.
  const most = factor * (1 - 1e-9);
  return after === 0 || after >= before * most || before >= after * most;
}

function ofRelease(before: LatestReleaseResponse, after: LatestReleaseResponse): HoldReason[] {
  if (!before.hasUpdate) return [];
  if (!after.hasUpdate) return ["release"];
  const [last, next] = [before.latest, after.latest];
  const isSameVersion = last.version === next.version;
  return whatApplies({
    version: hasNumber(next.version) && compareVersions(next.version, last.version) < 0,
    host: isSameVersion && new URL(last.downloadURL).host !== new URL(next.downloadURL).host,
  });
}

/** Payloads that are equal as JSON, in any order of keys, have one fingerprint. */
function fingerprintOf(payload: Payload): string {
  return sha256(JSON.stringify(payload, (_, value: unknown) => sortKeys(value)));
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const MAX_CHANGES = 10;
const MAX_TOLD = 3;
const MAX_CHANGE_LENGTH = 200;

/** In words; the leaps first, for which it may be held. */
function changesOf(before: Payload, after: Payload, { priceFactor }: { priceFactor: number }): string[] {
  const isLeaping = ({ before, after }: Difference) =>
    typeof before === "number" && typeof after === "number" && isLeap(before, after, priceFactor);
  const changes = difference(before, after).toSorted((a, b) => Number(isLeaping(b)) - Number(isLeaping(a)));
  return firstLines(changes.map(lineOf), MAX_CHANGES).map((change) => clip(change, MAX_CHANGE_LENGTH, ""));
}
