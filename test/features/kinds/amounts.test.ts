// Amounts with the errors of binary fractions, from every source of plans.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exactIn } from "../../../collector/features/kinds/minor-units.ts";
import { find } from "../../../collector/run/ask.ts";
import { openSource, SourceSettings } from "../../../collector/sources/sources.ts";
import { candidateOf } from "../../support/collecting/payments.ts";
import * as stripe from "../../support/collecting/stripe.ts";
import { json, startUpstream } from "../../support/collecting/upstream.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const plansOf = (amount: number, currency = "USD") => ({
  currency,
  cycles: [cycleOf("monthly", 1)],
  plans: [planOf("pro", { monthly: amount }, { annualPrice: 99 })],
});

/** Each reads plans with this amount: a file, a JSON document in our shape and in another one. */
async function readersOf(amount: number) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(plansOf(amount)));
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "plans.json"), JSON.stringify(plansOf(amount)));
  const fields = {
    plans: "/plans",
    currency: "/currency",
    cycles: [cycleOf("monthly", 1)],
    id: "/id",
    monthlyPrice: "/monthlyPrice",
    annualPrice: "/annualPrice",
    prices: { monthly: "/prices/monthly" },
  };
  const url = `${upstream.origin}/plans`;
  return [
    { from: "file", path: "plans.json" },
    { from: "json", url },
    { from: "json", url, fields },
  ].map((settings) => async () => {
    const source = openSource(SourceSettings.parse(settings), { names: ["plans"], directory, environment: {} });
    const answer = await source.fetch({ signal: new AbortController().signal, validators: undefined });
    if (answer === "unchanged") throw new Error("no answer");
    return find(source, "plans", answer).fact;
  });
}

describe("an amount (collector/features/kinds/amounts.ts)", () => {
  test.for([
    [9.989999999999998, "USD", 9.99],
    [0.1 + 0.2, "EUR", 0.3],
    [12 * 9.99, "USD", 119.88],
    [1_199.9999999999998, "JPY", 1_200],
    [1.9990000000000003, "KWD", 1.999],
    [4.999999999999999, "credits", 5],
    [9.9900000009, "USD", 9.99],
    // As they are: fractions of a cent are charged, too.
    [0.0001, "USD", 0.0001],
    [19.9999, "JPY", 19.9999],
    [0, "USD", 0],
    [1e21, "USD", 1e21],
    [123_456_789_012.34, "USD", 123_456_789_012.34],
  ] as const)("%d in %s is %d", ([amount, currency, exact]) => expect(exactIn(currency, amount)).toBe(exact));

  test.for([
    [9.98999, "USD"],
    [0.00005, "USD"],
    [9.990000002, "USD"],
    [19.990000000000002, "JPY"],
    [1 / 3, "USD"],
    [5e-324, "USD"],
    [1e-10, "JPY"],
    // The error of a fourth decimal is none of a cent.
    [0.12340000000000001, "USD"],
  ] as const)("%d in %s is none", ([amount, currency]) => expect(exactIn(currency, amount)).toBeUndefined());

  test("is published as it is charged, whatever source states it", async () => {
    for (const fact of await Promise.all((await readersOf(9.989999999999998)).map((read) => read()))) {
      expect(fact.payload).toMatchObject({ plans: [{ prices: { monthly: 9.99 }, monthlyPrice: 9.99 }] });
      expect(fact.text).toBe(JSON.stringify(fact.payload));
    }
  });

  test("is refused with more than four decimals, whatever source states it, and not quoted", async () => {
    for (const read of await readersOf(9.98765)) {
      await expect(read()).rejects.toThrow(
        /^plan "pro": (?:the price "monthly" has more than four decimals|monthlyPrice has more decimals than USD): (?!.*98765).*"from": "command"/,
      );
    }
  });

  test("is refused in the settings of a payment provider, too", async () => {
    const plans = [{ id: "pro", prices: { monthly: 5, annual: 50 }, monthlyPrice: 4.123456 }];
    await expect(candidateOf("stripe", stripe.listing([]), { settings: { plans } })).rejects.toThrow(
      'plan "pro": monthlyPrice has more than four decimals',
    );
  });
});
