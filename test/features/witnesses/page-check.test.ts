// A vendor's page as a witness: what it says of prices and versions, when it contradicts the published ones, and when it cannot be
// read. The forms are those of pricing pages in the wild.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "../../../collector/features/witnesses/page.ts";
import { compareWithPage } from "../../../collector/features/witnesses/page-check.ts";
import { openCrossChecks, PageSettings } from "../../../collector/features/witnesses/witnesses.ts";
import type { Payload } from "../../../snapshots/snapshot.ts";
import { body, json, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorRelease } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { startVendor } from "../../support/program/settings.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const CYCLES = [1, 3, 12].map((months) => cycleOf(`${months}`, months));

/** Plans with these prices, by the months of their cycle; others are by what their key says. */
function plans(currency: string, ...each: Record<string, number>[]): Payload {
  const all = each.map((prices, index) => {
    const [first = 0] = Object.values(prices);
    const { "1": monthlyPrice = first, "12": annualPrice = monthlyPrice * 12 } = prices;
    return planOf(`plan${index + 1}`, prices, { monthlyPrice, annualPrice });
  });
  return { currency, cycles: CYCLES, plans: all };
}

/** What the page lacks, and what it has instead; undefined if it lacks nothing. */
function compared(published: Payload, html: string): [published: string, found: string] | undefined {
  const difference = compareWithPage(published, readPage(html));
  return difference && [difference.published, difference.found];
}

describe("amounts and versions on a page (collector/features/witnesses/page-check.ts)", () => {
  test.for<[html: string, currency: string, ...prices: number[]]>([
    ["$12", "USD", 12],
    ["US$12.00", "USD", 12],
    ["USD 12", "USD", 12],
    ["12 USD", "usd", 12],
    ["12&nbsp;€", "EUR", 12],
    ["12€pro Monat", "EUR", 12],
    ["12 Euro", "EUR", 12],
    ["12 dollars", "USD", 12],
    ["月額1,200円から", "JPY", 1200],
    ["12,00 €", "EUR", 12],
    ["2,5 €", "EUR", 2.5],
    ["14.950,00 €", "EUR", 14950],
    ["¥1,200", "JPY", 1200],
    ["￥１２００", "JPY", 1200],
    ["580円/月", "JPY", 580],
    ["CHF 1’200.-", "CHF", 1200],
    ["1200,– CHF", "CHF", 1200],
    ["1 200 kr", "SEK", 1200],
    ["1&#8239;200 kr.", "DKK", 1200],
    ["R$ 12,00", "BRL", 12],
    ["£9.99/mo", "GBP", 9.99],
    ["₹1,20,000", "INR", 120_000],
    ["Rs. 499", "INR", 499],
    ["49 zł", "PLN", 49],
    ["70lei/an", "RON", 70],
    ["149 ₽/мес", "RUB", 149],
    ["₺1.290", "TRY", 1290],
    ["1290 TL", "TRY", 1290],
    ["١٢٫٥ ريال", "SAR", 12.5],
    ["C$15", "CAD", 15],
    ["$15 CAD", "CAD", 15],
    ["$0.005 a call", "USD", 0.005],
    ["$12¹", "USD", 12],
    ["12 credits", "credits", 12],
    ["€12", "€", 12],
    ["<sup>$</sup><b>12</b><sup>99</sup>", "USD", 12.99],
    ["<span>$</span><span>12</span><span>.99</span>", "USD", 12.99],
    ["12€99", "EUR", 12.99],
    ["12€<sup>99</sup>", "EUR", 12.99],
    ["12<sup>€99</sup>", "EUR", 12.99],
    ["<span>12</span><span>€</span><span>99</span>", "EUR", 12.99],
    ["<b>12</b> <sup>99</sup> €", "EUR", 12.99],
    ["<b>12,</b><sup>99</sup> €", "EUR", 12.99],
    ["<span>$</span>\n<span>12</span>\n<sup>99</sup>", "USD", 12.99],
    ["$12 <sup>99</sup>", "USD", 12.99],
    ["$<b>12</b><i>,</i><sup>99</sup>", "USD", 12.99],
    ["<span>$12</span>\n<span>.99</span>", "USD", 12.99],
    ["$1,299<sup>99</sup>", "USD", 1299.99],
    ["$1,<wbr>299", "USD", 1299],
    ["12 € 24 €", "EUR", 12, 24],
    ["$12 $24", "USD", 12, 24],
    ["<div>€</div>\n<div> 490 </div>", "EUR", 490],
    ["$<!-- -->1<!-- -->2", "USD", 12],
    ["<b><i>9,99</i><i hidden>79</i> €</b>", "EUR", 9.99, 79],
    ["<b data-monthly='12' data-yearly='110'>$12</b>", "USD", 12, 110],
    ["<b x-text=\"yearly ? '$10' : '$12'\">$12</b>", "USD", 10, 12],
    ["<p aria-label='$12 a month'><img alt='$24'></p>", "USD", 12, 24],
    ["<p class=sr-only>$12</p><p style='display:none'>$24</p><template>$36</template>", "USD", 12, 24, 36],
    ["<s>$20</s> $12", "USD", 20, 12],
    ["<td>$5<td>12<td>19.50", "USD", 5, 12, 19.5],
    ["<td>35</td><td>45</td><p>from $3", "USD", 35, 45],
  ])("a page with %s has the prices", ([html, currency, ...prices]) => {
    const published = plans(currency, ...prices.map((price) => ({ once: price })));
    expect(compared(published, `<title>2012</title>${html}`)).toBeUndefined();
    const others = plans(currency, { once: 77 });
    expect(compared(others, html)?.[0]).toMatch(/^plan1 once 77/);
  });

  test.for<[html: string, found: string]>([
    ["$120", "120"],
    ["$1,200", "1200"],
    ["$1,299", "1.299, 1299"],
    ["$12.50", "12.5"],
    ["$112", "112"],
    ["$2012", "2012"],
    ["$12,000", "12000"],
    ["12.000 USD", "12000"],
    ["12 $15", "15"],
    ["15$ 12", "15"],
    ["$15 for <span>12</span> projects", "15"],
    ["$12k, $13", "13"],
    ["€12, $13", "13"],
    ["A$12, $13", "13"],
    ["12 users, $13", "13"],
    ["save 12% $13", "13"],
    ["v1.12.0 $13", "13"],
    ["<script>$12</script><style>$12</style><!-- $12 --> $13", "13"],
    ["<meta name=description content='From $12'>$13", "13"],
    ["<b data-delay=12>now</b> $13", "13"],
  ])("a price is no part of another number, and nothing but text: %s", ([html, found]) => {
    expect(compared(plans("USD", { "1": 12 }), html)).toEqual(["plan1 1 12", found]);
  });

  test.for<[price: number, shown: string, isThere: boolean]>([
    [96, "$8", true],
    [99, "$8.25", true],
    [99, "$8.3", true],
    [99, "$8", true],
    [100, "$8.33", true],
    [100, "$8.34", true],
    [119, "$9.9", true],
    [119, "$10", true],
    [99, "$9", false],
    [96, "$9", false],
    [96, "$7.99", false],
    [108, "$8", false],
    [100, "$8.35", false],
    [96, "$96", true],
    [96, "$960", false],
  ])("a price of %d for a year, shown as %s a month: %s", ([price, shown, isThere]) => {
    const difference = compared(plans("USD", { "1": 12, "12": price }), `$12, ${shown}/mo, billed yearly`);
    expect(difference === undefined).toBe(isThere);
    // A price by the month is never rounded.
    expect(compared(plans("USD", { "1": 12.5 }), "$12")?.[0]).toBe("plan1 1 12.5");
  });

  test("the price by the month and by the year are looked for only if they are not those of a cycle, or computed from one", () => {
    const of = (monthlyPrice: number, annualPrice: number, prices = {}): Payload => {
      const [plan] = vendorPlans().plans;
      return { currency: "USD", cycles: CYCLES, plans: [{ ...plan!, prices, monthlyPrice, annualPrice }] };
    };
    expect(compared(of(12, 144, { "1": 12 }), "$12")).toBeUndefined();
    expect(compared(of(8.33, 99.99, { "12": 99.99 }), "$99.99")).toBeUndefined();
    expect(compared(of(12, 10, { "1": 12, "12": 120 }), "$12 $120")).toBeUndefined();
    expect(compared(of(12, 120), "$12 $10")).toBeUndefined();
    expect(compared(of(12, 120), "$12 $11")).toEqual(["hobby by the year 120", "12, 11"]);
    expect(compared(of(0, 50, { "12": 50 }), "$50")).toBeUndefined();
  });

  test("of a price by the month and twelve times it, a page states one", () => {
    for (const [monthlyPrice, annualPrice] of [
      [29, 348],
      [8.33, 99.99],
    ] as const) {
      const [plan] = vendorPlans().plans;
      const published = { ...vendorPlans(), plans: [{ ...plan!, prices: {}, monthlyPrice, annualPrice }] };
      expect(compared(published, `€${monthlyPrice}`)).toBeUndefined();
      expect(compared(published, `€${annualPrice}`)).toBeUndefined();
      expect(compared(published, "€27")?.[0]).toBe(`hobby by the year ${annualPrice}`);
    }
  });

  test("0 is free, in words or numbers", () => {
    const free = plans("EUR", { "1": 0 }, { "1": 12 });
    for (const word of [
      "Free",
      "Gratis",
      "Kostenfrei",
      "umsonst",
      "Gratuit",
      "無料",
      "ฟรี",
      "miễn phí",
      "مجانًا",
      "0 €",
    ]) {
      expect(compared(free, `<p>${word}</p><p>12 €</p>`), word).toBeUndefined();
    }
    for (const word of ["Freedom", "Start free trial"]) {
      expect(compared(free, `<p>${word}</p><p>12 €</p>`), word).toEqual(["plan1 1 0", "12"]);
    }
    expect(compared(plans("EUR", { "1": 0 }), "free")).toBeUndefined();
  });

  const offers = (...each: object[]) =>
    `<script type="application/ld+json">${JSON.stringify({ "@graph": [{ offers: each }] })}</script>`;

  test("JSON-LD counts, with the currency that is around a price", () => {
    const published = plans("USD", { "1": 12 }, { "1": 1499 });
    const one = { price: "12.00", priceCurrency: "USD" };
    const other = { priceCurrency: "USD", priceSpecification: [{ lowPrice: 9, highPrice: "1,499" }] };
    expect(compared(published, offers(one, other))).toBeUndefined();
    expect(compared(published, offers(one))).toEqual(["plan2 1 1499", "12"]);
    expect(compared(published, offers(one, { price: 1499, priceCurrency: "EUR" }))).toEqual(["plan2 1 1499", "12"]);
    expect(compared(published, `${offers(one, other)}<script type="application/ld+json">{</script>`)).toBeUndefined();
    for (const [begin, end] of [
      ["//<![CDATA[\n", "\n//]]>"],
      ["<!--", "-->"],
    ] as const) {
      const wrapped = offers(one, other).replace(">{", `>${begin}{`).replace("</", `${end}</`);
      expect(compared(published, wrapped), begin).toBeUndefined();
    }
  });

  test("what it lacks is named with the nearest amounts that it has", () => {
    const published = plans("USD", { "1": 12, "12": 99 }, { "1": 30 }, { "1": 49 }, { "1": 59 });
    expect(compared(published, "<p>$999, $12, $29, $31, $5, $49, $99/year")).toEqual([
      "plan2 1 30, plan4 1 59",
      "29, 31, 12, and 4 more",
    ]);
  });
});

describe("a page cannot be read, and is not wrong,", () => {
  const reason = (published: Payload, html: string) => {
    return expect(() => compared(published, html)).toThrow(/^cannot be read: no /);
  };

  test("if it has no amount in the currency, as where a script draws it, or where it shows another one", () => {
    const published = plans("USD", { "1": 12 });
    for (const html of ["", "<div id=root></div>", "free", "12", "€11", "$0", "<b data-price=12></b>", "A$12"]) {
      reason(published, html);
    }
  });

  test("if a script may switch its cycles: it has one, and nothing like the prices of a cycle", () => {
    const published = plans("USD", { "1": 12, "12": 120 }, { "1": 24, "12": 240 });
    const monthly = "<p>$12/mo</p><p>$24/mo</p>";
    const drawn = ["", "<label>Annual billing</label>", "Trusted for 10 years", "Save $48 a year", "Free for a year"];
    for (const other of drawn) reason(published, `${monthly}${other}<script src=switch.js></script>`);
    reason(published, "<p>$10/mo</p><p>$20/mo</p><script></script>");
    reason(plans("USD", { "1": 0, "12": 0 }, { "1": 12, "12": 120 }), "<p>Free</p><p>$12</p><script></script>");
    reason(plans("USD", { "1": 12, "3": 33, "12": 120 }), "<p>$12</p><p>$120</p><script></script>");
    expect(compared(published, monthly)).toEqual(["plan1 12 120, plan2 12 240", "24, 12"]);
    const others = ["$110/year", "110 USD per year", "$110 for 12 months", "$110 p.a.", "<b>$110</b>", "$110 / Jahr"];
    for (const other of [...others, "$120"]) {
      expect(compared(published, `${monthly}${other}<script></script>`)?.[0], other).toMatch("plan2 12 240");
    }
    expect(compared(published, "<p>$13/mo</p><p>$24/mo</p><script></script>")).toEqual(["plan1 1 12", "13, 24"]);
    expect(compared(plans("USD", { "1": 0 }, { "1": 12 }), "Free, $99<script></script>")).toEqual(["plan2 1 12", "99"]);
  });

  test("if it has no version", () => {
    const published = vendorRelease("macos");
    const pages = ["", "Download", "Requires macOS 10.15", "$3.99", "24.11.2026", "Android version 8.0", "4.9/5 stars"];
    const others = [
      "Windows 10 version 1809",
      "Windows 11, version 22H2",
      "iOS version 3.1.7",
      "API v2",
      "GPL v3",
      "TLS v1.2",
    ];
    const more = [
      ".NET Framework v4.8",
      "Privacy Policy, version 3",
      "Updated 3.11.2026",
      "Linux kernel 3.15.0",
      "Section 3.1.3",
    ];
    for (const html of [...pages, ...others, ...more]) reason(published, html);
  });

  test("if it is nested too deeply, or longer than any page", () => {
    expect(() => readPage("<i>".repeat(600))).toThrow("nested too deeply");
    expect(() => readPage(" ".repeat(3 * 1024 * 1024))).toThrow("cannot be read: more than 2 MiB");
    const many = Array.from({ length: 150_000 }, (_, index) => `price${index}=1`);
    expect(readPage(`<b ${many.join(" ")}>`).text).toHaveLength(300_002);
  });
});

test.for<[version: string, html: string, found?: string]>([
  ["3.1.0", "v3.1.0"],
  ["3.1.0", "Version 3.1"],
  ["3.1.0", "Download Acme 3.1.0."],
  ["3.1.0", "Acme-3.1.0-mac.dmg"],
  ["3.1.0", "<b>Version</b> <i>3.1.0</i>"],
  ["v3.1.0", "3.1.0"],
  ["3.1.0+45", "Version 3.1.0"],
  ["3.1.0 (45)", "Version 3.1.0"],
  ["3.1.0", "Version 3.1.0 (45)"],
  ["3.1.0-beta.2", "v3.1.0-beta.2"],
  ["3", "Acme 3 is here"],
  ["Autumn", "the autumn release"],
  ["3.1.0", '<script type="application/ld+json">{"softwareVersion":"3.1.0"}</script>'],
  ["3.1.0", "v3.0.9", "3.0.9"],
  ["3.1.0", '<script type="application/ld+json">{"@type":"SoftwareApplication","version":"3.0.9"}</script>', "3.0.9"],
  ["3.1.0", "Download Acme 3.0.9 for macOS", "3.0.9"],
  ["3.1.0", "v13.1.0", "13.1.0"],
  ["3.1.0", "v3.1.01", "3.1.01"],
  ["3.1.0", "v3.1.0.1", "3.1.0.1"],
  ["3.1.0", "v3.1.0-beta.1", "3.1.0-beta.1"],
  ["3.1.0", "Acme 3.1.0-rc.1", "3.1.0-rc.1"],
  ["3.1.0", "Acme-3.1.0-64.exe"],
  ["3", "Version 4", "4"],
  ["3.1.0", "Version 2.9, 2.8, v2.7", "2.9, 2.7"],
  ["Autumn", "v3.0", "3.0"],
  ["3.1.0", '<script type="application/ld+json">{"softwareVersion":"3.0.9"}</script>', "3.0.9"],
])("of the version %s, the page with %s", ([version, html, found]) => {
  const { latest, ...release } = vendorRelease("macos");
  const published = { ...release, latest: { ...latest, version } };
  expect(compared(published, html)).toEqual(found === undefined ? undefined : [version, found]);
  expect(compared({ hasUpdate: false }, html)).toBeUndefined();
});

const HTML = { "content-type": "text/html; charset=utf-8" };
const html = (content: string): Behaviour => body(`<!doctype html><body>${content}</body>`, HTML);
const SHOWN = "<h2>Hobby</h2> Free <h2>Studio</h2> <b>12,50 €</b> or 120 € a year <a>Download 3.1.0</a>";

/** A vendor whose page /pricing is a witness of all facts. */
async function startVendorWithPage() {
  const vendor = await startVendor();
  const { upstream, directory, facts } = vendor;
  const file = join(directory, "vitrine.config.json");
  const settings = JSON.parse(await readFile(file, "utf8"));
  const page = `${upstream.url("/pricing")}?preview=s3cret`;
  const crossChecks = [{ facts: ["plans", "macos", "windows"], page, timeout: "5s" }];
  const change = (changes: object) => writeFile(file, JSON.stringify({ ...settings, crossChecks, ...changes }));
  await change({});
  upstream.set("/pricing", html(SHOWN));
  const asked = () => upstream.requests.filter(({ path }) => path.startsWith("/pricing")).length;
  /** Lets the page have been asked so many hours ago. */
  const age = async (hours: number) => {
    const report = join(facts, "last-run.json");
    const time = new Date(Date.now() - hours * 60 * 60_000).toISOString();
    await writeFile(report, (await readFile(report, "utf8")).replace(/"askedAt":"[^"]+"/g, `"askedAt":"${time}"`));
  };
  return {
    ...vendor,
    change,
    crossChecks,
    asked,
    age,
    run: (...words: string[]) => typeInProcess(words, { directory }),
  };
}

describe("a vendor whose site is edited by hand", () => {
  test.runIf(isIn("check", "check-cross", "status"))(
    "is told by check --cross at once, by the next daily look, and until the run after the correction",
    async () => {
      const { run, upstream, asked, age } = await startVendorWithPage();
      expect(await run("collect")).toMatchObject({ code: 0, stderr: "" });
      expect(asked()).toBe(1);
      const agrees = await run("check", "--cross");
      expect(agrees).toMatchObject({ code: 0, stderr: "" });
      expect(agrees.stdout).toMatch(/^ {2}✔ plans +the cross-check page 127\.0\.0\.1:\d+\/pricing agrees$/m);
      expect(agrees.stdout.match(/ agrees$/gm)).toHaveLength(3);

      upstream.set("/pricing", html(SHOWN.replace("12,50", "11,50").replace("3.1.0", "3.0.9")));
      const told =
        /plans +published studio monthly 12\.5; the cross-check page \S+\/pricing has 11\.5, 120 \(disagrees since/;
      const differs = await run("check", "--cross");
      expect(differs.code).toBe(5);
      expect(differs.stdout).toMatch(told);
      expect(differs.stdout).toMatch(/✖ windows +published 3\.1\.0; the cross-check page \S+ has 3\.0\.9 /);
      expect(differs.stdout).not.toContain("s3cret");

      expect((await run("collect")).code).toBe(0);
      expect((await run("status")).code).toBe(0);
      await age(24);
      const daily = await run("collect");
      expect(daily).toMatchObject({ code: 5, stdout: expect.stringMatching(told) });
      expect((await run("collect")).code).toBe(5);
      const shown = await run("status");
      expect(shown.code).toBe(5);
      expect(shown.stdout.replaceAll(/\n {6}/g, " ")).toMatch(
        /published studio monthly 12\.5; the cross-check page \S+ has/,
      );

      upstream.set("/pricing", html(SHOWN));
      const corrected = await run("collect");
      expect(corrected).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/✔ plans +the cross-check page .* agrees$/m),
      });
      expect((await run("status")).code).toBe(0);
    },
  );

  test("shows the public neither the address nor what the page says, but that there is a difference", async () => {
    const { run, upstream, directory } = await startVendorWithPage();
    upstream.set("/pricing", html("<p>9,87 €</p><p>v2.2.2</p>"));
    expect((await run("collect")).code).toBe(5);
    const { get, base } = await startInProcess(["serve", ...(isIn("metrics") ? ["--metrics", "on"] : [])], {
      directory,
    });
    const answers = await Promise.all(
      ["/status", "/metrics", "/", "/openapi.json", "/api/v1/plans", "/llms.txt"].map(async (path) => {
        const { text } = await get(path);
        expect(text, path).not.toMatch(/pricing\b.*preview|s3cret|(?<!\d)9[.,]87|2\.2\.2|127\.0\.0\.1:\d+\/pricing/);
        return text;
      }),
    );
    if (isIn("probes"))
      expect(JSON.parse(answers[0]!).snapshots[0].disagreements).toEqual([{ since: expect.any(String), atOnce: true }]);
    if (isIn("probes", "status")) expect(await run("status", "--url", base)).toMatchObject({ code: 5 });
    if (isIn("metrics")) expect(answers[1]).toContain('vitrine_cross_check_disagreement{snapshot="plans"} 1');
  });
});

test.runIf(isIn("check", "check-cross")).for<[string, Behaviour, RegExp]>([
  ["is gone", status(404), /could not be asked: answered 404/],
  ["is forbidden to programs", status(403), /could not be asked: answered 403/],
  ["is drawn by a script", html("<div id=app></div><script>render()</script>"), /cannot be read: no price in EUR/],
  ["leads nowhere", status(302, { location: "http://" }), /invalid Location/],
  ["leads to itself", status(302, { location: "/pricing" }), /more than 5 redirects/],
  ["leads away from TLS", status(302, { location: "http://acme.com/" }), /must be https/],
  ["is no text", body(new Uint8Array([0xff, 0xfe, 0xfd]), HTML), /could not be asked: /],
  [
    "has an unknown character set",
    body(SHOWN, { "content-type": "text/html; charset=x-acme" }),
    /character set is unknown/,
  ],
  ["is a PDF", body("%PDF-1.4 12,50 €", { "content-type": "application/pdf" }), /neither HTML nor plain text/],
  ["is huge", html(`12,50 €${"x".repeat(3 * 1024 * 1024)}`), /more than 2 MiB/],
])("a page that %s cannot be read: check --cross ends with 1, and no run fails", async ([, behaviour, reason]) => {
  const { run, upstream } = await startVendorWithPage();
  upstream.set("/pricing", behaviour);
  const { code, stdout } = await run("collect");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(reason) });
  expect(await run("check", "--cross")).toMatchObject({ code: 1, stdout: expect.stringMatching(reason), stderr: "" });
});

test.runIf(isIn("check", "check-cross"))(
  "a page is read as browsers do: in the character set that it names, with a broken character",
  async () => {
    const { run, upstream } = await startVendorWithPage();
    await run("collect");
    const bytes = (encoding: BufferEncoding, ...texts: string[]) => Buffer.from(texts.join(""), encoding);
    const latin = bytes("latin1", "<meta charset='windows-1252'>", SHOWN.replaceAll("€", "\x80"));
    const pages: Behaviour[] = [
      body(latin, { "content-type": "text/html" }),
      body(bytes("utf16le", "\ufeff", SHOWN), { "content-type": "text/html" }),
      body(Buffer.concat([bytes("utf8", SHOWN), bytes("latin1", "\xff")]), HTML),
      body(SHOWN, { "content-type": "application/xhtml+xml" }),
      ...[
        "text/plain; charset=utf-8",
        'text/plain; charset="utf-8"',
        "text/plain;charset=",
        "text/markdown; charset=UTF-8",
      ].flatMap((type) =>
        ["---\n", "Version 3.1.0 ", ":-)"].map((start) => body(start + SHOWN, { "content-type": type })),
      ),
      body(bytes("latin1", "prices: ", SHOWN.replaceAll("€", "\x80")), {
        "content-type": "text/plain; charset=windows-1252",
      }),
    ];
    for (const page of pages) {
      upstream.set("/pricing", page);
      const { code, stdout } = await run("check", "--cross");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("agrees") });
    }
  },
);

test.runIf(isIn("check", "check-cross"))(
  "check --cross asks witnesses of every kind, waits for no 12 hours, and leaves the store as it was",
  async () => {
    const { run, upstream, change, crossChecks, facts } = await startVendorWithPage();
    const { latest, ...release } = vendorRelease("macos");
    upstream.set("/witness", json({ ...release, latest: { ...latest, version: "3.2.0" } }));
    const witness = { facts: ["macos"], from: "json", url: upstream.url("/witness") };
    await change({ crossChecks: [...crossChecks, witness] });
    expect((await run("check", "--cross")).code).toBe(1);
    expect((await run("collect")).code).toBe(0);
    const report = await readFile(join(facts, "last-run.json"), "utf8");
    upstream.set("/pricing", status(500));
    const { code, stdout } = await run("check", "--cross", "--json");
    expect(code).toBe(5);
    const results = JSON.parse(stdout).crossChecks.map((one: { name: string; result: string }) => [
      one.name,
      one.result,
    ]);
    expect(results).toEqual([
      ["plans", "unasked"],
      ["release-macos", "unasked"],
      ["release-windows", "unasked"],
      ["release-macos", "disagrees"],
    ]);
    expect(await readFile(join(facts, "last-run.json"), "utf8")).toBe(report);
    await change({ crossChecks: [] });
    expect(await run("check", "--cross")).toMatchObject({ code: 2, stderr: expect.stringContaining("crossChecks") });
  },
);

test("a page is set like other witnesses, and a dry run and a rehearsal ask it, too", async () => {
  const { run, change, upstream, directory } = await startVendorWithPage();
  const page = "https://acme.com/pricing";
  const standIns = { "https://acme.com": upstream.origin };
  await change({ crossChecks: [{ facts: ["plans"], page }], standIns });
  if (isIn("dry-run")) {
    const dry = await run("collect", "--dry-run");
    const agrees = /^ {6}the cross-check page acme\.com\/pricing agrees$/m;
    expect(dry).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(agrees) });
    const { findings } = JSON.parse((await run("collect", "--dry-run", "--json")).stdout);
    expect(findings[0].crossChecks).toMatchObject([{ name: "plans", result: "agrees" }]);
  }
  if (isIn("check")) expect((await run("check")).stdout).toMatch(/crossChecks\.0\.page +https:\/\/acme\.com\/… +file/);
  const wrong: [object, RegExp][] = [
    [{ facts: ["plans"], page: "http://acme.com" }, /crossChecks\.0\.page +must be an https URL/],
    [{ facts: [], page }, /crossChecks\.0\.facts +must name at least one/],
    [{ facts: ["plans"], page, headers: {} }, /crossChecks\.0\.headers +unknown setting/],
    [{ facts: ["plans"], repo: "acme/notes" }, /crossChecks\.0\.from +must name one of the known kinds/],
  ];
  for (const [crossCheck, message] of wrong) {
    await change({ crossChecks: [crossCheck] });
    expect(await run("collect")).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  }
  const [opened] = openCrossChecks(
    {
      crossChecks: [PageSettings.parse({ facts: ["plans"], page })],
    },
    { directory, environment: {}, file: "x" },
  );
  expect(opened).toMatchObject({ witness: "page acme.com/pricing", names: ["plans"] });
});
