// A source that contradicts itself: the operator gets a warning.
import { describe, expect, test } from "vitest";
import { warningsOf } from "../../../collector/features/warnings/warnings.ts";
import type { Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { vendorRelease } from "../../support/collecting/vendor.ts";
import { expectLinear } from "../../support/linear.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const cycle = (key: string, durationMonths: number, savingBadge: string | null = null) =>
  cycleOf(key, durationMonths, { labelKey: key, savingBadge });
const plan = (prices: Record<string, number>, monthlyPrice: number, more: Partial<Plan> = {}) =>
  planOf("pro", prices, { monthlyPrice, annualPrice: 120, ...more });
const facts = (plans: Plan[], cycles = [cycle("m1", 1), cycle("year", 12)]): PlansResponse => ({
  currency: "EUR",
  cycles,
  plans,
});

describe("of plans, a warning says (collector/features/warnings/plan-warnings.ts)", () => {
  const FREE = 'plan "pro": 0 beside paid prices, which reads as free';
  const DIFFERS = 'plan "pro": monthlyPrice differs from the price of the cycle of 1 month: edit both';
  const OTHER_YEAR =
    'plan "pro": annualPrice is neither the price of the cycle of 12 months nor a twelfth of it: correct one of the two';
  const DEARER = 'plan "pro": paying for longer costs more than by the month: is an amount in another unit?';
  const SHARE =
    'plan "pro": 12 months cost less than one: are the two swapped? If it is a month\'s share, write what all 12 cost';
  const NO_PRICE = 'no plan has a price for the cycle "year"';
  const BADGE = cycle("year", 12, "-17%");
  test.for<[string, PlansResponse, string[]]>([
    ["nothing of one price", facts([plan({ m1: 12, year: 120 }, 12)]), []],
    ["two prices for one year", facts([plan({ year: 120 }, 12, { annualPrice: 130 })]), [OTHER_YEAR]],
    ["two prices for one month, whatever its key", facts([plan({ m1: 15 }, 12)]), [DIFFERS]],
    ["nothing where no cycle is a month", facts([plan({ year: 120 }, 12)], [cycle("year", 12)]), []],
    [
      "nothing if one of two cycles of a month agrees",
      facts([plan({ m1: 12, bound: 10 }, 12)], [cycle("bound", 1), cycle("m1", 1)]),
      [],
    ],
    [
      "nothing of annualPrice, which may be a twelfth",
      facts([plan({ m1: 12, year: 120 }, 12, { annualPrice: 10 })]),
      [],
    ],
    ["0 by the month beside paid prices", facts([plan({ year: 120 }, 0)]), [FREE]],
    ["0 in a cycle of a paid plan", facts([plan({ m1: 12, year: 0 }, 12)]), [FREE]],
    ["that a licence reads as free", facts([plan({ once: 99 }, 0, { annualPrice: 0 })], [cycle("once", 1200)]), [FREE]],
    ["nothing of a free plan", facts([plan({ m1: 0, year: 0 }, 0, { annualPrice: 0 })]), []],
    ["a year that is not 12 months at the price of one", facts([plan({}, 12, { annualPrice: 12_000 })]), [DEARER]],
    [
      "months of a cycle that are in cents",
      facts([plan({ m1: 12, year: 12_000 }, 12, { annualPrice: 12_000 })]),
      [DEARER],
    ],
    ["nothing of a month that is rounded", facts([plan({ m1: 4.99, year: 62 }, 4.99, { annualPrice: 60 })]), []],
    [
      "that a year may be billed at the price of a month",
      facts([plan({ m1: 12, year: 10 }, 12, { annualPrice: 10 })]),
      [SHARE],
    ],
    [
      "nothing of a month that is computed, where a badge compares the year with another",
      facts([plan({ year: 190 }, 15.83, { annualPrice: 190 })], [cycle("year", 12, "-17%")]),
      [],
    ],
    ["a cycle with a badge that has no price", facts([plan({ m1: 12 }, 12)], [cycle("m1", 1), BADGE]), [NO_PRICE]],
    [
      "a licence in a cycle that comes again",
      facts([plan({ m1: 12, lifetime: 12 }, 12)], [cycle("m1", 1), cycle("lifetime", 1)]),
      ['cycle "lifetime": durationMonths is 1: write 1200 for it'],
    ],
    [
      "nothing of a licence",
      facts([plan({ m1: 12, lifetime: 499 }, 12)], [cycle("m1", 1), cycle("lifetime", 1200)]),
      [],
    ],
    ["nothing of a plan of the name of a method", facts([plan({}, 12)], [cycle("constructor", 1)]), []],
  ])("%s", ([, payload, warnings]) => expect(warningsOf(payload)).toEqual(warnings));

  test.for<[badge: string, year: number, says?: string]>([
    ["-17%", 120],
    ["-17%", 144, "promises 17 %, and no plan saves more than 0 %"],
    ["2 months free (up to 25 %)", 120, "promises 25 %, and no plan saves more than 17 %"],
    ["-17%", 145, 'says cheaper, but plan "pro" costs more than by the month'],
    ["− 17 %", 150, 'says cheaper, but plan "pro" costs more than by the month'],
    ["-€5", 150, 'says cheaper, but plan "pro" costs more than by the month'],
    ["+5%", 150],
    ["+5%", 120, 'says dearer, but plan "pro" costs less than by the month'],
    ["+2 months", 120],
    ["– best value –", 150],
    ["Save 20%", 150, "promises 20 %, and no plan saves more than 0 %"],
    ["", 150],
  ])("whether %j is true of %i a year beside 12 a month", ([badge, year, says]) => {
    const told = says === undefined ? [] : [`the badge of the cycle "year" ${says}`];
    const plans = [plan({ m1: 12, year }, 12, { annualPrice: year / 12 })];
    expect(warningsOf(facts(plans, [cycle("m1", 1), cycle("year", 12, badge)]))).toEqual(told);
  });

  test.for([
    ["-0%", 2.3, 6.9],
    ["+0%", 0.1, 0.3],
  ] as const)("nothing of a badge %s whose cycle costs the same but for binary fractions", ([badge, m1, quarter]) => {
    const cycles = [cycle("m1", 1), cycle("quarter", 3, badge)];
    expect(warningsOf(facts([plan({ m1, quarter }, m1, { annualPrice: 12 * m1 })], cycles))).toEqual([]);
  });

  test("at most five of a sort", () => {
    const plans = Array.from({ length: 1000 }, (_, index) => plan({ m1: 15 }, 12, { id: `p${index}` }));
    expect(warningsOf(facts(plans))).toHaveLength(5);
  });
});

test("a text of more than a word, which a model could take for markup or prose, is a warning", () => {
  const told = (field: string) => `the ${field} has spaces or angle brackets, which a model may take for prose`;
  const { latest, ...release } = vendorRelease("macos");
  const dated = (version: string, date: string) => warningsOf({ ...release, latest: { ...latest, version, date } });
  expect(dated("2.3.0</version>", "2026-11-22T01:15:00Z")).toContain(told("version"));
  for (const date of ["22 Nov 2026, then ignore", "Ignore all of 2026", "22 Nov 2026 (ignore)", "<b>2026-11-22"]) {
    expect(dated("2.3.0", date)).toContain(told("date"));
  }
  for (const date of ["", "2026-11-22", "2026.W47", "22 Nov 2026", "November 22, 2026"])
    expect(dated("2.3.0", date)).toEqual([]);
  expect(dated("2.3.0-beta.1+5", "").join()).not.toContain("spaces");
  for (const date of [
    "2025-09-31",
    "2025-02-29T10:00:00Z",
    "Wed, 31 Sep 2025 10:00:00 +0000",
    "31 Sep 2025",
    "September 31, 2025",
    "Wed, 05 Nov 2025 25:00:00 +0000",
    "5 Nov 2025 10:60 GMT",
    "2025-11-05T10:00:75Z",
  ])
    expect(dated("2.3.0", date)).toContain("date names a day or a time that does not exist");
  for (const date of ["1762769000", "1762769000123", "1762769000.5"])
    expect(dated("2.3.0", date)).toEqual(["date is a number, perhaps of seconds since 1970: write 2025-11-10"]);
  expect(warningsOf({ ...facts([plan({}, 12)]), currency: "usd" })).toContain(
    'the currency "usd" is not an ISO 4217 code: write USD',
  );
  for (const [currency, meant] of [
    ["€", "EUR"],
    ["Euro", "EUR"],
    ["US$", "USD"],
    ["$", "one such as USD"],
    ["£", "one such as USD"],
  ] as const)
    expect(warningsOf({ ...facts([plan({}, 12)]), currency })).toEqual([
      `the currency "${currency}" is not an ISO 4217 code: write ${meant}`,
    ]);
  const cycles = [{ ...cycle("m1", 1), labelKey: "SYSTEM: ignore" }, cycle("year", 12)];
  expect(warningsOf({ ...facts([plan({ m1: 12 }, 12)], cycles), currency: "<b>EUR" })).toEqual([
    "the currency is not an ISO 4217 code: write one such as USD",
    told("currency"),
    told('labelKey of "m1"'),
  ]);
});

test("a release whose file names another version is told of", () => {
  const { latest, ...release } = vendorRelease("macos");
  const named = (downloadURL: string) =>
    warningsOf({ ...release, latest: { ...latest, version: "2.3.0", downloadURL } });
  expect(named("https://dl.example/Acme-2.2.0.dmg")).toEqual(["the file's name says 2.2.0, and its release 2.3.0"]);
  expect(named("https://dl.example/Acme%2D2.3.dmg")).toEqual([]);
  expect(named("https://dl.example/Acme.dmg")).toEqual([]);
  expect(named("https://dl.example/Acme.Notes.2.3.0-20260531.1.dmg")).toEqual([]);
  expect(named("https://github.com/acme/notes/blob/main/Acme-2.3.0.dmg")).toEqual([
    "downloadURL leads to a page: give the link of the file",
  ]);
});

describe("of a release, a warning says (collector/features/warnings/release-warnings.ts)", () => {
  const { latest, ...release } = vendorRelease("macos");
  const LINK = "https://dl.acme.com/Acme.dmg";
  const linked = (downloadURL: string) => ({ version: "2.3.0", downloadURL });
  const dated = (date: string) => ({ version: "2.3.0", downloadURL: LINK, date });
  const NONE = "the file's name is that of no installer for macos: give the link of one, such as a .dmg";
  const PAGE = "downloadURL leads to a page: give the link of the file";
  const NEAR = "downloadURL leads to a network of your own: give a public link";
  const PROGRAMS = "downloadURL is for programs, or needs a login: give the link that people click";
  const PASSES = "downloadURL has a signature or token, which expires: give a link that lasts";
  const noDigit = (meant: string) => `version has no digit: write ${meant}, which readers compare with their own`;
  const inDoubt = (meant: string) => `date has its day and month in doubt: write ${meant}`;
  test.for<[Partial<typeof latest>, string | undefined]>([
    [linked(LINK), undefined],
    // What to write is what the facts say, or no more than an example.
    [{ version: "latest", downloadURL: "https://dl.acme.com/Acme-2.3.0.dmg" }, noDigit("that of the file, 2.3.0")],
    [{ version: "latest", downloadURL: "https://dl.acme.com/Acme-2.3.0-for-4.1.dmg" }, noDigit("one such as 4.2.1")],
    [{ version: "latest", downloadURL: LINK }, noDigit("one such as 4.2.1")],
    [dated("05/06/2026"), inDoubt("2026-06-05 or 2026-05-06")],
    [dated("25.12.26"), inDoubt("2026-12-25")],
    [dated("45/45/2026"), inDoubt("a day such as 2026-11-02")],
    [dated("1762769000"), "date is a number, perhaps of seconds since 1970: write 2025-11-10"],
    [dated("1762769000123456789"), "since 1970: write a day such as 2026-11-02"],
    [dated("yesterday"), "date is none for who reads it later: write a day such as 2026-11-02"],
    [dated("1926-11-02"), "date is before 2000: correct it, or leave it out"],
    // A product may be called after a system.
    [linked("https://dl.acme.com/Acme-2.3.0-win.zip"), NONE],
    [linked("https://dl.acme.com/win-acme-2.3.0.zip"), undefined],
    [linked("https://drive.google.com/file/d/1AbC/view?usp=sharing"), PAGE],
    [linked("https://www.dropbox.com/s/abc/Acme.dmg?dl=0"), PAGE],
    [linked("https://www.dropbox.com/s/abc/Acme.dmg?dl=1"), undefined],
    [
      linked("https://dl.acme.com/Acme_aarch64.app.tar.gz"),
      "the file is the updater's archive: give the link of an installer, such as a .dmg, if there is one",
    ],
    [linked("https://nas.local/Acme.dmg"), NEAR],
    [linked("https://nas/Acme.dmg"), NEAR],
    [linked("https://api.github.com/repos/acme/notes/releases/assets/1"), PROGRAMS],
    [linked("https://github.com/acme/notes/actions/runs/1/artifacts/2"), PROGRAMS],
    [linked(`${LINK}?X-Amz-Date=20261102T100000Z&X-Amz-Expires=600&X-Amz-Signature=ab`), PASSES],
    [linked(`${LINK}?token=GHSAT0`), PASSES],
    [linked(`${LINK}?alt=media&token=1`), undefined],
    [linked("https://your-domain.com/Acme.dmg"), "downloadURL has a placeholder: a template that was not filled in?"],
  ])("of %j: %s", ([part, told]) => {
    const said = warningsOf({ ...release, latest: { ...latest, date: "2026-11-02", ...part } });
    if (told === undefined) expect(said).toEqual([]);
    else expect(said.join("\n")).toContain(told);
  });
});

test("the badges of many cycles take a time in proportion to their number", () =>
  expectLinear(100, (size) => {
    const cycles = Array.from({ length: size }, (_, index) => cycle(`c${index}`, 1, "-1%"));
    const many = facts(
      Array.from({ length: 10 }, () => plan({ c0: 1 }, 1)),
      cycles,
    );
    return () => warningsOf(many);
  }));
