// Plans from Paddle Billing: the listed plans are published with exact prices, and any doubt is an error.
import { describe, expect, test } from "vitest";
import {
  costs,
  ENVIRONMENT,
  every,
  page,
  price,
  product,
  startPaddle,
  yearly,
  type PaddlePrice,
} from "../../support/collecting/paddle.ts";
import { collectPlans, CYCLES, planCandidate, planProblem, WAY_OUT } from "../../support/collecting/plan-source.ts";
import { json, status, type Behaviour } from "../../support/collecting/upstream.ts";

const [monthly, annual] = [price("pri_m"), yearly("pri_y")];

async function collectPaddle(answer: readonly PaddlePrice[] | Behaviour, wanted: object = {}) {
  const { upstream, settings } = await startPaddle(answer, wanted);
  return collectPlans(upstream, settings, ENVIRONMENT);
}

async function candidate(answer: readonly PaddlePrice[] | Behaviour, wanted: object = {}) {
  return planCandidate((await startPaddle(answer, wanted)).settings, ENVIRONMENT);
}

describe("the published payload", () => {
  test("has each plan of the settings, in their order, with the prices of its product or price ids", async () => {
    const team = { product_id: "pro_team", product: product({ id: "pro_team" }) };
    const prices = [
      annual,
      monthly,
      price("pri_tm", { ...team, unit_price: costs("4900") }),
      yearly("pri_ty", { ...team, unit_price: costs("49000") }),
      price("pri_friends", { ...team, unit_price: costs("1") }),
      price("pri_private", { product_id: "pro_private", unit_price: costs("123400") }),
    ];
    const plans = [
      { id: "free", prices: { monthly: 0, annual: 0 }, creditsMonthly: 100 },
      { id: "pro", product: "pro_notes", popular: true },
      { id: "team", priceIds: { monthly: "pri_tm", annual: "pri_ty" } },
    ];
    const { plans: outcome, all, paths } = await collectPaddle(prices, { plans });
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
    expect(all).not.toMatch(/xyzzy|pr[oi]_|1234|elsewhere/);
    expect(paths).toEqual([
      expect.stringMatching(/^\/prices\?product_id=pro_notes&status=active&include=product&/),
      "/currencies",
      expect.stringMatching(/^\/prices\?id=pri_tm,pri_ty&status=active,archived&include=product&/),
    ]);
  });

  test("has no other prices, even if the upstream returns more than was requested", async () => {
    const other = price("pri_other", { product_id: "pro_private", unit_price: costs("5") });
    expect(await candidate(json(page([other, monthly, annual])))).toMatchObject({
      payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] },
      picked: "pro: pri_m for monthly, pri_y for annual",
      skipped: [],
    });
  });

  test("does not say whether tax is added, or that countries have prices of their own: the operator is told", async () => {
    const prices = [price("pri_m", { tax_mode: "external" }), yearly("pri_y", { tax_mode: "constructor" })];
    expect(await candidate(prices)).toMatchObject({ remarks: ["tax is added: pri_m"] });
    const francs = { country_codes: ["CH"], unit_price: costs("1850", "CHF") };
    const elsewhere = price("pri_m", { tax_mode: "internal", unit_price_overrides: [francs] });
    expect((await candidate([elsewhere, yearly("pri_y", { tax_mode: "internal" })])).remarks).toEqual([
      "tax is included: pri_m, pri_y",
      "some countries have a price of their own: pri_m",
    ]);
  });

  test("has the price after a trial", async () => {
    const trial = price("pri_m", { trial_period: { ...every("day", 14), requires_payment_method: true } });
    expect(await candidate([trial, annual])).toMatchObject({ payload: { plans: [{ monthlyPrice: 19.99 }] } });
  });

  test("has the price of a country if that is the one in the currency", async () => {
    const overrides = (...amounts: string[]) => ({
      unit_price_overrides: [
        { country_codes: ["JP"], unit_price: costs("3000", "JPY") },
        ...amounts.map((amount) => ({ country_codes: ["DE"], unit_price: costs(amount, "EUR") })),
      ],
    });
    const prices = [price("pri_m", overrides("1850", "1850")), yearly("pri_y", overrides("18000"))];
    expect(await candidate(prices, { currency: "EUR" })).toMatchObject({
      payload: { currency: "EUR", plans: [{ prices: { monthly: 18.5, annual: 180 } }] },
    });
    expect(await candidate(prices)).toMatchObject({
      payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] },
    });
    await expect(candidate([price("pri_m", overrides("1850", "1900")), annual], { currency: "EUR" })).rejects.toThrow(
      'plan "pro": pri_m has several amounts in EUR, by country',
    );
  });
});

describe("an amount of", () => {
  test.for<[minor: string, currency: string, major: number]>([
    ["1999", "USD", 19.99],
    ["0", "USD", 0],
    ["1999", "JPY", 1999],
    ["1999", "clp", 1999],
    ["190000", "HUF", 1900],
    ["1999", "KWD", 1.999],
    ["999999999999999", "USD", 9999999999999.99],
  ])("%s in %s is %d, by the decimals that Paddle states", async ([minor, currency, major]) => {
    const fields = { unit_price: costs(minor, currency.toUpperCase()) };
    expect(await candidate([price("pri_m", fields), yearly("pri_y", fields)], { currency })).toMatchObject({
      payload: { currency, plans: [{ monthlyPrice: major, annualPrice: major }] },
    });
  });

  test.for(["1234567890123456", "", "-1", "1e3", "19,99", "NaN"])("%j is refused and not quoted", async (minor) => {
    const { plans } = await collectPaddle([price("pri_m", { unit_price: costs(minor) }), annual]);
    expect(plans).toMatchObject({
      reason: `plan "pro": pri_m has no amount that can be represented exactly${WAY_OUT}`,
    });
  });

  test("a currency that Paddle does not list is refused", async () => {
    await expect(candidate([monthly, annual], { currency: "BHD" })).rejects.toThrow("Paddle has no currency BHD");
  });
});

test.for<[reason: string, fields: object]>([
  ["archived", { status: "archived" }],
  ["its product is archived", { product: product({ status: "archived" }) }],
  ["made for one customer", { type: "custom" }],
  ["paid once", { billing_cycle: null }],
  ["sold from 5 units on", { quantity: { minimum: 5, maximum: 100 } }],
  ["by the week", { billing_cycle: every("week") }],
  ["by the day", { billing_cycle: every("day", 30) }],
  ["for 3 months, which fits no cycle", { billing_cycle: every("month", 3) }],
  ["not in USD", { unit_price: costs("7", "EUR") }],
])("a price is skipped, with the reason %s", async ([reason, fields]) => {
  const odd = price("pri_odd", { unit_price: costs("7"), ...fields });
  expect(await candidate(json(page([odd, monthly, annual])))).toMatchObject({
    payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] },
    skipped: [`pri_odd: ${reason}`],
  });
  const plans = [{ id: "pro", priceIds: { monthly: "pri_odd" }, annualPrice: 1 }];
  await expect(candidate([odd], { plans })).rejects.toThrow(
    `plan "pro": no price for "monthly" to publish (pri_odd: ${reason})`,
  );
});

describe("doubt is an error that names the plan:", () => {
  test("two active prices for one cycle", async () => {
    await expect(candidate([monthly, annual, price("pri_other")])).rejects.toThrow(
      'plan "pro": 2 active prices for "monthly", pri_m, pri_other: archive all but one, or select one with "priceIds"',
    );
  });

  test("no price at all, or none for a year", async () => {
    await expect(candidate([])).rejects.toThrow('plan "pro": no price of its product to publish');
    await expect(candidate([monthly])).rejects.toThrow(
      'plan "pro": no price for "annual", nor annualPrice in the settings, to publish',
    );
  });

  test.for(["product_id", "status", "type", "billing_cycle", "unit_price", "unit_price_overrides", "quantity"])(
    "a price whose %s is missing or cannot be read",
    async (field) => {
      const { [field]: _, ...without } = monthly;
      for (const odd of [without, { ...monthly, [field]: ["xyzzy"] }]) {
        const { plans, all } = await collectPaddle(json(page([odd])));
        expect(plans).toMatchObject({ reason: expect.stringContaining(`not a list of prices: data[0].${field}`) });
        expect(all).not.toContain("xyzzy");
      }
    },
  );

  test("a price without its product", async () => {
    const { product: _, ...without } = monthly;
    await expect(candidate(json(page([without])))).rejects.toThrow(
      'plan "pro": not a list of prices: data[0].product: is not readable: may the key read products?',
    );
  });
});

describe("pages", () => {
  const weekly = (count: number) =>
    Array.from({ length: count }, (_, index) => price(`pri_${index}`, { billing_cycle: every("week") }));

  test("are read to the last one, and the link to the next one is not followed", async () => {
    const { plans, paths } = await collectPaddle([...weekly(450), monthly, annual]);
    expect(plans).toMatchObject({ payload: { plans: [{ prices: { monthly: 19.99, annual: 199 } }] } });
    const after = paths.map((path) => /&after=(\w+)/.exec(path)?.[1]);
    expect(after).toEqual([undefined, "pri_199", "pri_399", undefined]);
  });

  test("that announce more and have the same again are refused at once", async () => {
    const { plans, paths } = await collectPaddle(json(page([monthly, annual], true)));
    expect(plans).toMatchObject({ reason: 'plan "pro": the list announces more prices, but has none' });
    expect(paths).toHaveLength(2);
  });

  test("more than twenty are refused", async () => {
    const { plans } = await collectPaddle(weekly(4_100));
    expect(plans).toMatchObject({
      reason: 'plan "pro": more than 4000 prices: select the ones to publish with "priceIds"',
    });
  });
});

describe("failures are reported in our words:", () => {
  const refusing = (code: number, headers = {}) => status(code, headers, '{"error":{"detail":"xyzzy"}}');
  test.for<[what: string, behaviour: Behaviour, reason: string]>([
    ["no such product", refusing(400), "answered 400 (does the product or price exist?)"],
    [
      "a list without pagination",
      json({ data: [monthly] }),
      "not a list of prices: meta: must be of type object (it is missing)",
    ],
  ])("%s", async ([, behaviour, reason]) => {
    const { plans, all } = await collectPaddle(behaviour);
    expect(plans).toMatchObject({ result: "failed", reason: `plan "pro": ${reason}` });
    expect(all).not.toMatch(/xyzzy|pdl_|127\.0\.0\.1/);
  });

  test("no list of currencies", async () => {
    const { upstream, settings } = await startPaddle([monthly, annual]);
    upstream.set("/currencies", json({ data: [{ code: "USD", decimal_places: "xyzzy" }] }));
    const { plans } = await collectPlans(upstream, settings, ENVIRONMENT);
    expect(plans).toMatchObject({
      reason: 'plan "pro": not a list of currencies: data[0].decimal_places: must be of type number, not string',
    });
  });
});

describe("settings", () => {
  const given = {
    from: "paddle",
    key: "$PADDLE_KEY",
    currency: "USD",
    cycles: CYCLES,
    plans: [{ id: "pro", product: "pro_notes" }],
  };

  test("that a vendor writes are accepted", () => {
    expect(planProblem(given, ENVIRONMENT)).toBe("");
  });

  test.for<[what: string, settings: object, environment: Record<string, string>, reason: RegExp]>([
    ["a sandbox key", {}, { PADDLE_KEY: "pdl_sdbx_apikey_xyzzy" }, /PADDLE_KEY has a sandbox key; use a live key/],
    ["a client-side token", {}, { PADDLE_KEY: "live_xyzzy" }, /PADDLE_KEY has a client-side token, which cannot read/],
    ["no key", {}, {}, /PADDLE_KEY is not set/],
    ["a key in the file", { key: "pdl_live_xyzzy" }, ENVIRONMENT, /key use "\$NAME"/],
    [
      "the sandbox",
      { api: "https://sandbox-api.paddle.com/" },
      ENVIRONMENT,
      /api is the sandbox, whose prices are not/,
    ],
    [
      "the id of a price",
      { plans: [{ id: "a", product: "pri_x" }] },
      ENVIRONMENT,
      /product must be an id such as pro_/,
    ],
    ["an unknown cycle", { plans: [{ id: "a", priceIds: { x: "pri_x" } }] }, ENVIRONMENT, /priceIds has a key that is/],
    ["no yearly price", { cycles: [CYCLES[0]] }, ENVIRONMENT, /plans\.0\.annualPrice must be given/],
  ])("with %s are refused", ([, settings, environment, reason]) => {
    const problem = planProblem({ ...given, ...settings }, environment);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain("xyzzy");
  });
});
