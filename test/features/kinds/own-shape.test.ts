// Documents in Vitrine's own shape: the listed fields are published if all are valid, otherwise nothing is.
import { describe, expect, test } from "vitest";
import type { Platform } from "../../../snapshots/schema.ts";
import { problemsOf } from "../../../collector/parsing/jsonc.ts";
import { collectAnswers, outcomeOf, plansWith, releaseWith } from "../../support/collecting/collect-answers.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "../../support/collecting/vendor.ts";

describe("no release is published (collector/features/kinds/own-shape/own-shape.ts)", () => {
  test("when the upstream says so", async () => {
    const { macos, windows } = await collectAnswers({
      releases: { macos: { hasUpdate: false }, windows: { hasUpdate: false, note: "x", latest: null } },
    });
    expect(macos).toMatchObject({ result: "changed", payload: { hasUpdate: false }, notes: [] });
    expect(windows).toMatchObject({ payload: { hasUpdate: false }, notes: ["2 unlisted fields dropped"] });
  });

  const NOT_SAID = [
    {},
    { hasUpdate: null },
    { hasUpdate: 0 },
    { hasUpdate: "false" },
    { hasUpdate: [false] },
    null,
    false,
    [],
  ];
  test.for(NOT_SAID)("never because of %j", async (answer) => {
    const { macos, windows, all } = await collectAnswers({ releases: { ...vendorReleases(), windows: answer } });
    expect([macos.result, windows.result]).toEqual(["changed", "failed"]);
    expect(all).not.toContain('hasUpdate":false');
  });

  test("never because the answer lacks the platform, and the reason has a remedy", async () => {
    const { windows } = await collectAnswers({ releases: { macos: vendorRelease("macos") } });
    expect(windows).toMatchObject({
      result: "failed",
      reason:
        'the answer has no "windows": it needs a release there, as for each platform, or {"hasUpdate": false} if nothing is published',
    });
  });

  test("never if the answer describes a release", async () => {
    const { macos } = await collectAnswers({
      releases: { ...vendorReleases(), macos: { ...vendorRelease("macos"), hasUpdate: false } },
    });
    expect(macos).toMatchObject({ result: "failed", reason: '"hasUpdate" is false, yet "latest" describes a release' });
  });
});

test("a source for one platform reads its part of a document for both", async () => {
  expect(await outcomeOf(vendorReleases())).toEqual({ payload: vendorRelease("macos") });
  const alone = { version: "1.0", downloadURL: "https://dl.example.com/N.dmg", macMinimum: "12", mac: true };
  expect(await outcomeOf(alone)).toMatchObject({ payload: { latest: { version: "1.0" } } });
  expect(await outcomeOf({ mac: alone })).toEqual({ reason: 'it has "mac": call it "macos"' });
  expect(await outcomeOf({ macos: null })).toEqual({ reason: expect.stringContaining("must be") });
});

test.for(["windows", "linux", "macOS", "", undefined, 1])(
  "the macOS release of platform %j is refused",
  async (platform) => {
    expect(await releaseWith({ platform })).toMatchObject({
      reason: expect.stringContaining("latest.platform: "),
    });
  },
);

test.for(["forceUpdate", "latest"])("a release without %s is refused", async (field) => {
  const { reason } = await outcomeOf({ ...vendorRelease("macos"), [field]: undefined });
  expect(reason).toContain(`${field}: `);
});

test("unlisted fields are dropped and counted at every level", async () => {
  const secret = { xyzzy: [{ xyzzy: "xyzzy" }], constructor: "xyzzy" };
  const { cycles, plans, currency } = vendorPlans();
  const { macos } = vendorReleases();
  const outcomes = await collectAnswers({
    plans: {
      ...secret,
      currency,
      cycles: cycles.map((cycle) => ({ xyzzy: 1, ...cycle })),
      plans: plans.map((plan) => ({ ...secret, ...plan, xyzzy1: null })),
    },
    releases: {
      ...secret,
      macos: { ...secret, ...macos, latest: { ...secret, ...macos.latest } },
      windows: { hasUpdate: false, ...secret },
    },
  });
  expect(outcomes.plans).toMatchObject({ payload: vendorPlans(), notes: ["10 unlisted fields dropped"] });
  expect(outcomes.macos).toMatchObject({ payload: macos, notes: ["4 unlisted fields dropped"] });
  expect(outcomes.windows).toMatchObject({ payload: { hasUpdate: false }, notes: ["2 unlisted fields dropped"] });
  expect(outcomes.all).not.toContain("xyzzy");
});

test("__proto__ at any level is refused, and nothing of it is published", async () => {
  const behind = '"__proto__":{"xyzzy":"xyzzy","hasUpdate":false,"popular":true,"currency":"XXX"},';
  const planted = (value: unknown) => JSON.stringify(value).replaceAll("{", `{${behind}`).replaceAll(",}", "}");
  const outcomes = await collectAnswers({ plans: planted(vendorPlans()), releases: planted(vendorReleases()) });
  const refused = { result: "failed", reason: 'line 1: the key "__proto__" is not allowed' };
  expect(outcomes).toMatchObject({ plans: refused, macos: refused, windows: refused });
  expect(outcomes.all).not.toMatch(/xyzzy|XXX/);
});

describe("plans", () => {
  const [first] = vendorPlans().plans;
  const [cycle] = vendorPlans().cycles;
  const manyPlans = (count: number, prices = 0) =>
    Array.from({ length: count }, (_, index) => ({
      ...first,
      id: `plan-${index}`,
      prices: Object.fromEntries(Array.from({ length: prices }, (_, key) => [`${key}`.padEnd(64, "x"), 1])),
    }));
  test.for<[what: string, plans: object, place: string]>([
    [
      "two plans with the same id",
      { ...vendorPlans(), plans: [first, first] },
      'plans: must not repeat the id "hobby"',
    ],
    [
      "two cycles with the same key",
      { ...vendorPlans(), cycles: [cycle, cycle] },
      'cycles: must not repeat the key "monthly"',
    ],
    [
      "a cycle of no months",
      { ...vendorPlans(), cycles: [{ ...cycle, durationMonths: 0 }] },
      "cycles[0].durationMonths: ",
    ],
    [
      "no word about credits",
      plansWith({ creditsMonthly: undefined }),
      "creditsMonthly: must be given: null if there is none",
    ],
    ["half a credit", plansWith({ creditsMonthly: 1.5 }), "plans[1].creditsMonthly: "],
    ["no currency", { ...vendorPlans(), currency: "" }, "currency: "],
    ["plans that are not a list", { ...vendorPlans(), plans: { 0: first } }, "plans: "],
    [
      "more than a thousand plans",
      { ...vendorPlans(), plans: manyPlans(1_001) },
      "plans: must have at most 1000 entries",
    ],
    ["more than 1 MiB of facts", { ...vendorPlans(), plans: manyPlans(1_000, 15) }, "its facts must be at most 1 MiB"],
    ["a list instead of an object", [vendorPlans()], "it is a list alone: put it into {"],
  ])("with %s are refused, naming the place", async ([, answer, place]) => {
    expect(await outcomeOf(answer, "plans")).toMatchObject({ reason: expect.stringContaining(place) });
  });

  test("that are empty are published", async () => {
    const none = { currency: "EUR", cycles: [], plans: [] };
    expect(await outcomeOf(none, "plans")).toEqual({ payload: none });
  });

  test("with many mistakes are refused in one line with their number", async () => {
    const plans = Array.from({ length: 50 }, () => ({ popular: true }));
    const { reason } = await outcomeOf({ ...vendorPlans(), plans }, "plans");
    expect(reason).toMatch(/; and \d+ more$/);
  });
});

describe("pick", () => {
  const answer = {
    "": { "": vendorPlans() },
    "a/b": { "~": [0, vendorPlans()] },
    "~1": vendorPlans(),
    data: vendorPlans(),
    " ": vendorPlans(),
    list: [vendorPlans()],
    none: null,
  };
  test.for(["/data", "/a~1b/~0/1", "//", "/~01", "/ ", "/list/0"])("%j finds the plans", async (pick) => {
    expect((await collectAnswers({ plans: answer }, pick)).plans).toMatchObject({
      result: "changed",
      payload: vendorPlans(),
    });
  });

  const DEAD_ENDS = ["/", "/DATA", "/data/", "/list/1", "/list/00", "/list/-", "/none/a", "/data/currency/0"];
  const OF_OBJECTS = ["/toString", "/__proto__", "/list/length"];
  test.for([...DEAD_ENDS, ...OF_OBJECTS])("%j leads nowhere", async (pick) => {
    const { plans } = await collectAnswers({ plans: answer }, pick);
    expect(plans.result).toBe("failed");
  });

  test("a missing part is reported", async () => {
    const { plans, macos } = await collectAnswers({ plans: answer }, "/nowhere");
    const reason = 'the answer has nothing at the JSON Pointer of "pick" (/nowhere): there is /';
    expect(plans).toMatchObject({ reason: expect.stringContaining(reason) });
    expect(macos).toMatchObject({ reason: `${reason}macos, /windows` });
  });

  test.for([
    ["/list[0]", "/list/0"],
    ["/data/", "/data"],
  ])("%j is reported with what it means", async ([pick, meant]) => {
    const { plans } = await collectAnswers({ plans: answer }, pick);
    expect(plans).toMatchObject({ reason: expect.stringContaining(`(${pick}): write "${meant}"`) });
  });

  test("the default is the whole document; one pick serves both platforms", async () => {
    const releases = { data: vendorReleases() };
    const { macos, windows } = await collectAnswers({ releases, plans: answer }, "/data");
    const payloads = (["macos", "windows"] satisfies Platform[]).map((platform) => ({
      payload: vendorRelease(platform),
    }));
    expect([macos, windows]).toMatchObject(payloads);
  });
});

describe("a key that occurs once in its object", () => {
  test.for(['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '{"a":"\\"a\\":1,","b":"{\\"b\\":"}', "[]", '"a"'])(
    "is no mistake: %s",
    (text) => {
      JSON.parse(text);
      expect(problemsOf(text)).toEqual([]);
    },
  );
});
