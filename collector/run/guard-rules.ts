// Compares a candidate with the published payload and finds the changes that look like an accident. Pure. A suspicion
// is not proof: it only makes the collector ask again.
import type { HoldReason } from "../../snapshots/held.ts";
import type { LatestReleaseResponse, PlansResponse } from "../../snapshots/schema.ts";
import type { Payload } from "../../snapshots/snapshot.ts";
import { compareVersions, hasNumber } from "../releases/version.ts";

/** Every reason to hold the candidate; empty for an ordinary change. */
export function suspicions(before: Payload, after: Payload, { priceFactor }: { priceFactor: number }): HoldReason[] {
  if ("plans" in before && "plans" in after) return ofPlans(before, after, priceFactor);
  if ("hasUpdate" in before && "hasUpdate" in after) return ofRelease(before, after);
  return [];
}

function ofPlans(before: PlansResponse, after: PlansResponse, factor: number): HoldReason[] {
  const prices = new Map(after.plans.map((plan) => [plan.id, pricesOf(plan)]));
  const vanished = before.plans.filter(({ id }) => !prices.has(id)).length;
  const hasLeap = (plan: PlansResponse["plans"][number]) => {
    const now = prices.get(plan.id);
    return [...pricesOf(plan)].some(([key, price]) => isLeap(price, now?.get(key), factor));
  };
  return [
    ...hold("plans", vanished * 2 > before.plans.length),
    ...hold("price", before.plans.some(hasLeap)),
    ...hold("currency", before.currency !== after.currency),
  ];
}

/** Every price of a plan. The two keys with a space cannot collide with the vendor's keys. */
function pricesOf({ prices, monthlyPrice, annualPrice }: PlansResponse["plans"][number]): Map<string, number> {
  return new Map([...Object.entries(prices), ["by the month", monthlyPrice], ["by the year", annualPrice]]);
}

/** A price that was 0, or is no longer listed, is not compared. */
function isLeap(before: number, after: number | undefined, factor: number): boolean {
  if (before === 0 || after === undefined) return false;
  return after === 0 || after >= before * factor || before >= after * factor;
}

function ofRelease(before: LatestReleaseResponse, after: LatestReleaseResponse): HoldReason[] {
  if (!before.hasUpdate) return [];
  if (!after.hasUpdate) return ["release"];
  const [last, next] = [before.latest, after.latest];
  const isSameVersion = last.version === next.version;
  const isBack = hasNumber(next.version) && compareVersions(next.version, last.version) < 0;
  return [
    ...hold("version", isBack),
    ...hold("host", isSameVersion && new URL(last.downloadURL).host !== new URL(next.downloadURL).host),
  ];
}

function hold(reason: HoldReason, isHeld: boolean): HoldReason[] {
  return isHeld ? [reason] : [];
}
