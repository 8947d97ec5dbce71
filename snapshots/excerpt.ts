// The beginning of a payload, for showing it to people: a catalogue may have ten thousand plans, and to read all of them
// again takes longer than a request should wait.
import type { LatestReleaseResponse, PlansResponse } from "./schema.ts";

export interface Excerpt {
  /** With the first plans and cycles only. */
  payload: PlansResponse | LatestReleaseResponse;
  /** Of plans. */
  totals?: Totals;
}

/** What all plans come to, those left out of the excerpt, too. Prices are by the month; Infinity without plans. */
export interface Totals {
  plans: number;
  least: number;
  most: number;
}

const MOST_PLANS = 60;
const MOST_CYCLES = 24;

export function excerptOf(payload: Excerpt["payload"]): Excerpt {
  if ("hasUpdate" in payload) return { payload };
  const { currency, cycles, plans } = payload;
  let [least, most] = [Infinity, -Infinity];
  for (const { monthlyPrice } of plans) [least, most] = [Math.min(least, monthlyPrice), Math.max(most, monthlyPrice)];
  return {
    payload: { currency, cycles: cycles.slice(0, MOST_CYCLES), plans: plans.slice(0, MOST_PLANS) },
    totals: { plans: plans.length, least, most },
  };
}
