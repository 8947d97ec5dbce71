// The Stripe key and its settings: the key is sent to Stripe only, and no response of Stripe's, however bad, exposes it or
// other private data.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure } from "../../../cli/settings/configure.ts";
import { openSources } from "../../../collector/settings.ts";
import { SettingsProblems } from "../../../collector/settings-problems.ts";
import { collectStripe, CYCLES, KEY, price, yearly } from "../../support/collecting/stripe.ts";
import { vitrine } from "../../support/program/run.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { body, json, reset, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorReleases } from "../../support/collecting/vendor.ts";

const PRICES = [price("price_m"), yearly("price_y")];
const echo = (request: Parameters<Behaviour>[0]) => JSON.stringify({ ...request.headers, xyzzy: request.url });
const refusing =
  (code: number, headers = {}): Behaviour =>
  (request, response) =>
    status(code, { "x-note": "xyzzy", ...headers }, echo(request))(request, response);

describe("failures are reported in our words:", () => {
  const later = { "retry-after": "3600" };
  test.for<[what: string, behaviour: Behaviour, reason: string | RegExp]>([
    ["no such product", refusing(400), "answered 400 (does the product or price exist?)"],
    ["an outage", refusing(503, later), "answered 503"],
    ["a broken connection", reset(), /^the connection failed \([A-Z_]+\)$/],
    ["a price instead of a list", json(PRICES[0]), /^not a list of prices: /],
    ["a list without has_more", json({ object: "list", data: PRICES }), /^not a list of prices: /],
    ["prices without ids", json({ object: "list", has_more: false, data: [{}] }), /^not a list of prices: /],
    ["null", body("null"), /^not a list of prices: /],
  ])("%s", async ([, behaviour, reason]) => {
    const { plans, all } = await collectStripe(behaviour);
    if (!("reason" in plans)) throw new Error("it did not fail");
    expect(plans.reason).toMatch(/^plan "pro": /);
    expect(plans.reason.replace('plan "pro": ', "")).toMatch(reason);
    expect(all).not.toMatch(/xyzzy|rk_live|127\.0\.0\.1/);
  });

  test("no whole answer in time", async () => {
    const { plans } = await collectStripe(() => {}, { timeout: "1s" });
    expect(plans).toMatchObject({ result: "failed", reason: expect.stringContaining("no complete answer within 1 s") });
  });
});

/** A directory with these settings for the plans, and a file source for the releases. */
async function directoryWith(plans: object): Promise<string> {
  const directory = await settingsDirectory({ plans, releases: { from: "file", path: "releases.json" } });
  await writeFile(join(directory, "releases.json"), JSON.stringify(vendorReleases()));
  return directory;
}

describe("settings", () => {
  const given = {
    from: "stripe",
    key: "$STRIPE_KEY",
    currency: "USD",
    cycles: CYCLES,
    plans: [{ id: "pro", product: "prod_pro" }],
  };
  /** The problems that every command would report; empty if there are none. */
  async function problems(settings: object, environment: Record<string, string> = { STRIPE_KEY: KEY }) {
    const directory = await settingsDirectory({ plans: settings, releases: { from: "file", path: "releases.json" } });
    try {
      const { settings, file } = configure({ flags: {}, environment, directory });
      openSources(settings, { directory, environment, file });
      return "";
    } catch (error) {
      if (!(error instanceof SettingsProblems)) throw error;
      return error.problems.join("\n");
    }
  }

  test("as vendors write them pass the check", async () => {
    const key = "$STRIPE_RESTRICTED_KEY";
    const directory = await directoryWith({
      from: "stripe",
      key,
      currency: "USD",
      cycles: CYCLES,
      plans: [
        { id: "free", prices: { monthly: 0, annual: 0 }, creditsMonthly: 100 },
        { id: "pro", product: "prod_Abc", popular: true, creditsMonthly: 2000 },
        { id: "team", lookup: { monthly: "team_monthly", annual: "team_annual" } },
      ],
    });
    const { code, stdout } = await vitrine(["check", "--all"], {
      directory,
      environment: { STRIPE_RESTRICTED_KEY: KEY },
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/plans\.api +https:\/\/api\.stripe\.com +default/)]);
  });

  test("that contain a key are refused with the reason, and the key is not shown", async () => {
    for (const key of [KEY, `Bearer ${KEY}`, "sk_live_xyzzy", "Bearer $STRIPE_KEY"]) {
      const shown = await problems({ ...given, key });
      expect(shown).toMatch(/plans\.key +use "\$NAME" .*; secrets do not belong in this file/);
      expect(shown).not.toMatch(/xyzzy|_live_/);
    }
  });

  test("with a missing, test mode or publishable key are refused", async () => {
    for (const [environment, reason] of [
      [{}, "STRIPE_KEY is not set"],
      [{ STRIPE_KEY: "rk_test_xyzzy" }, "STRIPE_KEY has a test mode key; use a live key"],
      [{ STRIPE_KEY: "sk_test_xyzzy" }, "STRIPE_KEY has a test mode key; use a live key"],
      [{ STRIPE_KEY: "pk_live_xyzzy" }, "STRIPE_KEY has a publishable key, which cannot read prices"],
    ] as const) {
      const shown = await problems(given, environment);
      expect(shown).toContain(reason);
      expect(shown).not.toContain("xyzzy");
    }
  });

  const [month, year] = CYCLES;
  const lookup = { monthly: "m", annual: "y" };
  test.for<[what: string, settings: object, reason: RegExp]>([
    ["no list of plans", { plans: undefined }, /plans\.plans must be of type array/],
    ["an empty list of plans", { plans: [] }, /plans\.plans /],
    ["a plan without prices", { plans: [{ id: "pro" }] }, /plans\.plans\.0\.product must be of type string/],
    [
      "two sources of prices",
      { plans: [{ id: "a", product: "p", lookup }] },
      /plans\.plans\.0\.(lookup|product) unknown/,
    ],
    ["an empty lookup", { plans: [{ id: "a", lookup: {} }] }, /plans\.plans\.0\.lookup must name at least one/],
    ["a repeated id", { plans: [...given.plans, ...given.plans] }, /plans\.plans must not repeat an id/],
    ["a repeated cycle", { cycles: [month, month] }, /plans\.cycles must not repeat a key/],
    [
      "an unknown cycle",
      { plans: [{ id: "a", lookup: { ...lookup, x: "x" } }] },
      /plans\.0\.lookup has a key that is not among/,
    ],
    [
      "no yearly price",
      { cycles: [month] },
      /plans\.0\.annualPrice must be given: there is no single cycle of 12 months/,
    ],
    [
      "no monthly price",
      { plans: [{ id: "a", prices: { annual: 1 } }] },
      /plans\.0\.monthlyPrice must be given, or the price for "\w+", the cycle of 1 month/,
    ],
    ["a negative price", { plans: [{ id: "a", prices: { monthly: -1, annual: 1 } }] }, /prices\.monthly /],
    [
      "cycles of the same length",
      { cycles: [month, year, { ...year, key: "y2" }] },
      /plans\.0\.product cannot distinguish two/,
    ],
    ["a currency name", { currency: "dollars" }, /plans\.currency must be three letters/],
    ["an http URL", { api: "http://api.stripe.example" }, /plans\.api must be an https URL/],
  ])("with %s are refused", async ([, settings, reason]) => {
    expect((await problems({ ...given, ...settings })).replace(/ +/g, " ")).toMatch(reason);
  });
});
