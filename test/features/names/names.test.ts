// What plans are called: beside the facts, never among them.
import { describe, expect, test } from "vitest";
import { withNames } from "../../../collector/features/names/names.ts";
import { collectorSettings } from "../../../collector/settings.ts";
import { readHistory } from "../../../snapshots/features/history/timeline.ts";
import { PlansResponse } from "../../../snapshots/schema.ts";
import { decodeSnapshot, encodeSnapshot, factOf, sha256 } from "../../../snapshots/snapshot.ts";
import { anotherMillisecond, startCollector } from "../../support/collecting/collector.ts";
import { candidateOf } from "../../support/collecting/payments.ts";
import * as lemon from "../../support/collecting/lemonsqueezy.ts";
import * as stripe from "../../support/collecting/stripe.ts";
import { json, jsonWithEtag } from "../../support/collecting/upstream.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { plansSnapshot, factsIn } from "../../support/snapshot.ts";

const STUDIO = { title: "Studio", line: "For teams of five", buy: "https://acme.com/buy/studio" };
const NOTHING = { dropped: 0, remarks: [], warnings: [] };
const SOURCE = {
  kind: "own",
  names: ["plans" as const],
  fetch: () => Promise.reject(new Error()),
  translate: () => ({ payload: {}, dropped: 0 }),
};
const history = { keep: 10, age: 1e9 };

describe("names of plans (collector/features/names/names.ts)", () => {
  test("they stand in the snapshot, and a change of them alone is no change", async () => {
    const { run, named, stored, store } = await startCollector();
    await run({ ...named({}), history });
    const { names, ...before } = await stored("plans");
    expect(names).toBeUndefined();
    await anotherMillisecond();
    expect((await run({ ...named({ studio: STUDIO }), history })).plans.result).toBe("confirmed");
    const { confirmedAt, freshUntil, ...after } = await stored("plans");
    expect(Date.parse(confirmedAt)).toBeGreaterThan(Date.parse(before.confirmedAt));
    expect({ ...before, ...after }).toEqual({ ...before, names: { studio: STUDIO } });
    let changes = 0;
    for (const { revision } of await readHistory(factsIn(store), "plans")) changes += revision;
    expect(changes).toBe(1);
  });

  test("they stay when the upstream says that nothing has changed, and go with the settings", async () => {
    const { upstream, run, named, stored } = await startCollector();
    upstream.set("/plans", jsonWithEtag('"a"', vendorPlans()));
    for (const expected of [{ studio: STUDIO }, { studio: STUDIO }, undefined]) {
      await anotherMillisecond();
      await run(named(expected ?? {}));
      expect((await stored("plans")).names).toEqual(expected);
    }
  });

  test("they stay those of the newer answer after a clock that was a little ahead was corrected", async () => {
    const { run, named, stored } = await startCollector();
    await run({ ...named({ studio: STUDIO }), now: () => Date.now() + 4 * 60_000 });
    expect((await run(named({}))).plans.result).toBe("confirmed");
    expect((await stored("plans")).names).toEqual({ studio: STUDIO });
  });

  test.for(["team", "constructor"])("every run warns of a name for a plan that does not exist: %s", async (id) => {
    const { upstream, run, named, stored } = await startCollector();
    const warning = `names: there is no plan "${id}" (the plans are hobby, studio)`;
    for (let count = 0; count < 2; count++) {
      expect((await run(named({ [id]: STUDIO }))).plans).toMatchObject({ notes: expect.arrayContaining([warning]) });
    }
    expect((await stored("plans")).names).toBeUndefined();
    upstream.set("/plans", json({ ...vendorPlans(), plans: [] }));
    expect((await run(named({ [id]: STUDIO }))).plans).toMatchObject({
      notes: expect.arrayContaining([`names: there is no plan "${id}" (no plans are published)`]),
    });
  });

  test("a release has no plans that a name could be for", () => {
    expect(withNames(SOURCE, { team: STUDIO }).remindersOf?.({ hasUpdate: false })).toEqual([]);
  });

  test.for([
    ["an unknown field", { pro: { label: "Pro" } }],
    ["a link that is not https", { pro: { buy: "http://acme.com/buy" } }],
    ["a link with a password", { pro: { buy: "https://a:b@acme.com/buy" } }],
    ["a title of two lines", { pro: { title: "Pro\nfor all" } }],
    ["an empty title", { pro: { title: "" } }],
    ["an id that no plan can have", { "a plan": { title: "Pro" } }],
  ])("%s is refused", ([, names]) => {
    expect(collectorSettings.names.safeParse(names).success).toBe(false);
  });

  test("a link to buy is published in its normal form", () => {
    const { pro } = collectorSettings.names.parse({ pro: { buy: "https://Acme.com" } });
    expect(pro?.buy).toBe("https://acme.com/");
  });

  /** Read from a snapshot with these names, as a collector of any version may write them. */
  const decodedWith = (names: object) => {
    const text = Buffer.from(encodeSnapshot({ ...plansSnapshot(), names: { "plan-0": STUDIO } })).toString();
    const { checksum: _, ...covered } = { ...JSON.parse(text), names };
    const stored = JSON.stringify({ ...covered, checksum: sha256(JSON.stringify(covered)) });
    return decodeSnapshot(Buffer.from(stored), "plans");
  };

  test("names that a reader cannot read count as none, and the facts stay", () => {
    expect(decodedWith({ "plan-0": STUDIO }).names).toEqual({ "plan-0": STUDIO });
    const newer = decodedWith({ "plan-0": { title: ["by language"] } });
    expect(newer).toEqual({ ...plansSnapshot(), product: undefined, names: undefined });
  });

  test("what a newer version says beside a name hides no name", () => {
    const more = { "plan-0": { ...STUDIO, computed: "quarter", tax: true }, "plan-1": { computed: "year" } };
    expect(decodedWith(more).names).toEqual({ "plan-0": STUDIO, "plan-1": { computed: "year" } });
  });

  test("a computed price stays beside the names of settings and of twins", () => {
    const { fact, ...found } = {
      fact: factOf(PlansResponse.parse(vendorPlans())),
      names: { hobby: { title: "Notes", computed: "year" as const }, studio: { title: "Notes" } },
      ...NOTHING,
    };
    const source = withNames(SOURCE, { studio: STUDIO });
    const [describe] = source.describers ?? [];
    const candidate = { payload: fact.payload, dropped: 0 };
    expect(describe?.({ fact, ...found }, candidate)).toEqual({
      names: { hobby: { computed: "year" }, studio: STUDIO },
    });
  });
});

describe("an upstream names its plans", () => {
  const named = (name: string, description: string | null = null) => ({
    product: stripe.product("prod_pro", { name, description }),
  });
  const both = (fields: object) => [stripe.price("price_m", fields), stripe.yearly("price_y", fields)];
  const candidate = (prices: stripe.StripePrice[], settings: object = {}) => {
    const documents = Object.fromEntries(prices.map((price) => [`/v1/prices/${price.id}`, price]));
    return candidateOf("stripe", stripe.listing(prices), { settings, documents });
  };

  test("by its products, as plain text on one line each", async () => {
    const { names } = await candidate(both(named("Pro <Team>", "For teams\n of 5 & more \u202e")));
    expect(names).toEqual({ pro: { title: "Pro <Team>", line: "For teams of 5 & more" } });
    const long = await candidate(both(named("Pro", "word ".repeat(1_000))));
    expect(long.names?.pro?.line).toMatch(/^(word ){10,}…$/);
    expect((await candidate(both(named("\u200b")))).names).toBeUndefined();
  });

  test("but two plans of one product are not told apart by it", async () => {
    const plans = [
      { id: "pro", product: "prod_pro" },
      { id: "team", priceIds: { monthly: "price_m", annual: "price_y" } },
    ];
    const { names, payload } = await candidate(both(named("Notes", "For all")), { plans });
    expect(payload).toMatchObject({ plans: [{ id: "pro" }, { id: "team", monthlyPrice: 19.99, annualPrice: 199 }] });
    expect(names).toBeUndefined();
  });

  test.for([
    ["<p>For&nbsp;<b>teams</b></p>", "For teams"],
    ["<div>".repeat(600), undefined],
  ])("at Lemon Squeezy in HTML: %s", async ([description, line]) => {
    const { names } = await candidateOf("lemonsqueezy", lemon.listing([lemon.price("1"), lemon.yearly("2")]), {
      documents: { "/v1/products/5": lemon.product({ name: "Pro", description }) },
    });
    expect(names).toEqual({ pro: { title: "Pro", line } });
  });
});

test("the first plans of a vendor that had none are published at once", async () => {
  const { upstream, run } = await startCollector();
  upstream.set("/plans", json({ currency: "XXX", cycles: [], plans: [] }));
  await run();
  upstream.set("/plans", json(vendorPlans()));
  const guard = { confirm: 3, over: 60_000, releaseOver: 60_000, priceFactor: 5, off: [] };
  expect((await run({ guard })).plans.result).toBe("changed");
});
