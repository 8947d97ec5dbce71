// Plans from Lemon Squeezy: the current price of each listed variant is published, and any doubt is an error.
import { describe, expect, test } from "vitest";
import {
  ENVIRONMENT,
  listing,
  page,
  price,
  product,
  startLemonSqueezy,
  variant,
  yearly,
  type LemonPrice,
} from "../../support/collecting/lemonsqueezy.ts";
import { collectPlans, CYCLES, planCandidate, planProblem, WAY_OUT } from "../../support/collecting/plan-source.ts";
import { json, type Behaviour } from "../../support/collecting/upstream.ts";

const [monthly, annual] = [price("501"), yearly("502")];
const variants = { monthly: "11", annual: "12" };

async function collectLemon(answer: readonly LemonPrice[] | Behaviour, wanted: object = {}, ofProduct?: unknown) {
  const { upstream, settings } = await startLemonSqueezy(answer, wanted);
  if (ofProduct !== undefined) upstream.set("/v1/products/5", json(ofProduct));
  return collectPlans(upstream, settings, ENVIRONMENT);
}

async function candidate(answer: readonly LemonPrice[] | Behaviour, wanted: object = {}) {
  return planCandidate((await startLemonSqueezy(answer, wanted)).settings, ENVIRONMENT);
}

describe("the published payload", () => {
  test("has each plan of the settings, in their order, with the prices of its variants", async () => {
    const prices = [
      annual,
      monthly,
      price("601", { variant_id: 21, unit_price: 4900 }),
      yearly("602", { variant_id: 22, unit_price: 49000 }),
      price("701", { variant_id: 31, unit_price: 123400 }),
    ];
    const plans = [
      { id: "free", prices: { monthly: 0, annual: 0 }, creditsMonthly: 100 },
      { id: "pro", variants, popular: true },
      { id: "team", variants: { monthly: "21", annual: "22" } },
    ];
    const { plans: outcome, all, paths } = await collectLemon(prices, { plans });
    const common = { popular: false, creditsMonthly: null };
    expect("payload" in outcome && outcome.payload).toEqual({
      currency: "USD",
      cycles: CYCLES,
      plans: [
        {
          ...common,
          id: "free",
          prices: { monthly: 0, annual: 0 },
          monthlyPrice: 0,
          annualPrice: 0,
          creditsMonthly: 100,
        },
        {
          ...common,
          id: "pro",
          popular: true,
          prices: { monthly: 19.99, annual: 199 },
          monthlyPrice: 19.99,
          annualPrice: 199,
        },
        { ...common, id: "team", prices: { monthly: 49, annual: 490 }, monthlyPrice: 49, annualPrice: 490 },
      ],
    });
    expect(all).not.toMatch(/xyzzy|1234|elsewhere/);
    const asked = (id: number) => `/v1/prices?filter[variant_id]=${id}&include=variant&page[size]=100&page[number]=1`;
    expect(paths).toEqual([asked(11), "/v1/products/5?include=store,variants", ...[12, 21, 22].map((id) => asked(id))]);
  });

  test("does not say that a setup fee is added: the operator is told", async () => {
    const fee = (setup_fee_enabled: boolean, setup_fee: number | null) => ({ setup_fee_enabled, setup_fee });
    const prices = [price("501", fee(true, 4900)), yearly("502", fee(false, 4900))];
    expect(await candidate(prices)).toMatchObject({ remarks: ["a setup fee is added: 501"] });
    expect((await candidate([price("501", fee(true, 0)), yearly("502", fee(false, null))])).remarks).toEqual([]);
  });

  test("has the newest price of a variant, in whatever order the prices are listed", async () => {
    const old = price("400", { unit_price: 999, created_at: "2023-05-24T14:15:06.000000Z" });
    const newest = price("499", { unit_price: 2499, created_at: "2026-11-01T08:00:00.000000Z" });
    const document = page([old, newest, monthly, annual], [variant(11), variant(12)]);
    expect(await candidate(json(document))).toMatchObject({
      payload: { plans: [{ prices: { monthly: 24.99, annual: 199 } }] },
      picked: "pro: 499 for monthly, 502 for annual",
      skipped: [],
    });
  });

  test("has the newest price among several pages", async () => {
    const old = Array.from({ length: 250 }, (_, index) =>
      price(String(1_000 + index), { unit_price: 999, created_at: "2023-05-24T14:15:06.000000Z" }),
    );
    const { plans, paths } = await collectLemon([...old, monthly, annual]);
    expect(plans).toMatchObject({ payload: { plans: [{ monthlyPrice: 19.99 }] } });
    expect(paths.map((path) => /page\[number\]=(\d)/.exec(path)?.[1])).toEqual(["1", "2", "3", undefined, "1"]);
  });
});

test.for<[reason: string, attributes: object]>([
  ["paid once", { category: "one_time", renewal_interval_unit: null, renewal_interval_quantity: null }],
  ["the customer chooses the amount", { category: "pwyw", min_price: 100 }],
  ["not a subscription", { category: "lead_magnet" }],
  ["metered", { usage_aggregation: "sum", unit_price: null, unit_price_decimal: "0.5" }],
  ["sold in packages", { scheme: "package", package_size: 10 }],
  ["tiered", { scheme: "graduated", tiers: [{ last_unit: "inf", unit_price: 1000 }] }],
  ["tiered", { scheme: "volume", unit_price: null }],
  ["by the week", { renewal_interval_unit: "week" }],
  ["for 3 months, which fits no cycle", { renewal_interval_quantity: 3 }],
])("a newest price is refused, with the reason %s, and no older one is published", async ([reason, attributes]) => {
  const odd = price("503", { created_at: "2026-11-01T08:00:00.000000Z", ...attributes });
  await expect(candidate([monthly, odd, annual])).rejects.toThrow(
    `plan "pro": no price for "monthly" to publish (503: ${reason})`,
  );
});

test.for<[reason: string, ofVariant: object, ofProduct: unknown]>([
  ["test mode", { test_mode: true }, product()],
  ["test mode", {}, product({ test_mode: true })],
  ["its product is not published", {}, product({ status: "draft" })],
  ["its variant is not published", { status: "draft" }, product()],
  ["its variant is not published", { status: "pending" }, product()],
  ["not in USD", {}, product({}, { currency: "EUR" })],
])("a price is refused, with the reason %s", async ([reason, ofVariant, ofProduct]) => {
  const { plans } = await collectLemon(listing([monthly, annual], ofVariant), {}, ofProduct);
  expect(plans).toMatchObject({
    reason: `plan "pro": no price for "monthly" to publish (501: ${reason}; 502: ${reason})${WAY_OUT}`,
  });
});

test("the only variant of a product counts although it is pending", async () => {
  const plans = [{ id: "pro", variants: { monthly: "11" }, annualPrice: 199 }];
  const pending = variant(11, { status: "pending" });
  const { plans: outcome } = await collectLemon(
    listing([monthly], { status: "pending" }),
    { plans },
    product({}, { variants: [pending] }),
  );
  expect(outcome).toMatchObject({ payload: { plans: [{ monthlyPrice: 19.99 }] } });
});

describe("doubt is an error that names the plan:", () => {
  test("two prices that are equally new, unless the settings name one", async () => {
    const twin = price("500", { unit_price: 2499 });
    await expect(candidate([monthly, twin, annual])).rejects.toThrow(
      'plan "pro": 2 prices of one variant are equally new, 501, 500: name the current one in "priceIds"',
    );
    const named = (monthly: string) => ({ plans: [{ id: "pro", variants, priceIds: { monthly } }] });
    expect(await candidate([monthly, twin, annual], named("500"))).toMatchObject({
      payload: { plans: [{ monthlyPrice: 24.99 }] },
    });
    await expect(candidate([monthly, twin, annual], named("400"))).rejects.toThrow("equally new");
    const newer = price("600", { unit_price: 2999, created_at: "2026-11-01T08:00:00.000000Z" });
    expect(await candidate([monthly, twin, annual, newer], named("500"))).toMatchObject({
      payload: { plans: [{ monthlyPrice: 29.99 }] },
    });
  });

  test("a variant without a price", async () => {
    await expect(candidate([monthly])).rejects.toThrow('plan "pro": no price for "annual" to publish');
  });

  test.for([-1, 1e15, null])("an amount of %d", async (unit_price) => {
    await expect(candidate([price("501", { unit_price }), annual])).rejects.toThrow(
      'plan "pro": 501 has no amount that can be represented exactly',
    );
  });

  test.for(["variant_id", "category", "scheme", "usage_aggregation", "unit_price", "created_at"])(
    "a price whose %s is missing or cannot be read",
    async (field) => {
      const { [field]: _, ...without } = monthly.attributes;
      for (const attributes of [without, { ...monthly.attributes, [field]: ["xyzzy"] }]) {
        const { plans, all } = await collectLemon(json(page([{ ...monthly, attributes }], [variant(11)])));
        expect(plans).toMatchObject({
          reason: expect.stringContaining(`not a list of prices: data[0].attributes.${field}: `),
        });
        expect(all).not.toContain("xyzzy");
      }
    },
  );

  test.for<[reason: string, answer: Behaviour, ofProduct: unknown]>([
    ["prices without their variant", json(page([monthly], [])), product()],
    ["not a list of prices: included[0].attributes.test_mode: ", listing([monthly], { test_mode: "xyzzy" }), product()],
    ["not a product with its store: data.type: ", listing([monthly]), { data: {} }],
    [
      "not a product with its store: the answer: must have its store, with a currency",
      listing([monthly]),
      product({ store_id: 3 }),
    ],
  ])("%s", async ([reason, answer, ofProduct]) => {
    const { plans } = await collectLemon(answer, {}, ofProduct);
    expect(plans).toMatchObject({ reason: expect.stringContaining(`plan "pro": ${reason}`) });
  });
});

describe("failures are reported in our words:", () => {
  test.for<[what: string, behaviour: Behaviour, reason: string]>([
    ["another list", json(page([variant(11)], [])), "not a list of prices: data[0].type: "],
    ["a list without pages", json({ data: [monthly] }), "not a list of prices: meta: "],
    ["a list without an end", json(page([monthly], [], 1, 9)), "the list announces more prices, but has none"],
  ])("%s", async ([, behaviour, reason]) => {
    const { plans, all } = await collectLemon(behaviour);
    expect(plans).toMatchObject({ result: "failed", reason: expect.stringContaining(`plan "pro": ${reason}`) });
    expect(all).not.toMatch(/xyzzy|eyJ0|127\.0\.0\.1/);
  });
});

describe("settings", () => {
  const given = { from: "lemonsqueezy", key: "$LEMON_KEY", currency: "USD", cycles: CYCLES };
  const plans = [{ id: "pro", variants }];

  test.for(["USD", "eur", "GBP"])("that a vendor writes are accepted, in %s", (currency) => {
    expect(planProblem({ ...given, plans, currency }, ENVIRONMENT)).toBe("");
  });

  test.for<[what: string, settings: object, reason: RegExp]>([
    ["a currency without cents", { currency: "JPY" }, /^currency must have cents: Lemon Squeezy does not document/],
    ["a currency with three decimals", { currency: "KWD" }, /^currency must have cents/],
    ["a currency name", { currency: "dollars" }, /^currency must be three letters/],
    ["no key", { key: "$OTHER_KEY" }, /OTHER_KEY is not set/],
    ["a key in the file", { key: "eyJ0.xyzzy" }, /key use "\$NAME"/],
    ["an unknown cycle", { plans: [{ id: "a", variants: { ...variants, x: "1" } }] }, /variants has a key that is not/],
    ["no variant for a year", { plans: [{ id: "a", variants: { monthly: "11" } }] }, /annualPrice must be given/],
    ["a slug for an id", { plans: [{ id: "a", variants: { monthly: "pro" } }] }, /must be an id such as "123456"/],
  ])("with %s are refused", ([, settings, reason]) => {
    const problem = planProblem({ ...given, plans, ...settings }, ENVIRONMENT);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain("xyzzy");
  });
});
