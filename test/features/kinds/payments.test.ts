// Plans from payment providers: the listed plans are published with exact prices, and any doubt is an error.
import { describe, expect, test } from "vitest";
import * as lemon from "../../support/collecting/lemonsqueezy.ts";
import * as paddle from "../../support/collecting/paddle.ts";
import { candidateOf, settingsProblem, type Provider } from "../../support/collecting/payments.ts";
import * as stripe from "../../support/collecting/stripe.ts";
import { json, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { CYCLES } from "../../support/collecting/vendor.ts";

/** The end of every refusal of a price. */
const WAY_OUT = '; or give the plan fixed "prices"';
const GOOD = { plans: [{ prices: { monthly: 19.99, annual: 199 } }] };
const FREE = { id: "free", prices: { monthly: 0, annual: 0 }, creditsMonthly: 100 };

const candidate = {
  stripe: (prices: stripe.StripePrice[], settings: object = {}) =>
    candidateOf("stripe", stripe.listing(prices), { settings }),
  paddle: (prices: paddle.PaddlePrice[], settings: object = {}) =>
    candidateOf("paddle", paddle.listing(prices), { settings }),
  lemonsqueezy: (prices: lemon.LemonPrice[], settings: object = {}, product: unknown = lemon.product()) =>
    candidateOf("lemonsqueezy", lemon.listing(prices), { settings, documents: { "/v1/products/5": product } }),
};

/** The two prices of the plan in the settings, in which these fields replace their own. */
const both = {
  stripe: (month: object, year: object) =>
    stripe.listing([stripe.price("price_m", month), stripe.yearly("price_y", year)]),
  paddle: (month: object, year: object) => paddle.listing([paddle.price("pri_m", month), paddle.yearly("pri_y", year)]),
  lemonsqueezy: (month: object, year: object) => lemon.listing([lemon.price("501", month), lemon.yearly("502", year)]),
};
const [stripeMonthly, stripeYearly] = [stripe.price("price_m"), stripe.yearly("price_y")];
const [paddleMonthly, paddleYearly] = [paddle.price("pri_m"), paddle.yearly("pri_y")];
const [lemonMonthly, lemonYearly] = [lemon.price("501"), lemon.yearly("502")];
const lemonPage = (...prices: object[]) => lemon.page(prices, [lemon.variant(11), lemon.variant(12)]);
const APP = { id: "pro", variants: { monthly: "11", annual: "12" } };

describe("the payload has each plan of the settings, in their order, and no other price (collector/features/kinds/offers.ts):", () => {
  const ofProduct = (id: string) => ({ product: stripe.product(id) });
  const of = (product_id: string, cost: string) => ({ product_id, unit_price: paddle.costs(cost) });
  const asked = (id: number) => `/v1/prices?filter[variant_id]=${id}&include=variant&page[size]=100&page[number]=1`;
  const STRIPE = [
    stripe.yearly("price_ty", { ...ofProduct("prod_t"), ...stripe.costs("49000"), lookup_key: "team_y" }),
    stripe.price("price_tm", { ...ofProduct("prod_t"), ...stripe.costs("4900"), lookup_key: "team_m" }),
    stripe.price("price_secret", { ...ofProduct("prod_t"), ...stripe.costs("1"), lookup_key: "friends" }),
    stripeYearly,
    stripeMonthly,
    stripe.price("price_private", { ...ofProduct("prod_private"), ...stripe.costs("123400"), lookup_key: "pro" }),
  ];
  const PADDLE = [
    paddleYearly,
    paddleMonthly,
    paddle.price("pri_tm", of("pro_team", "4900")),
    paddle.yearly("pri_ty", of("pro_team", "49000")),
    paddle.price("pri_friends", of("pro_team", "1")),
    paddle.price("pri_private", of("pro_private", "123400")),
  ];
  const LEMON = [
    lemonYearly,
    lemonMonthly,
    lemon.price("601", { variant_id: 21, unit_price: 4900 }),
    lemon.yearly("602", { variant_id: 22, unit_price: 49000 }),
    lemon.price("701", { variant_id: 31, unit_price: 123400 }),
  ];
  const variants = [11, 12, 21, 22, 31].map((id) => lemon.variant(id));
  test.for<[provider: Provider, prices: Behaviour, unasked: object, plans: object[], paths: unknown[]]>([
    [
      "stripe",
      stripe.listing(STRIPE),
      stripe.page(STRIPE),
      [
        { id: "pro", product: "prod_pro" },
        { id: "team", lookup: { monthly: "team_m", annual: "team_y" } },
      ],
      [expect.stringContaining("product=prod_pro&active=true"), expect.stringContaining("lookup_keys[]=team_m")],
    ],
    [
      "paddle",
      paddle.listing(PADDLE),
      paddle.page(PADDLE),
      [
        { id: "pro", product: "pro_notes" },
        { id: "team", priceIds: { monthly: "pri_tm", annual: "pri_ty" } },
      ],
      [
        expect.stringMatching(/^\/prices\?product_id=pro_notes&status=active&include=product&/),
        "/currencies",
        expect.stringMatching(/^\/prices\?id=pri_tm,pri_ty&status=active,archived&include=product&/),
      ],
    ],
    [
      "lemonsqueezy",
      lemon.listing(LEMON),
      lemon.page(LEMON, variants),
      [APP, { id: "team", variants: { monthly: "21", annual: "22" } }],
      [asked(11), "/v1/products/5?include=store,variants", ...[12, 21, 22].map((id) => asked(id))],
    ],
  ])("%s", async ([provider, prices, unasked, [pro, team], wanted]) => {
    const settings = { plans: [FREE, { ...pro, popular: true }, team] };
    const { payload, paths } = await candidateOf(provider, prices, { settings });
    const common = { popular: false, creditsMonthly: null };
    const plan = (monthly: number, annual: number) => ({
      prices: { monthly, annual },
      monthlyPrice: monthly,
      annualPrice: annual,
    });
    expect(payload).toEqual({
      currency: "USD",
      cycles: CYCLES,
      plans: [
        { ...common, id: "free", ...plan(0, 0), creditsMonthly: 100 },
        { ...common, id: "pro", ...plan(19.99, 199), popular: true },
        { ...common, id: "team", ...plan(49, 490) },
      ],
    });
    expect(paths).toEqual(wanted);
    // If it returns more than was requested.
    expect(await candidateOf(provider, json(unasked), { settings })).toMatchObject({ payload, skipped: [] });
  });

  test("has the yearly price of the upstream or of the settings, never a computed one", async () => {
    const plans = [{ id: "pro", product: "prod_pro", monthlyPrice: 5, annualPrice: 16.58 }];
    expect(await candidate.stripe([stripeMonthly, stripeYearly], { plans })).toMatchObject({
      payload: { plans: [{ ...GOOD.plans[0], monthlyPrice: 5, annualPrice: 16.58 }] },
    });
    expect(await candidate.stripe([stripeMonthly], { plans })).toMatchObject({
      payload: { plans: [{ annualPrice: 16.58 }] },
    });
    const twelve = stripe.price("price_12", { ...stripe.costs("11900"), recurring: stripe.every("month", 12) });
    expect(await candidate.stripe([stripeMonthly, twelve])).toMatchObject({
      payload: { plans: [{ annualPrice: 119 }] },
    });
  });
});

const OVERRIDES = { unit_price_overrides: [{ country_codes: ["CH"], unit_price: paddle.costs("1850", "CHF") }] };
const TAX = {
  stripe: (month: string, year: string) => both.stripe({ tax_behavior: month }, { tax_behavior: year }),
  paddle: (month: string, year: string) => both.paddle({ tax_mode: month, ...OVERRIDES }, { tax_mode: year }),
};
const trial = (trial_interval_unit: unknown, trial_interval_quantity: unknown) => ({
  trial_interval_unit,
  trial_interval_quantity,
});
const setUp = (setup_fee_enabled: boolean, setup_fee: number) => ({ setup_fee_enabled, setup_fee });
test.for<[provider: Provider, prices: Behaviour, remarks: string[]]>([
  ["stripe", TAX.stripe("exclusive", "inclusive"), ["tax is added: price_m", "tax is included: price_y"]],
  ["stripe", TAX.stripe("unspecified", "toString"), ["whether tax is included is not specified: price_m"]],
  [
    "paddle",
    TAX.paddle("external", "constructor"),
    ["tax is added: pri_m", "some countries have a price of their own: pri_m"],
  ],
  ["paddle", both.paddle({ tax_mode: "internal" }, { tax_mode: "internal" }), ["tax is included: pri_m, pri_y"]],
  ["lemonsqueezy", both.lemonsqueezy(setUp(true, 4900), setUp(false, 4900)), ["a setup fee is added: 501"]],
  ["lemonsqueezy", both.lemonsqueezy(setUp(true, 0), {}), []],
  [
    "stripe",
    both.stripe(
      { tax_behavior: "exclusive", recurring: stripe.every("month", 1, { trial_period_days: 14 }) },
      { tax_behavior: null, recurring: stripe.every("year", 1, { trial_period_days: 14 }) },
    ),
    ["tax is added: price_m", "with a trial of 14 days: price_m, price_y"],
  ],
  [
    "paddle",
    both.paddle(
      { tax_mode: null, trial_period: { ...paddle.every("week"), requires_payment_method: false } },
      { tax_mode: null, trial_period: { ...paddle.every("month", 2), unit_price: paddle.costs("100") } },
    ),
    ["with a trial of 1 week: pri_m", "with a trial of 2 months: pri_y"],
  ],
  ["lemonsqueezy", both.lemonsqueezy(trial("day", 30), trial("day", null)), ["with a trial of 30 days: 501"]],
  // What cannot be read of a trial stops no price.
  ["lemonsqueezy", both.lemonsqueezy(trial("moon", 1), trial("day", "xyzzy")), []],
  ["paddle", both.paddle({ tax_mode: null, trial_period: "xyzzy" }, { tax_mode: null, trial_period: null }), []],
])("what %s adds to a price is not published, but reported to the operator", async ([provider, prices, remarks]) => {
  expect((await candidateOf(provider, prices)).remarks).toEqual(remarks);
});

test.for([
  ["exclusive", "inclusive", "tax is included: price_m"],
  ["inclusive", "exclusive", "tax is added: price_m"],
  ["inclusive", undefined, undefined],
])(
  "Stripe's tax is that of the chosen currency: %s in dollars, %s in euros",
  async ([inDollars, tax_behavior, remark]) => {
    const taxed = (tax: object) => ({
      tax_behavior: inDollars,
      currency_options: {
        usd: { ...stripe.costs("1999"), tax_behavior: inDollars },
        eur: { ...stripe.costs("1850"), ...tax },
      },
    });
    const [month, year] = [taxed({ tax_behavior }), taxed({})];
    const found = await candidateOf("stripe", both.stripe(month, year), { settings: { currency: "EUR" } });
    expect(found).toMatchObject({ payload: { plans: [{ monthlyPrice: 18.5 }] }, remarks: remark ? [remark] : [] });
  },
);

describe("an amount of", () => {
  const MAJOR: [provider: "stripe" | "paddle", minor: string, currency: string, major: number][] = [
    ["stripe", "1999", "USD", 19.99],
    ["stripe", "5", "EUR", 0.05],
    ["stripe", "0", "USD", 0],
    ["stripe", "0.5", "USD", 0.005],
    ["stripe", "1234.56", "EUR", 12.3456],
    ["stripe", "1998.9999999999", "EUR", 19.99],
    ["stripe", "1999.0000000009", "JPY", 1999],
    ["stripe", "1999.000000000000", "USD", 19.99],
    ["stripe", "0.5", "JPY", 0.5],
    ["stripe", "1999", "KRW", 1999],
    ["stripe", "1999", "KWD", 1.999],
    ["stripe", "1990", "TND", 1.99],
    ["stripe", "7", "BHD", 0.007],
    ["stripe", "190000", "ISK", 1900],
    ["stripe", "190000", "UGX", 1900],
    ["stripe", "190000", "HUF", 1900],
    ["stripe", "1999", "MGA", 1999],
    ["stripe", "999999999999999", "USD", 9999999999999.99],
    ["stripe", "999999999999999", "jpy", 999999999999999],
    ["paddle", "1999", "JPY", 1999],
    ["paddle", "1999", "clp", 1999],
    ["paddle", "190000", "HUF", 1900],
    ["paddle", "1999", "KWD", 1.999],
  ];
  test.for(MAJOR)("%s: %s in %s is %d", async ([provider, minor, currency, major]) => {
    const inStripe = { currency: currency.toLowerCase(), ...stripe.costs(minor) };
    const inPaddle = { unit_price: paddle.costs(minor, currency.toUpperCase()) };
    const { payload } =
      provider === "stripe"
        ? await candidate.stripe([stripe.price("m", inStripe), stripe.yearly("y", inStripe)], { currency })
        : await candidate.paddle([paddle.price("m", inPaddle), paddle.yearly("y", inPaddle)], { currency });
    expect(payload).toMatchObject({ currency, plans: [{ monthlyPrice: major, annualPrice: major }] });
  });

  const REFUSED = ["1234567890123456", "9007199254740993", "1234567890.123456789", "-1", "1e3", "1,5", "NaN", "0x10"];
  test.for<[minor: unknown, refused: () => Promise<unknown>]>([
    ...[...REFUSED, "", " 1", "٣", null].map((minor): [unknown, () => Promise<unknown>] => [
      minor,
      () => candidate.stripe([stripe.price("m", stripe.costs(minor)), stripeYearly]),
    ]),
    ["19,99", () => candidate.paddle([paddle.price("m", { unit_price: paddle.costs("19,99") }), paddleYearly])],
    ...[-1, 1e15, null].map((unit_price): [unknown, () => Promise<unknown>] => [
      unit_price,
      () => candidate.lemonsqueezy([lemon.price("1", { unit_price }), lemonYearly]),
    ]),
  ])("%j is refused and not quoted", async ([, refused]) => {
    await expect(refused()).rejects.toThrow(/^plan "pro": [m1] has no amount that can be represented exactly; or give/);
  });

  test.for(["1234.567890123", "0.001", "1999.0000001"])(
    "%s has more than four decimals, and is refused",
    async (minor) => {
      await expect(candidate.stripe([stripe.price("m", stripe.costs(minor)), stripeYearly])).rejects.toThrow(
        `plan "pro": m has an amount of more than four decimals${WAY_OUT}: { "monthly": …`,
      );
    },
  );

  test("Stripe's older field is read if there is no decimal amount", async () => {
    const { unit_amount_decimal: _, ...old } = stripeMonthly;
    expect(await candidate.stripe([old, stripeYearly])).toMatchObject({ payload: GOOD });
  });

  test("another currency comes from Stripe's currency_options, or not at all", async () => {
    const options = (minor: string) => ({
      currency_options: { jpy: stripe.costs(minor), eur: stripe.costs("1") },
    });
    const prices = [stripe.price("price_m", options("3000")), stripe.yearly("price_y", options("30000"))];
    expect(await candidate.stripe(prices, { currency: "JPY" })).toMatchObject({
      payload: { currency: "JPY", plans: [{ prices: { monthly: 3000, annual: 30000 } }] },
    });
    await expect(candidate.stripe(prices, { currency: "KWD" })).rejects.toThrow(
      'plan "pro": no price of its product to publish (price_m: not in KWD, but in USD; price_y: not in KWD, but in USD)',
    );
  });

  describe("another currency in Paddle", () => {
    type Override = [amount: string, currency: string, ...countries: string[]];
    const overrides = (...stated: Override[]) => ({
      unit_price_overrides: stated.map(([amount, currency, ...country_codes]) => {
        return { country_codes, unit_price: paddle.costs(amount, currency) };
      }),
    });
    const JAPAN: Override = ["3000", "JPY", "JP"];
    const yearly = paddle.yearly("pri_y", overrides(["18000", "EUR", "DE", "AT", "BG"], ["240000", "USD", "EC"]));
    const inEuro = (...stated: Override[]) =>
      candidate.paddle([paddle.price("pri_m", overrides(JAPAN, ...stated)), yearly], { currency: "EUR" });

    test("has the amount that all its countries have, by one override or by several", async () => {
      for (const stated of [
        [["1850", "EUR", "DE", "AT", "BG"]],
        [
          ["1850", "EUR", "DE", "CH"],
          ["1850", "EUR", "BG"],
          ["1850", "EUR", "AT"],
        ],
      ] satisfies Override[][]) {
        expect(await inEuro(...stated)).toMatchObject({
          payload: { currency: "EUR", plans: [{ prices: { monthly: 18.5, annual: 180 } }] },
        });
      }
      const prices = [paddle.price("pri_m", overrides(["499", "EUR", "BG"])), yearly];
      expect(await candidate.paddle(prices)).toMatchObject({ payload: GOOD });
    });

    test("has not the base amount if each of its countries has another", async () => {
      const inDollars = (...stated: Override[]) =>
        candidate.paddle([paddle.price("pri_m", overrides(...stated)), paddle.yearly("pri_y")]);
      const monthly = (amount: number) => ({ payload: { plans: [{ prices: { monthly: amount } }] } });
      expect(await inDollars(["2500", "USD", "US", "EC", "AE"])).toMatchObject(monthly(25));
      expect(await inDollars(["2500", "USD", "US", "EC"])).toMatchObject(monthly(19.99));
      await expect(inDollars(["2500", "USD", "US", "AE"], ["1500", "USD", "EC"])).rejects.toThrow(
        'pri_m has several amounts in USD, by country; or give the plan fixed "prices"',
      );
      await expect(inDollars(["2500", "USD", "US", "AE"], ["1500", "EUR", "EC"])).rejects.toThrow("not for EC");
    });

    test("is refused for some of its countries, by the first one that is missing, with the words that publish it", async () => {
      await expect(inEuro(["499", "EUR", "BG"])).rejects.toThrow(
        'plan "pro": pri_m has an amount in EUR for single countries only: not for AT; ' +
          'or give the plan fixed "prices": { "monthly": …, "annual": … } in place of "product"',
      );
      await expect(inEuro(["499", "EUR", "AT", "BG"])).rejects.toThrow("not for DE");
      await expect(inEuro(["499", "EUR"])).rejects.toThrow("not for AT");
      // What Bulgaria pays in another currency is no amount in this one.
      await expect(inEuro(["1850", "EUR", "AT", "DE"], ["2000", "USD", "BG"])).rejects.toThrow("not for BG");
      const inDollars = { unit_price: paddle.costs("1850", "EUR"), ...overrides(["1200", "USD", "EC"]) };
      await expect(candidate.paddle([paddle.price("pri_m", inDollars), paddleYearly])).rejects.toThrow(
        "pri_m has an amount in USD for single countries only: not for US",
      );
    });

    test.for([[], null, undefined, "EU", [["KR"]]])(
      "is refused where Paddle states no countries: %j",
      async (stated) => {
        const data = [{ code: "KRW", decimal_places: 0, applicable_countries: stated }];
        const prices = paddle.listing([paddle.price("pri_m", overrides(["30000", "KRW", "KR"])), paddleYearly]);
        const settings = { currency: "KRW", plans: [{ id: "pro", product: "pro_notes", annualPrice: 1 }] };
        const refused = candidateOf("paddle", prices, { settings, documents: { "/currencies": { data } } });
        await expect(refused).rejects.toThrow("Paddle does not state which countries pay in it");
      },
    );

    test("is refused with several amounts, and if Paddle has no such currency", async () => {
      await expect(inEuro(["1850", "EUR", "DE", "AT"], ["1900", "EUR", "BG"])).rejects.toThrow(
        'plan "pro": pri_m has several amounts in EUR, by country',
      );
      await expect(candidate.paddle([yearly], { currency: "BHD" })).rejects.toThrow("Paddle has no currency BHD");
    });
  });
});

describe("a price is skipped, or refused if the settings name it, with the reason:", () => {
  test.for<[reason: string, fields: object]>([
    ["archived", { active: false }],
    ["its product is archived", { product: stripe.product("prod_pro", { active: false }) }],
    ["its product is deleted", { product: { id: "prod_pro", object: "product", deleted: true } }],
    ["test mode", { livemode: false }],
    ["paid once", { type: "one_time", recurring: null }],
    ["metered", { recurring: stripe.every("month", 1, { usage_type: "metered" }) }],
    ["tiered", { billing_scheme: "tiered", tiers_mode: "volume", ...stripe.costs(null) }],
    ["sold in packages", { transform_quantity: { divide_by: 10, round: "up" } }],
    ["the customer chooses the amount", { custom_unit_amount: { minimum: 100 } }],
    ["by the week", { recurring: stripe.every("week") }],
    ["by the day", { recurring: stripe.every("day", 30) }],
    ["for 3 months, which fits no cycle", { recurring: stripe.every("month", 3) }],
    ["not in USD, but in EUR", { currency: "eur" }],
  ])("Stripe: %s", async ([reason, fields]) => {
    const odd = stripe.price("price_odd", { ...stripe.costs("7"), ...fields });
    const everything = json(stripe.page([odd, stripeMonthly, stripeYearly]));
    expect(await candidateOf("stripe", everything)).toMatchObject({ payload: GOOD, skipped: [`price_odd: ${reason}`] });
    const lookedUp = { plans: [{ id: "pro", lookup: { monthly: "m" }, annualPrice: 1 }] };
    await expect(candidate.stripe([{ ...odd, lookup_key: "m" }], lookedUp)).rejects.toThrow(
      `plan "pro": no price for "monthly" to publish (price_odd: ${reason})`,
    );
  });

  test.for<[reason: string, fields: object]>([
    ["archived", { status: "archived" }],
    ["its product is archived", { product: paddle.product({ status: "archived" }) }],
    ["made for one customer", { type: "custom" }],
    ["paid once", { billing_cycle: null }],
    ["sold from 5 units on", { quantity: { minimum: 5, maximum: 100 } }],
    ["by the week", { billing_cycle: paddle.every("week") }],
    ["for 3 months, which fits no cycle", { billing_cycle: paddle.every("month", 3) }],
    ["not in USD, but in EUR", { unit_price: paddle.costs("7", "EUR") }],
  ])("Paddle: %s", async ([reason, fields]) => {
    const odd = paddle.price("pri_odd", { unit_price: paddle.costs("7"), ...fields });
    const everything = json(paddle.page([odd, paddleMonthly, paddleYearly]));
    expect(await candidateOf("paddle", everything)).toMatchObject({ payload: GOOD, skipped: [`pri_odd: ${reason}`] });
    const plans = [{ id: "pro", priceIds: { monthly: "pri_odd" }, annualPrice: 1 }];
    await expect(candidate.paddle([odd], { plans })).rejects.toThrow(
      `plan "pro": no price for "monthly" to publish (pri_odd: ${reason})`,
    );
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
  ])("Lemon Squeezy, if it is the newest: %s", async ([reason, attributes]) => {
    const odd = lemon.price("503", { created_at: "2026-11-01T08:00:00.000000Z", ...attributes });
    await expect(candidate.lemonsqueezy([lemonMonthly, odd, lemonYearly])).rejects.toThrow(
      `plan "pro": no price for "monthly" to publish (503: ${reason})`,
    );
  });

  test.for<[reason: string, ofVariant: object, product: unknown]>([
    ["test mode", { test_mode: true }, lemon.product()],
    ["test mode", {}, lemon.product({ test_mode: true })],
    ["its product is not published", {}, lemon.product({ status: "draft" })],
    ["its variant is not published", { status: "draft" }, lemon.product()],
    ["its variant is not published", { status: "pending" }, lemon.product()],
    ["not in USD, but in EUR", {}, lemon.product({}, { currency: "EUR" })],
  ])("Lemon Squeezy, of a variant or its product: %s", async ([reason, ofVariant, product]) => {
    const refused = candidateOf("lemonsqueezy", lemon.listing([lemonMonthly, lemonYearly], ofVariant), {
      documents: { "/v1/products/5": product },
    });
    await expect(refused).rejects.toThrow(
      `plan "pro": no price for "monthly" to publish (501: ${reason}; 502: ${reason})${WAY_OUT}`,
    );
  });

  test("and its id is shown without control characters", async () => {
    const odd = stripe.price(`price_\u001b[31m\n${"x".repeat(200)}`, { recurring: stripe.every("week") });
    const { skipped } = await candidate.stripe([odd, stripeMonthly, stripeYearly]);
    expect(skipped).toEqual([`price_[31m${"x".repeat(70)}: by the week`]);
  });
});

describe("doubt is an error that names the plan:", () => {
  const lookup = { plans: [{ id: "pro", lookup: { monthly: "m", annual: "y" } }] };
  const month = stripe.price("price_m", { lookup_key: "m" });
  test.for<[what: string, refused: () => Promise<unknown>, reason: string]>([
    [
      "two active prices for one cycle, with their ids",
      () => candidate.stripe([stripeMonthly, stripeYearly, stripe.price("price_o", stripe.costs("2499"))]),
      `2 active prices for "monthly", price_m, price_o: archive all but one, or select one with "lookup"${WAY_OUT}`,
    ],
    ["a product without a price", () => candidate.stripe([]), `no price of its product to publish${WAY_OUT}`],
    [
      "no price for a year",
      () => candidate.paddle([paddleMonthly]),
      'no price for "annual", nor annualPrice in the settings, to publish: state it with "annualPrice": …; or give',
    ],
    [
      "a variant without a price",
      () => candidate.lemonsqueezy([lemonMonthly]),
      'no price for "annual" to publish (there is none for 12 in "variants")',
    ],
    [
      "a lookup key that no price has",
      () => candidate.stripe([month], lookup),
      `no price for "annual" to publish (there is none for y in "lookup")${WAY_OUT}`,
    ],
    [
      "a lookup key of a price with another length",
      () => candidate.stripe([month, stripe.price("price_y", { lookup_key: "y" })], lookup),
      `no price for "annual" to publish (price_y: for 1 month, so it belongs under "monthly")${WAY_OUT}`,
    ],
    [
      "a product that is not expanded, because the key may not read it",
      () => candidateOf("stripe", json(stripe.page([{ ...stripeMonthly, product: "prod_pro" }]))),
      "not a list of prices: data[0].product: is not readable: may the key read Products?",
    ],
    [
      "a price without its product",
      () => candidateOf("paddle", json(paddle.page([{ ...paddleMonthly, product: undefined }]))),
      "not a list of prices: data[0].product: is not readable: may the key read products?",
    ],
    [
      "a price without its variant",
      () => candidateOf("lemonsqueezy", json(lemon.page([lemonMonthly], []))),
      "prices without their variant",
    ],
    [
      "a variant that cannot be read",
      () => candidateOf("lemonsqueezy", lemon.listing([lemonMonthly], { test_mode: "xyzzy" })),
      "not a list of prices: included[0].attributes.test_mode: ",
    ],
    [
      "another document than a product",
      () => candidate.lemonsqueezy([lemonMonthly], {}, { data: {} }),
      "not a product with its store: data.type: ",
    ],
    [
      "a product without its store",
      () => candidate.lemonsqueezy([lemonMonthly], {}, lemon.product({ store_id: 3 })),
      "not a product with its store: the answer: must have its store, with a currency",
    ],
  ])("%s", async ([, refused, reason]) => {
    await expect(refused()).rejects.toThrow(`plan "pro": ${reason}`);
    // Whatever the doubt, the words are there that publish the plan.
    await expect(refused()).rejects.toThrow(
      /; or give the plan fixed "prices": \{ "monthly": …, "annual": … \} in place of "(?:product|lookup|variants)"$/,
    );
  });

  const STRIPE = ["active", "livemode", "type", "currency", "billing_scheme", "product", "recurring"];
  const PADDLE = ["product_id", "status", "type", "billing_cycle", "unit_price", "unit_price_overrides", "quantity"];
  const LEMON = ["variant_id", "category", "scheme", "usage_aggregation", "unit_price", "created_at"];
  const OPTIONAL = new Set(["recurring", "currency_options"]);
  const LISTS: [Provider, fields: string[], pageWith: (fields: object) => object][] = [
    ["stripe", [...STRIPE, "currency_options"], (fields) => stripe.page([{ ...stripeMonthly, ...fields }])],
    ["paddle", PADDLE, (fields) => paddle.page([{ ...paddleMonthly, ...fields }])],
    [
      "lemonsqueezy",
      LEMON,
      (fields) => lemonPage({ ...lemonMonthly, attributes: { ...lemonMonthly.attributes, ...fields } }),
    ],
  ];
  const FIELDS = LISTS.flatMap(([provider, fields, pageWith]) =>
    fields.map((field) => [provider, field, (value: unknown) => pageWith({ [field]: value })] as const),
  );
  test.for(FIELDS)("a price of %s whose %s is missing or cannot be read", async ([provider, field, pageWith]) => {
    for (const value of OPTIONAL.has(field) ? [["xyzzy"]] : [["xyzzy"], undefined]) {
      const refused = candidateOf(provider, json(pageWith(value)));
      await expect(refused).rejects.toThrow(
        new RegExp(`^plan "pro": not a list of prices: data\\[0\\]\\.(attributes\\.)?${field}(?!.*xyzzy)`),
      );
    }
  });

  test.for<[Provider, object]>([
    ["stripe", stripeMonthly],
    ["stripe", stripe.page([{}])],
    ["paddle", { data: [paddleMonthly] }],
    ["lemonsqueezy", lemon.page([lemon.variant(11)], [])],
  ])("an answer of %s that is no list of prices", async ([provider, answer]) => {
    await expect(candidateOf(provider, json(answer))).rejects.toThrow('plan "pro": not a list of prices: ');
  });

  test("an answer that is no list of currencies", async () => {
    const documents = { "/currencies": { data: [{ code: "USD", decimal_places: "xyzzy" }] } };
    const refused = candidateOf("paddle", paddle.listing([paddleMonthly, paddleYearly]), { documents });
    await expect(refused).rejects.toThrow('plan "pro": not a list of currencies: data[0].decimal_places: must be');
  });

  test("no list of currencies, and the product is not blamed", async () => {
    const documents = { "/currencies": undefined };
    const refused = candidateOf("paddle", paddle.listing([paddleMonthly, paddleYearly]), { documents });
    await expect(refused).rejects.toThrow(/^plan "pro": its list of currencies \(\/currencies\) answered 404; or give/);
  });
});

describe("pages", () => {
  const many = <Price>(count: number, make: (index: number) => Price) =>
    Array.from({ length: count }, (_, index) => make(index));
  const stripeWeekly = (index: number) => stripe.price(`price_${index}`, { recurring: stripe.every("week") });
  const paddleWeekly = (index: number) => paddle.price(`pri_${index}`, { billing_cycle: paddle.every("week") });
  const lemonOld = (index: number) =>
    lemon.price(String(1_000 + index), { unit_price: 999, created_at: "2023-05-24T14:15:06.000000Z" });

  test.for<[Provider, Behaviour, RegExp, (string | undefined)[]]>([
    [
      "stripe",
      stripe.listing([...many(250, stripeWeekly), stripeMonthly, stripeYearly]),
      /starting_after=(\w+)/,
      [undefined, "price_99", "price_199"],
    ],
    [
      "paddle",
      paddle.listing([...many(450, paddleWeekly), paddleMonthly, paddleYearly]),
      /&after=(\w+)/,
      [undefined, "pri_199", "pri_399", undefined],
    ],
    [
      "lemonsqueezy",
      lemon.listing([...many(250, lemonOld), lemonMonthly, lemonYearly]),
      /page\[number\]=(\d)/,
      ["1", "2", "3", undefined, "1"],
    ],
  ])(
    "of %s are read to the last one, and no link to the next one is followed",
    async ([provider, prices, at, asked]) => {
      const { payload, paths } = await candidateOf(provider, prices);
      expect(payload).toMatchObject(GOOD);
      expect(paths.map((path) => at.exec(path)?.[1])).toEqual(asked);
    },
  );

  test.for<[Provider, Behaviour, string]>([
    ["stripe", stripe.listing(many(2_100, stripeWeekly)), 'more than 2000 prices: .* with "lookup"'],
    ["paddle", paddle.listing(many(4_100, paddleWeekly)), 'more than 4000 prices: .* with "priceIds"'],
    ["stripe", json(stripe.page([stripeMonthly], true)), "the list announces more prices, but has none"],
    ["paddle", json(paddle.page([paddleMonthly], true)), "the list announces more prices, but has none"],
    ["lemonsqueezy", json(lemon.page([lemonMonthly], [], 1, 9)), "the list announces more prices, but has none"],
  ])("of %s without an end are refused", async ([provider, prices, reason]) => {
    await expect(candidateOf(provider, prices)).rejects.toThrow(new RegExp(`^plan "pro": ${reason}${WAY_OUT}: .*$`));
  });

  test("that cannot be asked for are no doubt about a price, and need another remedy", async () => {
    const refused = candidateOf("stripe", status(404));
    await expect(refused).rejects.toThrow(
      /^plan "pro": answered 404 for prod_pro \(does the product or price exist\?\)$/,
    );
    const plans = [{ id: "pro", priceIds: { monthly: "price_m", annual: "price_y" } }];
    await expect(candidateOf("stripe", status(404), { settings: { plans } })).rejects.toThrow(
      "answered 404 for price_m (does",
    );
  });

  test("a refusal of a plan with many cycles names the first ones", async () => {
    const cycles = many(7, (index) => ({ ...CYCLES[0], key: `c${index + 1}`, durationMonths: index + 1 }));
    const plans = [{ id: "pro", product: "prod_pro", annualPrice: 1 }];
    await expect(candidate.stripe([], { cycles, plans })).rejects.toThrow(
      '"prices": { "c1": …, "c2": …, "c3": …, "c4": …, "c5": …, … } in place of "product"',
    );
  });

  test("request ten of Stripe's lookup keys at a time", async () => {
    const cycles = many(12, (index) => ({ ...CYCLES[0], key: `c${index}`, durationMonths: index + 1 }));
    const lookup = Object.fromEntries(cycles.map(({ key }) => [key, `look_${key}`]));
    const prices = cycles.map(({ key, durationMonths }) =>
      stripe.price(`price_${key}`, { lookup_key: `look_${key}`, recurring: stripe.every("month", durationMonths) }),
    );
    const { paths } = await candidate.stripe(prices, { cycles, plans: [{ id: "pro", lookup }] });
    expect(paths.map((path) => path.split("lookup_keys[]=").length - 1)).toEqual([10, 2]);
  });

  test("have one deadline together", async () => {
    let asked = 0;
    const slow: Behaviour = (...exchange) => {
      if (++asked === 1) stripe.listing(many(250, stripeWeekly))(...exchange);
    };
    const refused = candidateOf("stripe", slow, { settings: { timeout: "1s" } });
    await expect(refused).rejects.toThrow(/^no complete answer within 1 s, which "timeout" sets$/);
  });
});

describe("the current price of a variant of Lemon Squeezy", () => {
  const newer = (id: string, unit_price: number) =>
    lemon.price(id, { unit_price, created_at: "2026-11-01T08:00:00.000000Z" });

  test("is the newest, in whatever order they are listed", async () => {
    const old = lemon.price("400", { unit_price: 999, created_at: "2023-05-24T14:15:06.000000Z" });
    const listed = json(lemonPage(old, newer("499", 2499), lemonMonthly, lemonYearly));
    expect(await candidateOf("lemonsqueezy", listed)).toMatchObject({
      payload: { plans: [{ prices: { monthly: 24.99, annual: 199 } }] },
      picked: "pro: 499 for monthly, 502 for annual",
      skipped: [],
    });
  });

  test("is the one that the settings name, if two are equally new", async () => {
    const prices = [lemonMonthly, lemon.price("500", { unit_price: 2499 }), lemonYearly];
    await expect(candidate.lemonsqueezy(prices)).rejects.toThrow(
      'plan "pro": 2 prices of one variant are equally new, 501, 500: name the current one in "priceIds": { "monthly": "…" }; or give the plan',
    );
    const named = (monthly: string) => ({ plans: [{ ...APP, priceIds: { monthly } }] });
    const published = (monthlyPrice: number) => ({ payload: { plans: [{ monthlyPrice }] } });
    expect(await candidate.lemonsqueezy(prices, named("500"))).toMatchObject(published(24.99));
    await expect(candidate.lemonsqueezy(prices, named("400"))).rejects.toThrow(
      /equally new, .* in place of "variants" and "priceIds"$/,
    );
    expect(await candidate.lemonsqueezy([...prices, newer("600", 2999)], named("500"))).toMatchObject(published(29.99));
  });

  test("counts although the variant is pending, if it is the only one of its product", async () => {
    const settings = { plans: [{ id: "pro", variants: { monthly: "11" }, annualPrice: 199 }] };
    const product = lemon.product({}, { variants: [lemon.variant(11, { status: "pending" })] });
    const found = candidateOf("lemonsqueezy", lemon.listing([lemonMonthly], { status: "pending" }), {
      settings,
      documents: { "/v1/products/5": product },
    });
    expect(await found).toMatchObject({ payload: { plans: [{ monthlyPrice: 19.99 }] } });
  });
});

describe("settings", () => {
  const [month, year] = CYCLES;
  const lookup = { monthly: "m", annual: "y" };
  const only = (plan: object) => ({ plans: [{ id: "pro", ...plan }] });

  test.for<[Provider, settings: object]>([
    ["stripe", {}],
    ["paddle", {}],
    ...["USD", "eur", "GBP"].map((currency): [Provider, object] => ["lemonsqueezy", { currency }]),
  ])("of %s that a vendor writes are accepted: %j", ([provider, settings]) => {
    expect(settingsProblem(provider, settings)).toBe("");
  });

  test.for<[Provider, what: string, settings: object, reason: RegExp]>([
    ["stripe", "no list of plans", { plans: undefined }, /^plans /],
    ["stripe", "an empty list of plans", { plans: [] }, /^plans /],
    ["stripe", "an empty lookup", only({ lookup: {} }), /^plans\.0/],
    ["stripe", "a plan without prices", only({}), /^plans\.0 /],
    ["stripe", "two sources of prices", only({ product: "p", lookup }), /^plans\.0/],
    ["stripe", "a repeated id", { plans: [FREE, FREE] }, /^plans must not repeat the id "\w+"/],
    ["stripe", "a repeated cycle", { cycles: [month, month] }, /^cycles must not repeat the key "\w+"/],
    ["stripe", "an unknown cycle", only({ lookup: { ...lookup, x: "x" } }), /^plans\.0\.lookup has "x", which is not/],
    ["stripe", "no yearly price", { cycles: [month] }, /^plans\.0\.annualPrice must be given: .* cycle of 12 months/],
    [
      "stripe",
      "no monthly price",
      only({ prices: { annual: 1 } }),
      /^plans\.0\.monthlyPrice must be given, or the price for "monthly", the cycle of 1 month/,
    ],
    [
      "stripe",
      "cycles of the same length",
      { cycles: [month, year, { ...year, key: "y2" }] },
      /^plans\.0\.product cannot distinguish two cycles of the same length: correct "durationMonths", or use lookup/,
    ],
    [
      "stripe",
      "cycles of the same length, of which none is the year",
      { ...only({ lookup: { ...lookup, y2: "y2" } }), cycles: [month, year, { ...year, key: "y2" }] },
      /^plans\.0\.annualPrice must be given: there is no single cycle of 12 months/,
    ],
    ["stripe", "an http URL", { api: "http://api.stripe.example" }, /^api must be an https URL/],
    ["stripe", "a key in the file", { key: `Bearer ${stripe.KEY}` }, /^key use "\$NAME" .*; secrets do not belong/],
    ["paddle", "the sandbox", { api: "https://sandbox-api.paddle.com/" }, /^api is the sandbox, whose prices are not/],
    ["paddle", "the id of a price", only({ product: "pri_x" }), /product must be an id such as pro_/],
    ["paddle", "an unknown cycle", only({ priceIds: { x: "pri_x" } }), /priceIds has "x", which is not/],
    ["lemonsqueezy", "a currency without cents", { currency: "JPY" }, /^currency must have cents: Lemon Squeezy does/],
    ["lemonsqueezy", "a currency name", { currency: "dollars" }, /^currency must be three letters/],
    ["lemonsqueezy", "no variant for a year", only({ variants: { monthly: "11" } }), /annualPrice must be given/],
    ["lemonsqueezy", "a slug for an id", only({ variants: { monthly: "x" } }), /must be an id such as "123456"/],
  ])("of %s with %s are refused", ([provider, , settings, reason]) => {
    const problem = settingsProblem(provider, settings);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain("xyzzy");
  });

  test.for<[Provider, key: string, reason: string]>([
    ["stripe", "rk_test_xyzzy", "a test mode key; use a live key"],
    ["stripe", "sk_test_xyzzy", "a test mode key; use a live key"],
    ["stripe", "pk_live_xyzzy", "a publishable key, which cannot read prices"],
    ["paddle", "pdl_sdbx_apikey_xyzzy", "a sandbox key; use a live key"],
    ["paddle", "live_xyzzy", "a client-side token, which cannot read prices"],
  ])("of %s with the key %s are refused", ([provider, key, reason]) => {
    const problem = settingsProblem(provider, {}, key);
    expect(problem).toContain(`THE_SECRET has ${reason}`);
    expect(problem).not.toContain("xyzzy");
  });
});
