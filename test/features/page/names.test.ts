// What the vendor says beside the facts: what plans are called and where to buy them, the product's site, the brand's colour.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { renderPage, visibleText } from "../../support/serving/page.ts";
import { startServer } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const BUY = "https://acme.com/buy/pro?a=1&b=2";
const names = { "plan-0": { title: "Pro & <more>", line: "For teams of five", buy: BUY } };

describe("names of plans (server/features/page/sections/plans.ts)", () => {
  test("stand on the page, in Markdown and in the linked data, with the link to buy", () => {
    const { html, markdown } = renderPage({ names });
    expect(visibleText(html)).toContain("Pro & <more> For teams of five €1 a month Buy Pro & <more>");
    expect(html).toContain('href="https://acme.com/buy/pro?a=1&#38;b=2"');
    expect(html).not.toMatch(/>plan-0|[^_]plan-0,/);
    expect(markdown).toContain("| Pro & \\<more\\>: For teams of five | €1 | <https://acme.com/buy/pro?a=1&b=2> |");
    expect(html).toContain(`"name":"Pro & \\u003cmore>, monthly","url":"${BUY}"`);
  });

  test("without them, a plan is its id, and nothing is for sale, nor by a link that is not https", () => {
    expect(visibleText(renderPage().html)).toMatch(/plan-0 €1 a month What is new/);
    const { html } = renderPage({ names: { "plan-0": { title: "Pro", buy: "javascript:alert(1)" } } });
    expect(html).not.toContain("javascript:alert");
  });

  test("a free plan is got, not bought", () => {
    const free = plansSnapshot().payload;
    const [plan] = "plans" in free ? free.plans : [];
    const plans = { ...free, plans: [{ ...plan, prices: { monthly: 0 }, monthlyPrice: 0, annualPrice: 0 }] };
    expect(visibleText(renderPage({ names, payloads: { plans } }).html)).toContain("Get Pro");
  });
});

describe("a price that the vendor does not state", () => {
  const plan = { id: "plan-0", popular: false, creditsMonthly: null };
  const year = { key: "yearly", durationMonths: 12, labelKey: "year", savingBadge: "-17%" };
  const month = { key: "monthly", durationMonths: 1, labelKey: "month", savingBadge: null };
  const rendered = (
    computed: "year" | "month" | undefined,
    {
      cycles = [] as object[],
      annualPrice = 348,
      ...fields
    }: { cycles?: object[]; annualPrice?: number; prices?: {} } = {},
  ) => {
    const plans = [{ ...plan, prices: {}, monthlyPrice: 29, annualPrice, ...fields }];
    const { html, markdown } = renderPage({
      names: { "plan-0": { title: "Pro", computed } },
      payloads: { plans: { currency: "USD", cycles, plans } },
    });
    return { text: visibleText(html), markdown };
  };

  test("by the year is said to be 12 months at the monthly price, by the month to be billed yearly", () => {
    const byYear = rendered("year");
    expect(byYear.text).toContain("Pro $29 a month $348 12 months at the monthly price");
    expect(byYear.markdown).toContain("| Pro | $29 | $348 (12 months at the monthly price) |");
    const byMonth = rendered("month");
    expect(byMonth.text).toContain("Pro $29 a month, billed yearly $348 a year");
    expect(byMonth.markdown).toContain("| Pro | $29 (a month, billed yearly) | $348 |");
  });

  test("is neither said of a price that is stated, nor of one that is free", () => {
    expect(rendered(undefined).text).toContain("Pro $29 a month $348 a year");
    const free = rendered("year", { cycles: [month, year], prices: { monthly: 0, yearly: 0 }, annualPrice: 0 });
    expect(free.text).not.toContain("at the monthly price");
  });

  test("has no badge of a saving in a cycle, where a stated one has it", () => {
    const prices = { monthly: 29, yearly: 348 };
    const { text, markdown } = rendered("year", { cycles: [month, year], prices });
    expect(text).toContain("$29 a month $348 12 months at the monthly price");
    expect(markdown).toContain("| Pro | $29 | $348 (12 months at the monthly price) |");
    expect(text + markdown).not.toContain("-17%");
    expect(rendered("month", { cycles: [month, year], prices }).text).not.toContain("-17%");
    const stated = rendered(undefined, { cycles: [month, year], prices });
    expect(stated.text).toContain("-17%");
    expect(stated.markdown).toContain("Yearly -17%");
    const longer = { key: "two-years", durationMonths: 24, labelKey: "24", savingBadge: "-20%" };
    expect(rendered("year", { cycles: [month, longer], prices: { "two-years": 500 } }).text).toContain("-20%");
  });
});

test("the product's own site is linked, and only the sections that are wanted are there", () => {
  const { html, markdown } = renderPage({ api: { home: "https://acme.com", page: ["status", "news"] } });
  expect(html).toContain('<a class="home" href="https://acme.com/">acme.com</a>');
  expect(markdown).toContain("Home: <https://acme.com/>");
  expect([...html.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual([
    "downloads",
    "plans",
    "news",
    "status",
  ]);
  expect(visibleText(renderPage({ api: { page: [] } }).html)).not.toContain("For AI agents");
});

test.for([
  ["#ffd400", "#000"],
  ["#1a0b5e", "#fff"],
] as const)("buttons have the brand's colour %s as it is, under text in %s", ([color, text]) => {
  expect(renderPage({ api: { color } }).html).toContain(`--brand:${color};--on-brand:${text};`);
});

describe("a long changelog", () => {
  const notes = (changelog: string) => {
    const { payload } = releaseSnapshot("macos", {}, { changelog });
    return renderPage({ payloads: { "release-macos": payload } }).html;
  };
  const items = (count: number) => Array.from({ length: count }, (_, index) => `- item ${index}`).join("\n");

  test("begins with its first lines, and says how many there are", () => {
    const html = notes(`## New\n\n${items(4)}\n\n## Fixed\n\n${items(10)}`);
    const text = visibleText(html);
    expect(text).toContain("New item 0 item 1 item 2 item 3 All changes (14) Fixed item 0");
    expect(html).toContain("<b>New</b>");
  });

  test("of notes that have lost their marks has headings above lists, and its preview ends between items", () => {
    const html = notes(`What's Changed\n${items(3)}\n- item 3\n  and more of it\n\nFixed\n${items(12)}`);
    expect(html).toContain("<b>What&#39;s Changed</b>");
    expect(html).toContain("<b>Fixed</b>");
    expect(visibleText(html)).toContain(
      "What's Changed item 0 item 1 item 2 All changes (16) item 3 and more of it Fixed item 0",
    );
  });

  test.for([
    ["**Bold** and `code`", "Bold and code"],
    ["[x](https://e.example/a_(b)) end", '<a href="https://e.example/a_(b)" rel="nofollow">x</a> end'],
    ["see https://acme.com/a?b=1.", '<a href="https://acme.com/a?b=1" rel="nofollow">https://acme.com/a?b=1</a>.'],
    ["[Guide](https://acme.com/guide) <b>", '<a href="https://acme.com/guide" rel="nofollow">Guide</a> &#60;b&#62;'],
    ["[Guide](javascript:alert(1))", "[Guide](javascript:alert(1))"],
    ["http://acme.com", "http://acme.com"],
    ["https://user:pass@acme.com/", "https://user:pass@acme.com/"],
  ] as const)("has links where it has addresses: %s", ([line, shown]) => {
    expect(notes(line)).toContain(shown);
  });
});

test("a picture for shared links is served as it is, and named on the page", async () => {
  const picture = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100_000, 7)]);
  const path = join(await temporaryDirectory(), "card.jpg");
  await writeFile(path, picture);
  const { get, base } = await startServer({ api: { picture: path } });
  expect((await get("/")).text).toContain(`<meta property="og:image" content="${base}/picture.jpg" />`);
  const reply = await fetch(`${base}/picture.jpg`);
  expect(reply.headers.get("content-type")).toBe("image/jpeg");
  expect(Buffer.from(await reply.arrayBuffer()).equals(picture)).toBe(true);
  await writeFile(path, Buffer.alloc(300_001));
  await expect(startServer({ api: { picture: path } })).rejects.toThrow("has 300001 bytes; use one of at most 300000");
  await writeFile(path, "GIF89a");
  await expect(startServer({ api: { picture: path } })).rejects.toThrow("is neither PNG nor JPEG");
});
