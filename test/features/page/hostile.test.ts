// Hostile and extreme facts: markup in every text, links that run code, invalid currencies, empty and very long lists. The
// gate would refuse most of them; the page must handle them anyway.
import { describe, expect, test } from "vitest";
import type { Change } from "../../../server/features/history/recent-changes.ts";
import { money } from "../../../server/features/words/words.ts";
import { renderPage, cspHashOf, visibleText } from "../../support/serving/page.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

/** Would end an attribute, an element, a comment, a code fence and a table cell. */
const EVIL = `"><img src=x onerror=alert(1)></script></style><script>alert(2)</script><!-- \`\`\` | **[x](javascript:alert(3))**'&amp;`;

const release = (latest: object) => ({
  hasUpdate: true,
  forceUpdate: true,
  latest: {
    platform: "macos",
    version: "1",
    changelog: "",
    downloadURL: "https://a.example/x",
    size: "",
    date: "",
    ...latest,
  },
});
const plan = (changed: object) => planOf("a", {}, changed);
const plansOf = (plans: unknown[], changed: object = {}) => ({ currency: "EUR", cycles: [], plans, ...changed });

describe("markup in every text (server/features/page/markup.ts)", () => {
  const cycle = { key: "m", durationMonths: 1, labelKey: EVIL, savingBadge: EVIL };
  const change: Change = {
    key: EVIL,
    name: "plans",
    revision: 1,
    changedAt: "2026-01-01T00:00:00.000Z",
    changes: [EVIL],
    differences: [{ kind: "words", after: EVIL }],
    changelog: EVIL,
    published: { currency: EVIL, prices: new Map([[EVIL, 1]]) },
  };
  const page = renderPage({
    api: {
      name: EVIL.slice(0, 100),
      description: EVIL,
      contact: "https://vendor.example/?a='b",
      license: EVIL.slice(0, 100),
    },
    payloads: {
      plans: plansOf([plan({ id: EVIL, popular: true, prices: { m: 1 }, creditsMonthly: 1 })], {
        currency: EVIL,
        cycles: [cycle],
      }),
      "release-macos": release({ version: EVIL, changelog: `${EVIL}\n`.repeat(20), date: EVIL, size: EVIL }),
      "release-windows": release({ downloadURL: `https://a.example/${EVIL}` }),
    },
    changes: [change],
  });

  test("is text in the HTML", () => {
    const elements = page.html.match(/<(?:script|style|img|iframe|object|svg|a)\b/g) ?? [];
    expect(elements.filter((element) => element === "<img")).toEqual([]);
    expect(elements.filter((element) => element === "<script")).toHaveLength(2);
    const bare = page.html.replace(/<(script|style)[^]*?<\/\1>/g, "").replace(/"[^"]*"/g, '""');
    expect(bare).not.toMatch(/<[^>]*\sonerror=/);
    expect(page.html).not.toMatch(/href="?\s*javascript:/i);
    expect(visibleText(page.html)).toContain("<img src=x onerror=alert(1)>");
    expect(page.policy).toContain(cspHashOf(page.html, "style"));
    expect(page.policy).toContain(cspHashOf(page.html, "script"));
  });

  test("is text in the Markdown", () => {
    // Without code blocks, in which markup has no meaning.
    const prose = page.markdown.replace(/^(`{3,}).*\n[^]*?\n\1$/gm, "");
    expect(prose).toContain("onerror");
    for (const raw of [/(?<!\\)<img/, /(?<!\\)<script/, /(?<!\\)\]\(javascript/, /^```/m])
      expect(prose).not.toMatch(raw);
    // The text adds no cell.
    const tables = prose.split(/\n{2,}/).filter((block) => block.startsWith("| ") && block.includes("onerror"));
    expect(tables.length).toBeGreaterThan(1);
    for (const table of tables) {
      const cells = table.split("\n").map((row) => row.match(/(?<!\\)\|/g)?.length);
      expect(new Set(cells).size, table).toBe(1);
    }
  });
});

test.for(["javascript:alert(1)", "data:text/html,x", "//a.example/x", "https://a b.example", "http://a.example/x", ""])(
  "a download URL of %j is not linked",
  (downloadURL) => {
    const { html, markdown } = renderPage({ payloads: { "release-macos": release({ downloadURL }) } });
    expect(html).not.toMatch(/Download[^<]*<span class="away"> for macOS/);
    expect(visibleText(html)).toContain("macOS 1 Required update size not listed");
    if (downloadURL !== "") expect(html).not.toContain(`href="${downloadURL}"`);
    expect(markdown).not.toContain(`<${downloadURL}>`);
  },
);

describe("a download names its file and architecture", () => {
  test.for([
    [
      "Notes-4.2.1-arm64.dmg",
      "Download for Apple silicon for macOS Notes-4.2.1-arm64.dmg size not listed from dl.example",
      "Notes-4.2.1-arm64.dmg for Apple silicon",
    ],
    [
      "v2/Notes%20universal.dmg?x=1",
      "Download for macOS Notes universal.dmg size not listed from",
      "Notes universal.dmg",
    ],
    ["Notes.7z", "Download for macOS Notes.7z size not listed from dl.example", "Notes.7z"],
    ["app/notes/id1?mt=12", "Download for macOS size not listed from dl.example", ""],
    ["download/1.2.3", "Download for macOS size not listed from dl.example", ""],
    ["", "Download for macOS size not listed from dl.example", ""],
    ["N%E2%80%AEgpj.exe", "Download for macOS N%E2%80%AEgpj.exe size not listed from dl.example", "N%E2%80%AEgpj.exe"],
    ["N%FF.exe", "Download for macOS N%FF.exe size not listed from dl.example", "N%FF.exe"],
    ["%3Cimg%20src=x%3E*.exe", "Download for macOS <img src=x>*.exe size not listed from", "\\<img src=x\\>\\*.exe"],
    [`${"n".repeat(90)}.dmg`, `Download for macOS ${"n".repeat(80)} … size not listed from`, `${"n".repeat(80)} …`],
  ] as const)("%s", ([path, shown, line]) => {
    const downloadURL = `https://dl.example/${path}`;
    const { html, markdown } = renderPage({ payloads: { "release-macos": release({ downloadURL }) } });
    expect(visibleText(html)).toContain(shown);
    expect(html).not.toContain("<img src=x>");
    expect(markdown).toContain(`Download${line && ` ${line}`}: <${downloadURL}>`);
  });
});

describe("prices", () => {
  test.for([
    [119.5, "USD", "$119.50"],
    [12, "USD", "$12"],
    [0.0035, "USD", "$0.0035"],
    [1_200, "JPY", "¥1,200"],
    [1_200.25, "JPY", "¥1,200.25"],
    [1.234, "KWD", "KWD\u00a01.234"],
    [5, "XYZ", "XYZ\u00a05"],
    [5, "credits", "5 credits"],
    [0.5, "₿", "0.5 ₿"],
    [5, "US", "5 US"],
    [5, "<b>", "5 <b>"],
  ] as const)("%d in %s is %s", ([amount, currency, words]) => {
    expect(money(amount, currency)).toBe(words);
  });

  test("missing from a cycle are a dash, and none is read from an object's prototype", () => {
    const cycles = ["constructor", "toString", "m"].map((key) => cycleOf(key, 1, { savingBadge: "" }));
    const { html, markdown } = renderPage({ payloads: { plans: plansOf([plan({ prices: { m: 7 } })], { cycles }) } });
    expect(visibleText(html)).toContain("– not listed – not listed €7 a month");
    expect(visibleText(html)).toContain("Monthly (constructor)");
    expect(markdown).toContain("| a | – | – | €7 |\n");
  });

  test("are paid once when their cycle has more than 120 months, and have no rhythm in linked data", () => {
    const cycles = [cycleOf("c120", 120), cycleOf("c121", 121)];
    const { html } = renderPage({
      payloads: { plans: plansOf([plan({ prices: { c120: 7, c121: 9 } })], { cycles, currency: "EUR" }) },
    });
    expect(visibleText(html)).toContain("€7 every 10 years €9 once");
    expect(visibleText(html)).toContain("Once");
    expect(html.match(/"billingDuration":"\w+"/g)).toEqual(['"billingDuration":"P120M"']);
  });

  test("are monthly and annual when there are no cycles", () => {
    expect(visibleText(renderPage({ payloads: { plans: plansOf([plan({})]) } }).html)).toContain(
      "€1 a month €10 a year",
    );
  });
});

test.for([
  [1, "p0"],
  [30, "p29"],
  [1_000, "And 940 more plans"],
] as const)("%d plans are listed", ([many, words]) => {
  const plans = Array.from({ length: many }, (_, index) => plan({ id: `p${index}` }));
  const { html, markdown } = renderPage({ payloads: { plans: plansOf(plans) } });
  expect(visibleText(html)).toContain(words);
  expect(markdown).toContain(words);
  expect(html.length).toBeLessThan(100_000);
});

test("lines of a changelog that begin with a hyphen are a list, each in its own direction", () => {
  const changelog = "البحث\n\n- Search\n  is faster.\n- מהיר\n* Ink -5\n-5 dB\n\nThanks.";
  const { html } = renderPage({ payloads: { "release-macos": release({ changelog }) } });
  const [, body = ""] = /<div class="changelog">([^]*?)<\/div>/.exec(html) ?? [];
  expect(body.replace(/>\s+</g, "><").trim()).toBe(
    `<p dir="auto"><b>البحث</b></p><ul><li dir="auto">Search\nis faster.</li><li dir="auto">מהיר</li>` +
      `<li dir="auto">Ink -5</li></ul><p dir="auto">-5 dB\n\nThanks.</p>`,
  );
});

test("a short changelog is open, a long one collapsed, and a very long one cut", () => {
  const logs = ["- One.", `- ${"Long. ".repeat(1_700)}The end.`, "😀".repeat(128_000)];
  const [short = "", long = "", endless = ""] = logs.map(
    (changelog) => renderPage({ payloads: { "release-macos": release({ changelog }) } }).html,
  );
  expect(short).toContain('<li dir="auto">One.</li>');
  expect(short).not.toContain("<summary>All changes");
  expect(visibleText(long)).toMatch(/What is new macOS 1 (Long\. ){20,70}L?o?n?g?\.? ?… All changes \(1\) Long\./);
  expect(long).toContain("The end.");
  expect(long).toMatch(/<details>\s*<summary>All changes/);
  expect(endless.length).toBeLessThan(100_000);
  expect(visibleText(endless)).toContain("(full text in the API)");
  expect(endless).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
});

test.for([
  ["2024-02-29", "29 Feb 2024"],
  ["2026-02-28T23:30:00-08:00", "28 Feb 2026"],
  ["2026-02-30", "2026-02-30"],
  ["2026-13-01", "2026-13-01"],
  ["2026-11-21 or so", "2026-11-21 or so"],
])("the date %s is shown as %s", ([date = "", shown = ""]) => {
  const { html } = renderPage({ payloads: { "release-macos": release({ date }) } });
  expect(visibleText(html)).toContain(` 1 ${shown} `);
});
