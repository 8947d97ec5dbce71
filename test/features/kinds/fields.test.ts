// Facts that the setting `fields` finds in JSON documents of other shapes.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { find } from "../../../collector/run/ask.ts";
import { openSource, SourceSettings } from "../../../collector/sources/sources.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { Settings } from "../../../cli/settings/schema.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { payloadOf, readSource } from "../../support/collecting/read-source.ts";
import { json } from "../../support/collecting/upstream.ts";

interface Example {
  from: "json";
  url: string;
  pick?: string;
  fields: Record<string, unknown>;
}

const FLAT: Example = {
  from: "json",
  url: "https://acme.com/updates/latest.json",
  fields: {
    version: "/version",
    downloadURL: "/installer_url",
    changelog: "/notes",
    date: "/published_at",
    size: "/size",
    forceUpdate: "/mandatory",
  },
};
const PLANS: Example = {
  from: "json",
  url: "https://billing.acme.com/products",
  fields: {
    plans: "/products",
    currency: "EUR",
    cycles: [
      { key: "monthly", durationMonths: 1, labelKey: "cycle.monthly", savingBadge: null },
      { key: "yearly", durationMonths: 12, labelKey: "cycle.yearly", savingBadge: "-17%" },
    ],
    id: "/slug",
    popular: "/featured",
    creditsMonthly: "/credits",
    monthlyPrice: "/price/month",
    annualPrice: "/price/year",
    prices: { monthly: "/price/month", yearly: "/price/year" },
  },
};

/** The candidate for a snapshot from this document, served at the path of the example. */
function candidate({ url, ...example }: Example, document: unknown, name: SnapshotName = "release-macos") {
  const { pathname, search } = new URL(url);
  return readSource(example, json(document), { name, path: pathname + search });
}

const changed = (example: Example, fields: object): Example => ({
  ...example,
  fields: { ...example.fields, ...fields },
});

const flat = (more: object = {}) => ({
  version: "v2.4.1",
  installer_url: "files/Notes-2.4.1.dmg",
  notes: "- Fixed A.\r\n",
  published_at: "Mon, 02 Nov 2026 10:01:02 GMT",
  size: 81_000_000,
  mandatory: true,
  internal: "xyzzy",
  ...more,
});

describe("a document of another shape (collector/features/kinds/own-shape/fields.ts)", () => {
  test("a flat document gives every field, in normal form, and nothing else", async () => {
    const { payload, origin, picked, dropped, warnings } = await candidate(FLAT, flat());
    const more = { changelog: "- Fixed A.\n", size: "81000000", date: "2026-11-02T10:01:02Z" };
    const release = payloadOf("macos", "2.4.1", `${origin}/updates/files/Notes-2.4.1.dmg`, more);
    expect(payload).toEqual({ ...release, forceUpdate: true });
    expect({ picked, dropped, warnings }).toEqual({ picked: "Notes-2.4.1.dmg of v2.4.1", dropped: 0, warnings: [] });
  });

  test("optional fields may be missing or null, which the dry run points out", async () => {
    const { mandatory: _, ...rest } = flat({ notes: null, size: null, published_at: null });
    const { payload, warnings } = await candidate(FLAT, rest);
    expect(payload).toMatchObject({ forceUpdate: false, latest: { changelog: "", size: "", date: "" } });
    expect(warnings).toEqual([
      'nothing at /notes for "changelog"',
      'nothing at /published_at for "date"',
      'nothing at /size for "size"',
      'nothing at /mandatory for "forceUpdate"',
    ]);
  });

  test.for<[field: string, fields: object]>([
    ["version", { version: undefined }],
    ["version", { version: 2.1 }],
    ["downloadURL", { installer_url: undefined }],
    ["downloadURL", { installer_url: { xyzzy: 1 } }],
    ["changelog", { notes: ["xyzzy"] }],
    ["date", { published_at: 1_762_000_000 }],
    ["size", { size: {} }],
    ["forceUpdate", { mandatory: "true" }],
    ["forceUpdate", { mandatory: null }],
  ])("a wrong %s is an error that names it: %j", async ([field, fields]) => {
    const failure = candidate(FLAT, flat(fields));
    await expect(failure).rejects.toThrow(`not the release that "fields" describes: ${field}: `);
    await expect(failure).rejects.not.toThrow("xyzzy");
  });

  test.for<[what: string, fields: object, reason: RegExp]>([
    ["a template that was not filled in", { version: "%VER%" }, /a version without a digit/],
    ["an installer of the other platform", { installer_url: "N.exe" }, /^N\.exe is no installer for macos$/],
  ])("%s is refused", async ([, fields, reason]) => {
    await expect(candidate(FLAT, flat(fields))).rejects.toThrow(reason);
  });

  test("the release may lie deeper, and have a link that is always the same", async () => {
    const downloadURL = "https://get.keygen.sh/acme/latest/Notes.dmg";
    const picked = { ...changed(FLAT, { downloadURL }), pick: "/data/0" };
    const { payload } = await candidate(picked, { data: [flat({ installer_url: undefined })] });
    expect(payload).toMatchObject({ latest: { version: "2.4.1", downloadURL } });
    await expect(candidate(picked, { data: [] })).rejects.toThrow('JSON Pointer of "pick"');
  });

  test.for([
    ["/status", "PUBLISHED", "YANKED"],
    ["/disabled", false, true],
    ["/kind", "mac-software", undefined],
  ])('a document is read while the value at %s is the one in "require"', async ([pointer, required, other]) => {
    const example = changed(FLAT, { require: { [String(pointer)]: required } });
    const key = String(pointer).slice(1);
    expect((await candidate(example, flat({ [key]: required }))).payload).toMatchObject({
      latest: { version: "2.4.1" },
    });
    await expect(candidate(example, flat({ [key]: other }))).rejects.toThrow(
      `the value at ${pointer} is not the one in "require"`,
    );
  });
});

describe("plans", () => {
  const pro = { slug: "pro", featured: true, credits: 500, price: { month: 12.5, year: "120.00" }, cost: "xyzzy" };
  const free = { slug: "free", credits: null, price: { month: 0, year: 0 } };
  const priced = (monthly: number, yearly: number) => ({
    monthlyPrice: monthly,
    annualPrice: yearly,
    prices: { monthly, yearly },
  });
  const read = (document: unknown, fields: object = {}) => candidate(changed(PLANS, fields), document, "plans");

  test("are read from a list, with a pointer for each cycle", async () => {
    const { payload, warnings } = await read({ products: [free, pro] });
    expect(payload).toEqual({
      currency: "EUR",
      cycles: PLANS.fields.cycles,
      plans: [
        { id: "free", popular: false, creditsMonthly: null, ...priced(0, 0) },
        { id: "pro", popular: true, creditsMonthly: 500, ...priced(12.5, 120) },
      ],
    });
    expect(warnings).toEqual([]);
  });

  test("may have numbers for ids, a currency at a pointer and prices in minor units", async () => {
    const items = [{ ...pro, slug: 7, price: { month: 1999, year: "19900" } }];
    const document = { data: { currency: "USD" }, items };
    const { payload } = await read(document, { plans: "/items", currency: "/data/currency", minorUnits: 2 });
    expect(payload).toMatchObject({ currency: "USD", plans: [{ id: "7", monthlyPrice: 19.99, annualPrice: 199 }] });
  });

  test("may be the document itself, may lack a price that others have, and may be none", async () => {
    const weekly = { ...pro, price: { ...pro.price, week: 4 } };
    const prices = { weekly: "/price/week" };
    const { payload } = await read([free, weekly], { plans: "", prices });
    expect(payload).toMatchObject({ plans: [{ prices: {} }, { prices: { weekly: 4 } }] });
    expect((await read({ products: [] })).payload).toMatchObject({ plans: [] });
  });

  test("of which none has a field get a warning, and an error for a price", async () => {
    const { warnings } = await read({ products: [free, pro] }, { popular: "/popular" });
    expect(warnings).toEqual(['nothing at /popular for "popular"']);
    await expect(read({ products: [pro] }, { prices: { weekly: "/price/week" } })).rejects.toThrow(
      'no plan has a price for "weekly" (/price/week)',
    );
  });

  const costs = (month: unknown) => ({ products: [{ ...pro, price: { month, year: 1 } }] });
  test.for<[what: string, document: unknown, reason: string, fields?: object]>([
    ["no list", { products: { 0: pro } }, "plans: must be of type array"],
    ["too many", { products: Array.from({ length: 1_001 }, () => pro) }, "plans: must have at most 1000 entries"],
    ["a plan that is no object", { products: ["xyzzy"] }, "plans[0].id: must be text"],
    ["no annual price", { products: [{ ...pro, price: { month: 1 } }] }, "plans[0].annualPrice: must be an amount"],
    ["a price in words", costs("xyzzy"), "plans[0].monthlyPrice: must be an"],
    ["a decimal comma", costs("12,50"), "monthlyPrice: must be an amount"],
    ["an id with spaces", { products: [{ ...pro, slug: "xyzzy pro" }] }, "plans[0].id: "],
    ["no currency", { products: [pro] }, "currency: ", { currency: "/currency" }],
  ])("with %s are refused", async ([, document, reason, fields]) => {
    const failure = read(document, fields);
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.not.toThrow("xyzzy");
  });
});

test("a file is read by fields, too", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "latest.json"), JSON.stringify(flat({ installer_url: "https://dl.acme.com/N.dmg" })));
  const settings = SourceSettings.parse({ from: "file", path: "latest.json", fields: FLAT.fields });
  const source = openSource(settings, { names: ["release-macos"], directory, environment: {} });
  const answer = await source.fetch({ signal: new AbortController().signal, validators: undefined });
  if (answer === "unchanged") throw new Error(answer);
  expect(find(source, "release-macos", answer).fact.payload).toMatchObject({
    latest: { version: "2.4.1", downloadURL: "https://dl.acme.com/N.dmg" },
  });
});

test("fields for the wrong snapshot, or for both platforms, are refused", () => {
  const open = (example: Example, names: SnapshotName[]) => () =>
    openSource(SourceSettings.parse(example), { names, directory: "", environment: {} });
  expect(open(FLAT, ["plans"])).toThrow('"fields" describes a release, not plans');
  expect(open(PLANS, ["release-macos"])).toThrow('"fields" describes plans, not a release');
  expect(open(FLAT, ["release-macos", "release-windows"])).toThrow('use { "macos": …, "windows": … }');
});

test.for<[fields: object, place: string]>([
  [{ version: "version" }, "version"],
  [{ downloadURL: "http://acme.com/N.dmg" }, "downloadURL"],
  [{ notes: "/notes" }, ""],
  [{ version: undefined }, "version"],
])("a mistake in the settings is reported: %j", ([fields, place]) => {
  const plans = { from: "file", path: "plans.json" };
  const releases = { macos: changed(FLAT, fields), windows: "none" };
  const issues = JSON.stringify(Settings.safeParse({ plans, releases }).error?.issues);
  expect(issues).toContain("fields");
  expect(issues).toContain(place);
});

describe("of a list, the newest entry is read (collector/features/kinds/own-shape/newest-entry.ts)", () => {
  const LIST: Example = {
    from: "json",
    url: "https://acme.com/updates/all.json",
    fields: { list: "/items", newest: "/at", version: "/name", downloadURL: "https://dl.example.com/Notes.dmg" },
  };
  const listed = (values: readonly unknown[]) => ({
    items: values.map((at, index) => ({ name: `1.${index}`, at, kind: index % 2 === 0 ? "app" : "tool" })),
  });
  const newest = async (values: readonly unknown[], more: object = {}) =>
    (await candidate(changed(LIST, more), listed(values))).latest?.version;

  test.for<[by: string, values: unknown[], index: number]>([
    ["days", ["2026-01-02", "2026-11-02", "2025-12-31"], 1],
    ["times in several zones", ["2026-11-02T23:00:00Z", "2026-11-03T00:30:00+02:00", "2026-11-02T22:30:00Z"], 0],
    ["dates as RSS has them", ["Mon, 02 Nov 2026 10:01:02 GMT", "Sun, 01 Nov 2026 10:01:02 GMT"], 0],
    ["days and times", ["2026-11-02", "2 Nov 2026 10:00:00 +0000", "2026-11-01"], 1],
    ["seconds since 1970", [1_762_769_000, 1_762_770_000, 900_000_000], 1],
    ["versions, by their numbers", ["2.9.1", "v2.10.0", "2.10.0-beta.1"], 1],
    ["build numbers as text", ["999", "1000", "20"], 1],
  ])("by %s", async ([, values, index]) => {
    expect(await newest(values)).toBe(`1.${index}`);
    expect(await newest(values.toReversed())).toBe(`1.${values.length - 1 - index}`);
  });

  test("among the entries that have the values of require", async () => {
    const values = ["2026-01-01", "2026-03-01", "2026-02-01", "no day"];
    expect(await newest(values, { require: { "/kind": "app" } })).toBe("1.2");
    const none = newest(values, { require: { "/kind": "beta" } });
    await expect(none).rejects.toThrow('no entry of the list "/items" is as "require" says');
  });

  test("of the whole document, by the entries themselves", async () => {
    const whole = changed(LIST, { list: "", newest: "", version: "" });
    expect((await candidate(whole, ["1.2", "1.10", "1.9"])).latest).toMatchObject({ version: "1.10" });
  });

  const ODD = "cannot be compared: all need a date, all a number or all a version there";
  test.for<[what: string, values: unknown[], reason: string]>([
    ["two of one day", ["2026-11-02", "2026-01-01", "2026-11-02"], "/items/0 and /items/2 are equally new by /at"],
    ["two spellings of one version", ["1.0", "v1.0.0"], "/items/0 and /items/1 are equally new by /at"],
    ["one without a date", ["2026-11-02", undefined], `/items/1/at ${ODD}`],
    ["a day that does not exist", ["2026-11-02", "2026-09-31"], `/items/1/at ${ODD}`],
    ["days and months in doubt", ["05.11.2026", "06.10.2026"], `/items/0/at ${ODD}`],
    ["words", ["2026-11-02", "yesterday"], `/items/1/at ${ODD}`],
    ["a date beside a version", ["2026-11-02", "1.2"], `/items/1/at ${ODD}`],
    ["a number beside a text", [5, "6"], `/items/1/at ${ODD}`],
    ["one odd entry alone", [null], `/items/0/at ${ODD}`],
    ["no entry", [], 'the list "/items" is empty'],
  ])("is refused: %s", async ([, values, reason]) => {
    await expect(newest(values)).rejects.toThrow(reason);
  });

  test("a list needs what is newest in it, and a document with a list", async () => {
    for (const left of ["list", "newest"])
      await expect(async () => newest(["2026-11-02"], { [left]: undefined })).rejects.toThrow(
        /"list" and "newest" belong/,
      );
    await expect(candidate(LIST, { items: { a: 1 } })).rejects.toThrow(
      'not the list that "fields" describes: list: must be of type array, not object',
    );
  });
});
