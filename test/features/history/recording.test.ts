// What a run says of the past of a fact.
import { describe, expect, test } from "vitest";
import { startCollector } from "../../support/collecting/collector.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";

describe("facts that return (collector/features/history/recording.ts)", () => {
  test("are told with the time until which they were published, and no others are", async () => {
    const { upstream, run, stored } = await startCollector();
    const notesIn = async (currency: string) => {
      upstream.set("/plans", json({ ...vendorPlans(), currency }));
      const { plans } = await run({ history: { keep: 10, age: 60_000 } });
      return plans.result === "changed" ? plans.notes : plans.result;
    };
    expect(await notesIn("EUR")).toEqual([]);
    expect(await notesIn("CHF")).toEqual([]);
    expect(await notesIn("CHF")).toBe("confirmed");
    const until = (await stored("plans")).changedAt.slice(0, 16).replace("T", " ");
    expect(await notesIn("EUR")).toEqual([`these facts were published before, until ${until} UTC`]);
    expect(await notesIn("USD")).toEqual([]);
  });
});
