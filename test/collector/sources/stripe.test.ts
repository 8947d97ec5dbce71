// Plans from Stripe: the listed plans are published with exact prices, and any doubt is an error.
import { describe, expect, test } from "vitest";
import {
  candidate,
  collectStripe,
  costs,
  CYCLES,
  every,
  price,
  product,
  yearly,
  type StripePrice,
} from "../../support/collecting/stripe.ts";
import { WAY_OUT } from "../../support/collecting/plan-source.ts";

const [monthly, annual] = [price("price_m"), yearly("price_y")];
const pro = { id: "pro", popular: false, creditsMonthly: null };

describe("the published payload", () => {
  test("has each plan of the settings, in their order, with the prices of its product or lookup keys", async () => {
    const team = { product: product("prod_team") };
    const prices = [
      yearly("price_ty", { ...team, ...costs("49000"), lookup_key: "team_annual" }),
      price("price_tm", { ...team, ...costs("4900"), lookup_key: "team_monthly" }),
      price("price_secret", { ...team, ...costs("1"), lookup_key: "team_friends" }),
      annual,
      monthly,
      price("price_private", { product: product("prod_private"), ...costs("123400") }),
    ];
    const plans = [
      { id: "free", prices: { monthly: 0, annual: 0 }, creditsMonthly: 100 },
      { id: "pro", product: "prod_pro", popular: true, creditsMonthly: 2000 },
      { id: "team", lookup: { monthly: "team_monthly", annual: "team_annual" } },
    ];
    const { plans: outcome, all, paths } = await collectStripe(prices, { plans });
    expect(outcome).toMatchObject({ result: "changed" });
    expect("payload" in outcome && outcome.payload).toEqual({
      currency: "USD",
      cycles: CYCLES,
      plans: [
        {
          id: "free",
          popular: false,
          prices: { monthly: 0, annual: 0 },
          monthlyPrice: 0,
          annualPrice: 0,
          creditsMonthly: 100,
        },
        {
          id: "pro",
          popular: true,
          prices: { monthly: 19.99, annual: 199 },
          monthlyPrice: 19.99,
          annualPrice: 199,
          creditsMonthly: 2000,
        },
        {
          id: "team",
          popular: false,
          prices: { monthly: 49, annual: 490 },
          monthlyPrice: 49,
          annualPrice: 490,
          creditsMonthly: null,
        },
      ],
    });
    expect(all).not.toMatch(/xyzzy|prod_|price_|1234/);
    expect(paths).toEqual([
      expect.stringContaining("product=prod_pro"),
      expect.stringContaining("lookup_keys[]=team_m"),
    ]);
  });

  test("has no other prices, even if the upstream returns more than was requested", async () => {
    const others = [
      price("price_a", { product: product("prod_private"), ...costs("5") }),
      price("price_b", { product: product("prod_private"), lookup_key: "pro" }),
    ];
    const all = JSON.stringify({ object: "list", has_more: false, data: [...others, monthly, annual] });
    const { plans } = await collectStripe((_, response) => response.end(all));
    expect(plans).toMatchObject({ payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] } });
  });

  test("has the yearly price of Stripe or of the settings, never a computed one", async () => {
    const plans = [{ ...pro, product: "prod_pro", monthlyPrice: 5, annualPrice: 16.58 }];
    expect(await candidate([monthly, annual], { plans })).toMatchObject({
      payload: { plans: [{ prices: { monthly: 19.99, annual: 199 }, monthlyPrice: 5, annualPrice: 16.58 }] },
    });
    expect(await candidate([monthly], { plans })).toMatchObject({ payload: { plans: [{ annualPrice: 16.58 }] } });
    await expect(candidate([monthly])).rejects.toThrow(
      'plan "pro": no price for "annual", nor annualPrice in the settings, to publish',
    );
  });

  test("does not say whether tax is added: the operator is told", async () => {
    const taxed = (m: string, y: string) => [
      price("price_m", { tax_behavior: m }),
      yearly("price_y", { tax_behavior: y }),
    ];
    expect((await candidate(taxed("exclusive", "inclusive"))).remarks).toEqual([
      "tax is added: price_m",
      "tax is included: price_y",
    ]);
    expect((await candidate(taxed("unspecified", "toString"))).remarks).toEqual([
      "whether tax is included is not specified: price_m",
    ]);
    const metered = price("price_x", { recurring: every("month", 1, { usage_type: "metered" }) });
    expect((await candidate([monthly, annual, metered])).skipped).toEqual(["price_x: metered"]);
  });

  test("comes with the chosen price for each cycle", async () => {
    expect(await candidate([annual, monthly])).toMatchObject({
      picked: "pro: price_m for monthly, price_y for annual",
      skipped: [],
    });
  });

  test("has a yearly price for an interval of twelve months, too", async () => {
    const twelve = price("price_12", { ...costs("11900"), recurring: every("month", 12) });
    expect(await candidate([monthly, twelve])).toMatchObject({ payload: { plans: [{ annualPrice: 119 }] } });
  });
});

describe("an amount of", () => {
  test.for<[minor: string, currency: string, major: number]>([
    ["1999", "USD", 19.99],
    ["5", "EUR", 0.05],
    ["0", "USD", 0],
    ["0.5", "USD", 0.005],
    ["1234.567890123", "EUR", 12.34567890123],
    ["1999.000000000000", "USD", 19.99],
    ["1999", "JPY", 1999],
    ["0.5", "JPY", 0.5],
    ["1999", "KRW", 1999],
    ["1999", "KWD", 1.999],
    ["1990", "TND", 1.99],
    ["7", "BHD", 0.007],
    ["190000", "ISK", 1900],
    ["190000", "UGX", 1900],
    ["190000", "HUF", 1900],
    ["1999", "MGA", 1999],
    ["999999999999999", "USD", 9999999999999.99],
    ["999999999999999", "jpy", 999999999999999],
  ])("%s in %s is %d", async ([minor, currency, major]) => {
    const fields = { currency: currency.toLowerCase(), ...costs(minor) };
    const { plans } = await collectStripe([price("price_m", fields), yearly("price_y", fields)], { currency });
    expect(plans).toMatchObject({ payload: { currency, plans: [{ monthlyPrice: major, annualPrice: major }] } });
  });

  test.for([
    "1234567890123456",
    "9007199254740993",
    "1234567890.123456789",
    "",
    "-1",
    "1e3",
    "1,5",
    "NaN",
    "0x10",
    " 1",
    "٣",
  ])("%j is refused and not quoted", async (minor) => {
    const { plans } = await collectStripe([price("price_m", costs(minor)), annual]);
    expect(plans).toMatchObject({
      reason: `plan "pro": price_m has no amount that can be represented exactly${WAY_OUT}`,
    });
  });

  test("unit_amount is read if there is no decimal amount; without either, the price is refused", async () => {
    const { unit_amount_decimal: _, ...old } = monthly;
    expect(await candidate([old, annual])).toMatchObject({ payload: { plans: [{ monthlyPrice: 19.99 }] } });
    const none = collectStripe([price("price_m", costs(null)), annual]);
    expect((await none).plans).toMatchObject({
      reason: expect.stringContaining("no amount that can be represented exactly"),
    });
  });

  test("another currency comes from currency_options, or not at all", async () => {
    const options = (minor: string) => ({ currency_options: { jpy: costs(minor), eur: costs("1") } });
    const prices = [price("price_m", options("3000")), yearly("price_y", options("30000"))];
    expect(await candidate(prices, { currency: "JPY" })).toMatchObject({
      payload: { currency: "JPY", plans: [{ prices: { monthly: 3000, annual: 30000 } }] },
    });
    await expect(candidate(prices, { currency: "KWD" })).rejects.toThrow(
      'plan "pro": no price of its product to publish (price_m: not in KWD; price_y: not in KWD)',
    );
  });
});

describe("a price is skipped, with the reason,", () => {
  test.for<[reason: string, fields: object]>([
    ["archived", { active: false }],
    ["its product is archived", { product: product("prod_pro", { active: false }) }],
    ["its product is deleted", { product: { id: "prod_pro", object: "product", deleted: true } }],
    ["test mode", { livemode: false }],
    ["paid once", { type: "one_time", recurring: null }],
    ["metered", { recurring: every("month", 1, { usage_type: "metered" }) }],
    ["tiered", { billing_scheme: "tiered", tiers_mode: "volume", ...costs(null) }],
    ["sold in packages", { transform_quantity: { divide_by: 10, round: "up" } }],
    ["the customer chooses the amount", { custom_unit_amount: { minimum: 100 } }],
    ["by the week", { recurring: every("week") }],
    ["by the day", { recurring: every("day", 30) }],
    ["for 3 months, which fits no cycle", { recurring: every("month", 3) }],
    ["not in USD", { currency: "eur" }],
  ])("%s", async ([reason, fields]) => {
    const odd = price("price_odd", { ...costs("7"), ...fields });
    const everything = JSON.stringify({ object: "list", has_more: false, data: [odd, monthly, annual] });
    const { plans } = await collectStripe((_, response) => response.end(everything));
    expect(plans).toMatchObject({ payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] } });
    const lookedUp = { plans: [{ id: "pro", lookup: { monthly: "m" }, annualPrice: 1 }] };
    await expect(candidate([{ ...odd, lookup_key: "m" }], lookedUp)).rejects.toThrow(
      `plan "pro": no price for "monthly" to publish (price_odd: ${reason})`,
    );
  });

  test("and its id is shown without control characters", async () => {
    const odd = price(`price_\u001b[31m\n${"x".repeat(200)}`, { recurring: every("week") });
    expect((await candidate([odd, monthly, annual])).skipped).toEqual([`price_[31m${"x".repeat(70)}: by the week`]);
  });
});

describe("doubt is an error that names the plan:", () => {
  test("two active prices for one cycle, with their ids", async () => {
    const { plans } = await collectStripe([monthly, annual, price("price_other", costs("2499"))]);
    expect(plans).toMatchObject({
      result: "failed",
      reason: `plan "pro": 2 active prices for "monthly", price_m, price_other: archive all but one, or select one with "lookup"${WAY_OUT}`,
    });
  });

  test("a product without a price", async () => {
    expect((await collectStripe([])).plans).toMatchObject({
      reason: `plan "pro": no price of its product to publish${WAY_OUT}`,
    });
  });

  test("an unknown lookup key, or one of a price with another length", async () => {
    const plans = [{ id: "pro", lookup: { monthly: "m", annual: "y" } }];
    const month = price("price_m", { lookup_key: "m" });
    expect((await collectStripe([month], { plans })).plans).toMatchObject({
      reason: `plan "pro": no price for "annual" to publish${WAY_OUT}`,
    });
    expect((await collectStripe([month, price("price_y", { lookup_key: "y" })], { plans })).plans).toMatchObject({
      reason: `plan "pro": no price for "annual" to publish (price_y: for 1 month, which fits no cycle)${WAY_OUT}`,
    });
  });

  test.for(["active", "livemode", "type", "currency", "billing_scheme", "recurring", "product", "currency_options"])(
    "a price whose %s cannot be read",
    async (field) => {
      const { plans } = await collectStripe((_, response) =>
        response.end(JSON.stringify({ object: "list", has_more: false, data: [{ ...monthly, [field]: ["xyzzy"] }] })),
      );
      expect(plans).toMatchObject({ reason: expect.stringContaining(`not a list of prices: data[0].${field}: `) });
    },
  );

  test("a product that is not expanded, because the key may not read it", async () => {
    const { plans } = await collectStripe((_, response) =>
      response.end(JSON.stringify({ object: "list", has_more: false, data: [{ ...monthly, product: "prod_pro" }] })),
    );
    expect(plans).toMatchObject({
      reason: 'plan "pro": not a list of prices: data[0].product: is not readable: may the key read Products?',
    });
  });
});

describe("pages", () => {
  const seasonal = (count: number): StripePrice[] =>
    Array.from({ length: count }, (_, index) => price(`price_${index}`, { recurring: every("week") }));

  test("are read to the last one", async () => {
    const { plans, paths } = await collectStripe([...seasonal(250), monthly, annual]);
    expect(plans).toMatchObject({ payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] } });
    expect(paths.map((path) => /starting_after=(\w+)/.exec(path)?.[1])).toEqual([undefined, "price_99", "price_199"]);
  });

  test("more than twenty are refused", async () => {
    const { plans, paths } = await collectStripe(seasonal(2_100));
    expect(plans).toMatchObject({
      reason: 'plan "pro": more than 2000 prices: select the ones to publish with "lookup"',
    });
    expect(paths).toHaveLength(20);
  });

  test.for([
    ["the same again", [monthly, annual]],
    ["none at all", []],
  ] as const)("that announce more and have %s are refused at once", async ([, data]) => {
    const page = JSON.stringify({ object: "list", has_more: true, data });
    const { plans, paths } = await collectStripe((_, response) => response.end(page));
    expect(plans).toMatchObject({ reason: 'plan "pro": the list announces more prices, but has none' });
    expect(paths.length).toBeLessThanOrEqual(2);
  });

  test("request ten lookup keys at a time", async () => {
    const cycles = Array.from({ length: 12 }, (_, index) => ({
      ...CYCLES[0],
      key: `c${index}`,
      durationMonths: index + 1,
    }));
    const lookup = Object.fromEntries(cycles.map(({ key }) => [key, `look_${key}`]));
    const prices = cycles.map(({ key, durationMonths }) =>
      price(`price_${key}`, { lookup_key: `look_${key}`, recurring: every("month", durationMonths) }),
    );
    const { plans, paths } = await collectStripe(prices, { cycles, plans: [{ id: "pro", lookup }] });
    expect(plans).toMatchObject({ result: "changed" });
    expect(paths.map((path) => path.split("lookup_keys[]=").length - 1)).toEqual([10, 2]);
  });
});
