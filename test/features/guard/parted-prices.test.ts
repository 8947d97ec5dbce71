// A source whose two prices for one thing were equal, and part: held until the other one follows.
import { describe, expect, test } from "vitest";
import { judgeAccident, openGuard, suspicions, type GuardSettings } from "../../../collector/features/guard/guard.ts";
import type { Held } from "../../../snapshots/records.ts";
import type { Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const cycle = (key: string, durationMonths: number) => cycleOf(key, durationMonths, { labelKey: key });
const plan = (prices: Record<string, number>, monthlyPrice: number, more: Partial<Plan> = {}) =>
  planOf("pro", prices, { monthlyPrice, annualPrice: 120, ...more });
const facts = (plans: Plan[], cycles = [cycle("m1", 1), cycle("year", 12)]): PlansResponse => ({
  currency: "EUR",
  cycles,
  plans,
});

describe("two prices that were equal and part (collector/features/guard/guard.ts)", () => {
  const HOUR = 3_600_000;
  const settings: GuardSettings = { confirm: 3, over: HOUR / 3, releaseOver: HOUR, priceFactor: 5, off: [] };
  const [one, parted] = [facts([plan({ m1: 12 }, 12)]), facts([plan({ m1: 15 }, 12)])];
  const judged = (
    payload: PlansResponse,
    hours: number,
    held?: Held,
    changes: { isAccepted?: boolean; off?: ["price"] } = {},
  ) => {
    const { isAccepted = false, off = [] } = changes;
    const publication = { fact: { payload }, askedAt: hours * HOUR };
    return judgeAccident(publication, { last: one, held, isAccepted }, { ...settings, off });
  };

  test("are held, however often they are seen, and until the other follows", () => {
    let held: Held | undefined;
    for (let hours = 0; hours < 24; hours++) {
      ({ held } = judged(parted, hours, held));
      if (!held) throw new Error("published");
    }
    expect(held).toMatchObject({ reasons: ["price"], sightings: 24, changes: ["plans: pro m1 12 → 15"] });
    expect(held).toMatchObject({ ends: "does not publish itself while the two prices differ" });
    expect(judged(facts([plan({ m1: 15 }, 15)]), 25, held)).toEqual({});
  });

  test("are published if the operator accepts them, or has turned the check off", () => {
    expect(judged(parted, 1, undefined, { isAccepted: true }).held).toBeUndefined();
    expect(judged(parted, 1, undefined, { off: ["price"] }).held).toBeUndefined();
    expect(openGuard({ guard: false, staleAfter: HOUR })).toEqual({});
  });

  test.for<[string, PlansResponse, PlansResponse, string[]]>([
    ["the price of the month moves alone", one, parted, ["price"]],
    ["monthlyPrice moves alone", one, facts([plan({ m1: 12 }, 15)]), ["price"]],
    ["under another key", one, facts([plan({ month: 15 }, 12)], [cycle("month", 1)]), ["price"]],
    ["they always differed", parted, facts([plan({ m1: 16 }, 12)]), []],
    ["both move", one, facts([plan({ m1: 15 }, 15)]), []],
    ["one of them goes", one, facts([plan({ year: 120 }, 12)]), []],
    ["a new plan contradicts itself", one, facts([plan({ m1: 12 }, 12), plan({ m1: 2 }, 1, { id: "new" })]), []],
  ])("or not: %s", ([, before, after, reasons]) => expect(suspicions(before, after, settings)).toEqual(reasons));
});
