// Whatever a newer collector adds to what it writes, this version reads what it knows of it: servers and collectors can be replaced
// in any order.
import { describe, expect, test } from "vitest";
import { statusOfStore } from "../../snapshots/fact-state.ts";
import { readHistory } from "../../snapshots/features/history/timeline.ts";
import { heldReasons, readHeld, readReport } from "../../snapshots/records.ts";
import { anotherMillisecond, startCollector } from "../support/collecting/collector.ts";
import { json, jsonWithEtag } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";
import { isIn } from "../support/program/feature.ts";
import { newerStore } from "../support/newer-store.ts";
import { factsIn } from "../support/snapshot.ts";

const history = { keep: 10, age: Infinity };
const guard = { confirm: 3, over: 0, releaseOver: 0, priceFactor: 5, off: [] };

describe("what a newer collector writes (snapshots/records.ts)", () => {
  test.runIf(isIn("guard"))(
    "all that a newer collector writes is read, and the older one goes on from there",
    async () => {
      const { run, store, upstream } = await startCollector();
      const newer = newerStore(store);
      await run({ history });
      await run({ store: newer, history });
      upstream.set("/plans", json({ ...vendorPlans(), currency: "USD" }));
      await run({ store: newer, history, guard });
      const statuses = await statusOfStore(factsIn(store));
      for (const { state, damage, lastOutcome } of statuses)
        expect({ state, damage, lastOutcome }).toMatchObject({ state: "fresh" });
      expect(statuses.map(({ lastOutcome }) => lastOutcome?.result)).toEqual(["held", "confirmed", "confirmed"]);
      const held = await readHeld(factsIn(store), "plans");
      expect(held?.sightings).toBe(1);
      expect(held && heldReasons(held)).toEqual(["the currency would change", '"tax", a reason of a newer version']);

      await anotherMillisecond();
      const outcomes = await run({ history, guard });
      expect(outcomes.plans).toMatchObject({ result: "held", held: { sightings: 2 } });
      expect(outcomes["release-macos"]).toMatchObject({ result: "confirmed", notes: [] });
      const report = await readReport(factsIn(store));
      expect(report?.outcomes.find(({ name }) => name === "plans")?.counts).toMatchObject({
        changed: 1,
        confirmed: 1,
        held: 2,
      });
      expect(report?.collections.plans).toHaveLength(4);
    },
  );

  test("a change that a newer collector recorded is in the history, and the next one is compared with it", async () => {
    const { run, store, upstream } = await startCollector();
    await run({ store: newerStore(store), history });
    upstream.set("/plans", json({ ...vendorPlans(), currency: "USD" }));
    await anotherMillisecond();
    await run({ history });
    const firstLines = [];
    for (const { changes } of await readHistory(factsIn(store), "plans")) firstLines.push(changes[0]);
    expect(firstLines).toEqual([expect.stringContaining("→ USD"), expect.stringContaining("for the first time")]);
  });

  test.runIf(isIn("upstream-state"))("the validators that a newer collector saved are used", async () => {
    const { run, store, upstream } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"1"', vendorPlans()));
    await run({ store: newerStore(store) });
    expect((await run()).plans).toMatchObject({ result: "confirmed" });
    const asked = upstream.requests
      .filter(({ path }) => path === "/plans")
      .map(({ headers }) => headers["if-none-match"]);
    expect(asked).toEqual([undefined, '"1"']);
  });
});
