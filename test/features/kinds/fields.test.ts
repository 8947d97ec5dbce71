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
      'nothing at /mandatory for "forceUpdate": there is /version, /installer_url, /notes, /published_at, /size, /internal',
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

describe("plans (collector/features/kinds/own-shape/mapped-plans.ts)", () => {
  const pro = { slug: "pro", featured: true, credits: 500, price: { month: 12.5, year: "120.00" }, cost: "xyzzy" };
  const free = { slug: "free", credits: null, price: { month: 0, year: 0 } };
  const priced = (monthly: number, yearly: number) => ({
    monthlyPrice: monthly,
    annualPrice: yearly,
    prices: { monthly, yearly },
  });
  const NO_YEAR = 'no plan has a price for the cycle "yearly"';
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

  test("may have minor units that their currency has not, with a warning", async () => {
    const inYen = async (minorUnits: number) => {
      const { payload, warnings } = await read(costs(12_000), {
        minorUnits,
        currency: "JPY",
        ...month,
      });
      return [payload, warnings];
    };
    const says = '"minorUnits" is 2, and JPY has 0: right only if the vendor stores all amounts so';
    expect(await inYen(2)).toMatchObject([{ plans: [{ monthlyPrice: 120 }] }, [says, NO_YEAR]]);
    expect(await inYen(0)).toMatchObject([{ plans: [{ monthlyPrice: 12_000 }] }, [NO_YEAR]]);
  });

  test("in major units where minor ones are expected get a warning", async () => {
    const inCents = async (amount: number) => (await read(costs(amount), { minorUnits: 2, ...month })).warnings;
    const says = '"minorUnits" is 2, and all plans cost less than 2 EUR: is 12 in the document 12 EUR?';
    expect(await inCents(12)).toEqual([says, NO_YEAR]);
    expect(await inCents(99)).toEqual([NO_YEAR]);
  });

  test("that are named with other capitals get a warning", async () => {
    const { warnings } = await read(
      { products: [pro, free] },
      { id: { at: "/slug", is: { Pro: "pro", free: "free" } } },
    );
    expect(warnings).toContain('"id" names pro with other capitals, so it is left out');
  });

  test("may be the document itself, may lack a price that others have, and may be none", async () => {
    const weekly = { ...pro, price: { ...pro.price, week: 4 } };
    const prices = { yearly: "/price/week" };
    const { payload } = await read([free, weekly], { plans: "", prices });
    expect(payload).toMatchObject({ plans: [{ prices: {} }, { prices: { yearly: 4 } }] });
    expect((await read({ products: [] })).payload).toMatchObject({ plans: [] });
  });

  test("of which none has a field get a warning, and an error for a price", async () => {
    const { warnings } = await read({ products: [free, pro] }, { popular: "/popular" });
    expect(warnings).toEqual(['nothing at /popular for "popular": there is /slug, /credits, /price']);
    const unpopular = await read({ products: [free, pro] }, { popular: { "/badge": "Best" } });
    expect(unpopular.warnings).toEqual(['no plan is popular: none has a value that "popular" names']);
    await expect(read({ products: [pro] }, { prices: { yearly: "/price/week" } })).rejects.toThrow(
      'no plan has a price for "yearly" (/price/week)',
    );
  });

  const month = { annualPrice: "12 months", prices: undefined };
  const costs = (month: unknown) => ({ products: [{ ...pro, price: { month, year: 1 } }] });
  test.for<[what: string, document: unknown, reason: string, fields?: object]>([
    ["no list", { products: { 0: pro } }, 'plans: is an object, not a list: "id": "key" takes its keys as ids'],
    ["nothing at the pointer", {}, "plans: there is no list at /products"],
    ["a list at another place", { data: { plans: [pro] } }, '/products: there is one at "/data/plans"'],
    ["an object around the list", { products: [pro], more: {} }, 'the top: there is one at "/products"', { plans: "" }],
    [
      "an entry for the list",
      { products: [pro] },
      'list at /products/0: there is one at "/products"',
      { plans: "/products/0" },
    ],
    [
      "keys of a list",
      { products: [pro] },
      'plans: is a list, without keys: write a pointer, as in "id": "/',
      { id: "key" },
    ],
    [
      "a pointer with a / behind it",
      { products: [pro] },
      '"/price/month/" finds nothing: pointers begin at each entry: write "/price/month"',
      { monthlyPrice: "/price/month/" },
    ],
    ["too many", { products: Array.from({ length: 1_001 }, () => pro) }, "plans: must have at most 1000 entries"],
    ["a plan that is no object", { products: ["xyzzy"] }, 'id: a plan has none: { "slug": "/name" } makes one'],
    [
      "no annual price",
      { products: [{ ...pro, price: { month: 1 } }, free] },
      'plan "pro": annualPrice is not stated: "annualPrice": ["/price/year","12 months"] says that',
    ],
    [
      "a pointer from the top of the document",
      { products: [pro] },
      'plan "pro": monthlyPrice is not stated: "/products/0/price/month" finds nothing: pointers begin at each entry: write "/price/month"',
      { monthlyPrice: "/products/0/price/month" },
    ],
    [
      "a pointer to nothing, beside which no computation is advised",
      { products: [{ ...pro, price: { month: 1 } }] },
      'plan "pro": annualPrice is not stated: "/price/year" finds nothing: pointers begin at each entry',
    ],
    [
      "pointers to nothing, for which no plan is left out",
      { products: [{ ...pro, price: {} }] },
      'plan "pro": price is not stated: "/price/month" finds nothing: pointers begin at each entry',
    ],
    [
      "a price in words",
      costs("xyzzy"),
      'plan "pro": monthlyPrice is not stated: "monthlyPrice": ["/price/month","1/12 year"] computes',
    ],
    [
      "no price at all",
      { products: [{ ...pro, price: "xyzzy" }, free] },
      '"withoutPrice": "leave out" leaves out such plans',
    ],
    ["a decimal comma", costs("12,50"), "monthlyPrice must be an amount such as 12.50"],
    ["another sign of a currency", costs("$12.50"), 'monthlyPrice is in $, and "currency" is EUR: correct one of them'],
    ["another code of a currency", costs("12.50 USD"), 'monthlyPrice is in USD, and "currency" is EUR'],
    [
      "an object for a price",
      costs({ value: 12, unit: "EUR" }),
      "monthlyPrice is an object: add /value to its pointer",
    ],
    ["a price for another length", costs("12 €/year"), "monthlyPrice must be an amount"],
    ["a price that says more", costs("from 12"), "monthlyPrice must be an amount"],
    ["thousands with a dot", costs("1.299 €"), "monthlyPrice has more decimals than its currency"],
    ["less than nothing", costs(-3), "monthlyPrice must be at least 0"],
    [
      "a pointer to what a list is, not has",
      costs([12]),
      "monthlyPrice is not stated",
      { monthlyPrice: "/price/month/length" },
    ],
    ["a list for a price", costs([12]), "monthlyPrice must be an amount"],
    ["an id with spaces", { products: [{ ...pro, slug: "xyzzy pro" }] }, '{ "slug": … } makes one from it'],
    [
      "one id twice",
      {
        products: [
          { ...pro, title: "Pro" },
          { ...pro, title: "Pro, by the year" },
        ],
      },
      'plan "pro" is there twice: "id": { "at": "/title", "is": { … } } tells two apart',
    ],
    ["an object of amounts", { products: { pro: 12 } }, "plans: no member of the object is one", { id: "key" }],
    ["no currency", { products: [pro] }, "currency: there is none at /currency", { currency: "/currency" }],
    [
      "two currencies",
      {
        products: [
          { ...pro, currency: "usd" },
          { ...free, currency: "EUR" },
        ],
      },
      'currency: the plans have USD, EUR: "where": { "/currency": … } publishes those of one',
      { currency: "/currency" },
    ],
    [
      "a currency for some only",
      { products: [{ ...pro, currency: "USD" }, free] },
      'currency: the plans have USD, none: "currency": "USD" states it for all',
      { currency: "/currency" },
    ],
    [
      "a fraction in minor units",
      { products: [{ ...pro, price: { month: 19.99, year: 199 } }] },
      'has a fraction, and "minorUnits" is for whole ones: state what is charged, or leave "minorUnits" out for major',
      { minorUnits: 2 },
    ],
    [
      "a fraction in minor units as text",
      { products: [{ ...pro, price: { month: "19.00", year: "199" } }] },
      'leave "minorUnits" out',
      { minorUnits: 2 },
    ],
    [
      "cents of a currency without",
      { products: [{ ...pro, price: { month: 1250, year: 12500 } }] },
      'monthlyPrice has more decimals than JPY: write "minorUnits": 0',
      { minorUnits: 2, currency: "JPY" },
    ],
    [
      "a fraction of a yen",
      costs(12.5),
      'more decimals than JPY: state it as it is charged, or write its "currency"',
      { currency: "JPY" },
    ],
    [
      "a year for less than a month",
      { products: [{ ...pro, price: { month: 12, year: 10 } }] },
      '"annualPrice": "12 months of /price/year" reads one that is stated by the month',
    ],
    [
      "a year for less than half a month",
      { products: [{ ...pro, price: { month: 90, year: 9 } }] },
      "annualPrice is less than the monthly price: correct the two pointers",
    ],
    [
      "neither a month nor a year",
      { products: [{ ...pro, price: { once: 199 } }, free] },
      'monthlyPrice is not stated: "where" leaves out such a plan',
      { monthlyPrice: ["/price/month", "1/12 year"], annualPrice: "/price/year", prices: { monthly: "/price/once" } },
    ],
    [
      "no plan that is wanted",
      { products: [pro, free] },
      'none of 2 entries is a plan to publish (pro: its /slug is not as "where" says: it is "pro")',
      { where: { "/slug": "team" } },
    ],
    [
      "no plan but for the case of a value",
      { products: [pro, free] },
      '(pro: its /slug is not as "where" says: write "pro")',
      { where: { "/slug": "Pro" } },
    ],
    [
      "a year that is read as one of its months",
      { products: [{ ...pro, price: { month: 12, year: 120 } }] },
      'annualPrice is more than 24 months: "annualPrice": "/price/year" reads one that is stated by the year',
      { monthlyPrice: "/price/month", annualPrice: "12 months of /price/year", prices: { monthly: "/price/month" } },
    ],
    [
      "another value than required",
      { products: [pro] },
      'the value at /ok is not the one in "require"',
      { require: { "/ok": true } },
    ],
    ...["has_more", "next", "next_offset"].map((mark): [string, unknown, string] => [
      `more at another address (${mark})`,
      { products: [pro], [mark]: mark === "has_more" ? true : "https://billing.acme.com/products?page=2" },
      `more plans follow at another address (/${mark}): ask for all at once`,
    ]),
  ])("with %s are refused", async ([, document, reason, fields]) => {
    const failure = read(document, fields);
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toThrow(
      'or let a program of yours print the plans: { "from": "command", "command": ["node", "plans.mjs"] }',
    );
    await expect(failure).rejects.not.toThrow("xyzzy");
  });

  test.for<[mark: string, value: unknown]>([
    ["/data/has_more", true],
    ["/meta/pagination/has_more", true],
    ["/data/pageInfo/hasNextPage", true],
    ["/links/next/href", "xyzzy"],
    ["/data/nextPageToken", "xyzzy"],
    ["/next_url", "xyzzy"],
    ["/@odata.nextLink", "xyzzy"],
    ["/list_metadata/after", "xyzzy"],
    ["/paging/next/after", "xyzzy"],
    ["/pagination/max_page", 3],
    ["/meta/pages", 3],
    ["/meta/pagination/pages", "3"],
    ["/total_count", 2],
    ["/links/1/rel", "next"],
    ["/offset", "xyzzy"],
    ["/cursor", "xyzzy"],
    ["/more", true],
    ["/isTruncated", true],
  ])("are not the first part of a list that goes on (%s)", async ([mark, value]) => {
    const [, ...steps] = mark.split("/");
    const within = (inner: unknown, step: string) => (step === "1" ? [{ rel: "self" }, inner] : { [step]: inner });
    const marked = steps.reduceRight<unknown>(within, value) as { data?: object };
    const document = { ...marked, data: { ...marked.data, products: [pro] } };
    await expect(read(document, { plans: "/data/products" })).rejects.toThrow(`at another address (${mark})`);
    const alone = { plans: "/data/products", require: { [mark]: value } };
    expect((await read(document, alone)).payload).toMatchObject({ plans: [{ id: "pro" }] });
  });

  test("are not a part of a total, and are all of them by no mark that says less", async () => {
    await expect(read({ products: [pro], meta: { total: 120, limit: 1 } })).rejects.toThrow("address (/meta/total)");
    const page = {
      page: 1,
      pages: 1,
      total: 1,
      count: 1,
      offset: 0,
      cursor: "",
      limit: 1,
      next_url: null,
      last_page: true,
    };
    const others = {
      next_update: "2026-11-02",
      pageInfo: { hasNextPage: false, endCursor: "xyzzy" },
      info: { total: 9 },
      // Paddle names a next page behind the last one, too.
      meta: { pagination: { next: "https://billing.acme.com/products?after=xyzzy", has_more: false } },
      links: [null, { rel: "self", href: "https://billing.acme.com/products" }],
    };
    expect((await read({ products: [pro], ...page, ...others })).payload).toMatchObject({ plans: [{ id: "pro" }] });
    const words = {
      page: "pricing",
      size: "11-50",
      total: 29,
      pages: 12,
      after: "2026-01-01",
      count: 120,
      more: "/plans",
    };
    expect((await read({ products: [pro], ...words })).payload).toMatchObject({ plans: [{ id: "pro" }] });
  });

  test("are not the first page of an answer that names the next one in its header", async () => {
    const link = '<https://billing.acme.com/products?page=2>; rel="next", </products>; rel="self"';
    const page = (rel: string) =>
      readSource(PLANS, json({ products: [pro] }, { link: link.replace("next", rel) }), { name: "plans" });
    await expect(page("next")).rejects.toThrow('more plans follow at another address (by its header "Link")');
    expect((await page("first")).payload).toMatchObject({ plans: [{ id: "pro" }] });
  });

  test("that say another currency than the settings are told with a warning", async () => {
    const { warnings } = await read({ products: [{ ...pro, currency_code: "usd" }] });
    expect(warnings).toEqual([
      'a plan says usd at /currency_code, and "currency" is EUR: is it the price in that one?',
    ]);
    expect((await read({ products: [{ ...pro, currency: "eur", currencyId: 7 }] })).warnings).toEqual([]);
  });

  test("are asked for by a value that none has only with a warning", async () => {
    const { warnings } = await read({ products: [pro] }, { where: { "/is_archived": [false, null] } });
    expect(warnings).toEqual([expect.stringContaining('nothing at /is_archived for "where": there is /slug, ')]);
  });

  test.for<[text: string, currency: string]>([
    ["$12.50", "USD"],
    ["US$12.50", "usd"],
    ["12.50 USD", "USD"],
    ["12.50 €", "EUR"],
    ["12.50/month", "EUR"],
  ])("cost 12.50 by the text %s in %s", async ([text, currency]) => {
    const { payload } = await read({ products: [{ ...pro, price: { month: text, year: 120 } }] }, { currency });
    expect(payload).toMatchObject({ currency: currency.toUpperCase(), plans: [{ monthlyPrice: 12.5 }] });
  });

  test("of which none states a year cost twelve times the month", async () => {
    const { payload, names, warnings } = await read({ products: [{ ...pro, price: { month: 9.99 } }] }, month);
    expect(names).toEqual({ pro: { computed: "year" } });
    expect(payload).toMatchObject({ plans: [{ monthlyPrice: 9.99, annualPrice: 119.88, prices: { monthly: 9.99 } }] });
    expect(warnings).toEqual([NO_YEAR]);
  });

  test("of which each states a month or a year get the other computed", async () => {
    const some = {
      products: [
        { slug: "a", price: { month: 10 } },
        { slug: "b", price: { year: 100 } },
      ],
    };
    const fields = {
      monthlyPrice: ["/price/month", "1/12 year"],
      annualPrice: ["/price/year", "12 months"],
      prices: undefined,
    };
    const { payload, names } = await read(some, { ...fields, popular: undefined, creditsMonthly: undefined });
    expect(payload).toMatchObject({ plans: [{ annualPrice: 120 }, { monthlyPrice: 8.33 }] });
    expect(names).toEqual({ a: { computed: "year" }, b: { computed: "month" } });
  });

  test("of which some state a year cost twelve times the month where they do not", async () => {
    const some = { products: [pro, { ...pro, slug: "solo", price: { month: 5 } }] };
    const { payload } = await read(some, { annualPrice: ["/price/year", "12 months"], prices: undefined });
    expect(payload).toMatchObject({
      plans: [
        { annualPrice: 120, prices: { monthly: 12.5, yearly: 120 } },
        { annualPrice: 60, prices: { monthly: 5 } },
      ],
    });
  });

  test("that state only a year cost a twelfth of it by the month, in the currency's decimals", async () => {
    const fields = { monthlyPrice: "1/12 year", prices: undefined };
    const { payload, names } = await read({ products: [{ ...pro, price: { year: 100 } }] }, fields);
    expect(names).toEqual({ pro: { computed: "month" } });
    expect(payload).toMatchObject({ plans: [{ monthlyPrice: 8.33, annualPrice: 100, prices: { yearly: 100 } }] });
  });

  test("that state their year by the month cost twelve times that", async () => {
    const byTheMonth = { products: [{ ...pro, price: { month: 8, year: "5" } }] };
    const annualPrice = "12 months of /price/year";
    const { payload } = await read(byTheMonth, { annualPrice, prices: undefined });
    expect(payload).toMatchObject({ plans: [{ monthlyPrice: 8, annualPrice: 60, prices: { monthly: 8 } }] });
    expect((await read(byTheMonth, { annualPrice })).payload).toMatchObject({ plans: [priced(8, 60)] });
  });

  test("without a price are left out if that is meant, and every run says so", async () => {
    const contact = { ...pro, slug: "enterprise", price: { month: "Contact us", year: null } };
    const by = (slug: string, amount: unknown) => ({ ...pro, slug, price: { month: amount, year: amount } });
    const document = { products: [pro, contact, by("custom", ""), by("large", -1), by("huge", false)] };
    const { payload, reminders } = await read(document, { withoutPrice: "leave out" });
    expect(payload).toMatchObject({ plans: [{ id: "pro" }] });
    expect(reminders).toEqual(["left out, because no price is stated: enterprise, custom, large, huge"]);
    const half = { products: [pro, { ...contact, price: { month: "$9", year: null } }] };
    await expect(read(half, { withoutPrice: "leave out" })).rejects.toThrow('plan "enterprise": annualPrice is not');
  });

  test("may be popular by any text but a few, or by the values that are named", async () => {
    const badges = ["Best", "", "false", "0", "no", null, 0, 1];
    const products = badges.map((badge, index) => ({ ...pro, slug: `p${index}`, badge }));
    const popular = async (setting: unknown) => {
      const { payload } = await read({ products }, { popular: setting });
      return "plans" in payload ? payload.plans.map(({ popular }) => popular) : [];
    };
    expect(await popular("/badge")).toEqual([true, false, false, false, false, false, false, true]);
    expect(await popular({ "/badge": ["Best", null] })).toEqual([true, false, false, false, false, true, false, false]);
  });

  test("grant no credits that are no count, which is told", async () => {
    const counts = ["unlimited", -1, 2.5, 500, "300"].map((credits, index) => ({ ...pro, slug: `p${index}`, credits }));
    const { payload, warnings } = await read({ products: counts });
    expect(payload).toMatchObject({
      plans: [null, null, null, 500, 300].map((creditsMonthly) => ({ creditsMonthly })),
    });
    expect(warnings).toContain("creditsMonthly is no count, and is left out: p0, p1, p2");
  });

  test("cost the same by the month and by the year only with a warning", async () => {
    const { warnings } = await read({ products: [free, { ...pro, price: { month: 12, year: 12 } }] });
    expect(warnings).toEqual(["annualPrice equals monthlyPrice: pro"]);
  });

  const rows = (more: object[] = []) => ({
    products: [
      { slug: "pro", every: "month", cost: 10, currency: "EUR" },
      { slug: "pro", every: "year", cost: 100, currency: "EUR" },
      ...more,
    ],
  });
  const byRow = {
    cycle: { monthly: { "/every": "month" }, yearly: { "/every": "year" } },
    amount: "/cost",
    monthlyPrice: undefined,
    annualPrice: undefined,
    prices: undefined,
  };

  test("may have a row for each cycle, of which no two are the same", async () => {
    const { payload, skipped } = await read(rows([{ slug: "pro", every: "week", cost: 3 }]), byRow);
    expect(payload).toMatchObject({ plans: [{ id: "pro", ...priced(10, 100) }] });
    expect(skipped).toEqual(["a price of pro: fits no cycle: /every is week"]);
    await expect(read(rows([{ slug: "pro", every: "year", cost: 120 }]), byRow)).rejects.toThrow(
      'plan "pro" has two prices for "yearly": "where" or a further value in "cycle" chooses one',
    );
  });

  test("with a row for several months have no price for one by it", async () => {
    const quarterly = rows([{ slug: "pro", every: "month", every_count: 3, cost: 27 }]);
    await expect(read(quarterly, byRow)).rejects.toThrow(
      'plan "pro" has a price for "monthly" with another /every_count than 1: "/every_count": 1 in "cycle" leaves it out',
    );
    const counted = rows().products.map((row) => ({ ...row, every_count: "1" }));
    expect((await read({ products: counted }, byRow)).payload).toMatchObject({ plans: [priced(10, 100)] });
  });

  test("with a price that fits no cycle are never left out as without one", async () => {
    const odd = rows([{ slug: "team", every: "quarter", cost: 30 }, { slug: "on-request" }]);
    const fields = { ...byRow, withoutPrice: "leave out" };
    await expect(read(odd, fields)).rejects.toThrow('plan "team": price fits no cycle (/every is quarter)');
    expect((await read(rows([{ slug: "on-request" }]), fields)).reminders).toEqual([
      "left out, because no price is stated: on-request",
    ]);
  });

  test.for<[every: unknown[], refusal: string]>([
    [
      ["MONTH", "year"],
      '(/every is MONTH): "cycle": { "monthly": { "/every": "MONTH" } } names its values; or monthlyPrice is',
    ],
    [
      ["month", "Year"],
      '(/every is Year): "cycle": { "yearly": { "/every": "Year" } } names its values; or annualPrice is',
    ],
    [
      ["MONTH", null],
      '(/every is MONTH, /every is no value): "cycle": { "monthly": { "/every": "MONTH" } } names its values; or let',
    ],
    [
      ["30", { x: "xyzzy" }],
      '(/every is 30, /every is no value): "cycle": { "monthly": { "/every": … } } names its values; or let',
    ],
  ])("with %j in the place of a month and a year are told what the cycles do not name", async ([every, refusal]) => {
    const products = every.map((one, index) => ({ slug: "pro", every: one, cost: [10, 100][index] }));
    await expect(read({ products }, byRow)).rejects.toThrow(`plan "pro": price fits no cycle ${refusal}`);
  });

  test("state the year's price by the month in rows of their own, too", async () => {
    const lists = { monthly: [{ slug: "pro", price: 10 }], yearly: [{ slug: "pro", price: "€8/mo" }] };
    const fields = { ...byRow, plans: { monthly: "/monthly", yearly: "/yearly" }, cycle: undefined, amount: "/price" };
    const numbers = { ...lists, yearly: [{ slug: "pro", price: 8 }] };
    const remedy = "12 months of /price";
    await expect(read(numbers, fields)).rejects.toThrow(`"annualPrice": "${remedy}" reads one`);
    for (const document of [lists, numbers]) {
      const { payload } = await read(document, { ...fields, annualPrice: remedy });
      expect(payload).toMatchObject({ plans: [priced(10, 96)] });
    }
  });

  test("have the currency of the rows that are taken, not of others beside them", async () => {
    const prices = [
      { every: "month", currency: "usd", cost: 11 },
      { every: "month", currency: "eur", cost: 10 },
      { every: "year", currency: "eur", cost: 100 },
    ];
    const cycle = {
      monthly: { "/every": "month", "/currency": "eur" },
      yearly: { "/every": "year", "/currency": "eur" },
    };
    const fields = { ...byRow, rows: "/prices", cycle, currency: "/currency" };
    const { payload } = await read({ products: [{ slug: "pro", prices }] }, fields);
    expect(payload).toMatchObject({ currency: "EUR", plans: [{ id: "pro", ...priced(10, 100) }] });
  });
});

test.for<[fields: object, mistake: string]>([
  [{ annualPrice: "/price/month" }, 'is at the place of "monthlyPrice": write "annualPrice": "12 months"'],
  [{ annualPrice: undefined }, 'needs "annualPrice", a pointer or "12 months"'],
  [{ monthlyPrice: "1/12 year", annualPrice: "12 months" }, "computed from each other"],
  [
    {
      prices: undefined,
      cycles: ["a", "b"].map((key) => ({ key, durationMonths: 1, labelKey: key, savingBadge: null })),
    },
    'needs "prices", with a pointer for each cycle: "a" is not the only one',
  ],
  [{ cycle: { monthly: { "/every": "month" } } }, '"cycle" needs "amount"'],
  [{ amount: "/cost" }, '"amount" needs either "cycle" or a list for each cycle'],
  [{ amount: "/cost", cycle: { weekly: { "/every": "week" } }, prices: undefined }, '"weekly" is not among the cycles'],
])("a contradiction in the settings is refused: %j", ([fields, mistake]) => {
  const { from, url, fields: of } = changed(PLANS, fields);
  const open = () =>
    openSource(SourceSettings.parse({ from, url, fields: of }), { names: ["plans"], directory: "", environment: {} });
  expect(open).toThrow(mistake);
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
    ["versions that are finished", ["2.0.0-beta.1", "1.9.0", "2.0.0rc2"], 1],
    ["versions of which none is finished", ["2.0.0-beta.1", "2.0.0-beta.10", "2.0.0-alpha.11"], 1],
    ["build numbers as text", ["999", "1000", "20"], 1],
  ])("by %s", async ([, values, index]) => {
    expect(await newest(values)).toBe(`1.${index}`);
    expect(await newest(values.toReversed())).toBe(`1.${values.length - 1 - index}`);
  });

  test("among the entries that have the values of require", async () => {
    const values = ["2026-01-01", "2026-03-01", "2026-02-01", "no day"];
    expect(await newest(values, { require: { "/kind": "app" } })).toBe("1.2");
    const none = newest(values, { require: { "/kind": "beta" } });
    await expect(none).rejects.toThrow('no entry of the list "/items" is as "require" says (/kind: it is "app")');
    const spelt = newest(values, { require: { "/kind": "App" } });
    await expect(spelt).rejects.toThrow('is as "require" says (/kind: write "app")');
  });

  test("that is finished, where a date says which is newest", async () => {
    const items = [
      { name: "2.0.0-beta.1", at: "2026-11-02" },
      { name: "1.9.0", at: "2026-11-01" },
    ];
    expect((await candidate(LIST, { items })).latest).toMatchObject({ version: "1.9.0" });
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
    ["a time that does not exist", ["2026-11-02", "2026-11-03 10:60"], `/items/1/at ${ODD}`],
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
