// Texts as vendors really write them are published normalised, without changing a fact, or refused.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changelogText } from "../../../collector/features/kinds/shape.ts";
import { isPlainText, publicUrl } from "../../../snapshots/rules.ts";
import type { Plan } from "../../../snapshots/schema.ts";
import { outcomeOf, plansWith, releaseWith } from "../../support/collecting/collect-answers.ts";
import { vendorPlans } from "../../support/collecting/vendor.ts";
import { SEED } from "../../support/random.ts";

describe("a size of (collector/parsing/shape.ts)", () => {
  test.for<[given: unknown, published: string]>([
    ["88123904", "88123904"],
    [88123904, "88123904"],
    [0, ""],
    ["0", ""],
    ["", ""],
    [null, ""],
    [undefined, ""],
    ["12 MB", ""],
    ["1e6", ""],
    [1.5, ""],
    [-1, ""],
    [{ bytes: 1 }, ""],
  ])("%j is published as %j", async ([size, published]) => {
    expect(await releaseWith({ size })).toMatchObject({ payload: { latest: { size: published } } });
  });
});

describe("a changelog", () => {
  /** As messages for models are hidden: a byte each, invisible after any character. */
  const selector = (char: string) => String.fromCodePoint(0xe0100 + char.charCodeAt(0) - 16);

  test.for<[what: string, given: string, published: string]>([
    ["with Windows line ends", "a\r\nb\rc", "a\nb\nc"],
    ["with a tab and an empty line", "\ta\n\nb", "\ta\n\nb"],
    ["with terminal codes", "a\u001b[31mred\u0007\u0000\u009bb", "a[31mredb"],
    ["that is written backwards", "a\u202egnp\u202c.exe\u200f", "agnp.exe"],
    ["with hidden tags", "hi\u{e0069}\u{e0067}\u{e006e}!", "hi!"],
    ["with a message in variation selectors", `hi${[..."ignore"].map(selector).join("")}!`, "hi!"],
    ["with a message in selectors after an emoji", `👍\ufe0f${[..."ignore"].map(selector).join("")}!`, "👍\ufe0f!"],
    ["with a message in zero-width characters", "a\u200b\u200c\u200d\u2060\u2062\ufeff\u00ad\u034fb", "ab"],
    ["with invisible letters", "a\u115f\u1160\u3164\uffa0\u17b4b", "ab"],
    ["with directions for the reader", "a\u061cb\u200ec\u2066d\u2069", "abcd"],
    ["with separators of lines and paragraphs", "a\u2028b\u2029c", "a\nb\nc"],
    [
      "with selectors and joiners where they change nothing",
      "a\ufe0f 1\ufe0f v\u200d2 ✔\ufe0f\ufe0f",
      "a 1 v2 ✔\ufe0f",
    ],
    ["with runs of joiners", "می\u200c\u200d\u200c\u200cخواهم \u061c\u200c", "می\u200cخواهم "],
    [
      "with joined emoji",
      "👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f 1\ufe0f\u20e3 ✔\ufe0e",
      "👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f 1\ufe0f\u20e3 ✔\ufe0e",
    ],
    ["in Persian, Hindi and Sinhala", "می\u200cخواهم क्\u200dष ශ්\u200dරී", "می\u200cخواهم क्\u200dष ශ්\u200dරී"],
    ["with half a character", "a\ud83db", "ab"],
    ["with emoji", "🚀 schneller", "🚀 schneller"],
    ["that is empty", "", ""],
  ])("%s is published plainly", async ([, changelog, published]) => {
    expect(await releaseWith({ changelog })).toMatchObject({ payload: { latest: { changelog: published } } });
  });

  test("of any characters is plain once it is published, and stays as it is", () => {
    const unit = fc.oneof(
      fc.constantFrom(..."a1#अی👍❤🏽\ufe0f\ufe0e\u200c\u200d\u20e3\u061c\u200b\u2028\u{e0101}"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const published = changelogText(text);
        expect(isPlainText(published)).toBe(true);
        expect(changelogText(published)).toBe(published);
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  test("too long to publish is cut at a line, and says so", async () => {
    const outcome = await releaseWith({ changelog: `${"- a line\n".repeat(100_000)}the end` });
    if (!outcome.payload || !("latest" in outcome.payload)) throw new Error("not published");
    const { changelog } = outcome.payload.latest;
    expect(changelog.length).toBeLessThanOrEqual(256_000);
    expect(changelog.length).toBeGreaterThan(255_000);
    expect(changelog).toMatch(/- a line\n\[cut\]$/);
  });

  test("too long and without a line is cut all the same", async () => {
    const outcome = await releaseWith({ changelog: "🚀".repeat(200_000) });
    expect(outcome).toMatchObject({
      payload: { latest: { changelog: expect.stringMatching(/^(🚀)+\ufffd?\n\[cut\]$/u) } },
    });
  });

  test.for([undefined, null, 7, ["a"]])("%j is refused", async (changelog) => {
    expect(await releaseWith({ changelog })).toMatchObject({ reason: expect.stringContaining("latest.changelog: ") });
  });
});

describe("a download link", () => {
  test.for([
    ["HTTPS://GET.Example.com:443/a.zip", "https://get.example.com/a.zip"],
    ["https://get.example.com", "https://get.example.com/"],
    ["https://get.example.com/a/../b c.zip", "https://get.example.com/b%20c.zip"],
    [" https://get.example.com/a.zip\n", "https://get.example.com/a.zip"],
    ["https://get.example.com/größe.zip?q=ü#ö", "https://get.example.com/gr%C3%B6%C3%9Fe.zip?q=%C3%BC#%C3%B6"],
    ["https://größe.example/a.zip", "https://xn--gre-6ka8i.example/a.zip"],
    ["https://get.example.com/[1].zip?a[]=1#b[2]", "https://get.example.com/%5B1%5D.zip?a%5B%5D=1#b%5B2%5D"],
    ['https://get.example.com/a|b^c`d{e}"f<g>', "https://get.example.com/a%7Cb%5Ec%60d%7Be%7D%22f%3Cg%3E"],
    ["https://get.example.com/100%.zip", "https://get.example.com/100%25.zip"],
    ["https://get.example.com/a%2Fb%20c.zip", "https://get.example.com/a%2Fb%20c.zip"],
    ["https://get.example.com/a#b#c#d", "https://get.example.com/a#b%23c%23d"],
    ["https://get.example.com/a\u202egnp.exe", "https://get.example.com/a%E2%80%AEgnp.exe"],
    ["https://[2001:db8::1]:8443/a.zip", "https://[2001:db8::1]:8443/a.zip"],
    ["https://s/a[1].zip", "https://s/a%5B1%5D.zip"],
  ])("%j is published as %j", async ([downloadURL, published]) => {
    expect(await releaseWith({ downloadURL })).toMatchObject({ payload: { latest: { downloadURL: published } } });
  });

  test("with non-ASCII letters in its host is published after thousands of ASCII ones", () => {
    // Once compiled, because it is called often, URL.canParse of Node 20 and 22 gives other results.
    for (let count = 0; count < 20_000; count++) publicUrl(`https://get.example.com/${count % 100}`);
    expect(publicUrl("https://größe.example/a.zip")).toBe("https://xn--gre-6ka8i.example/a.zip");
  });

  const SCHEMES = "javascript:alert(1) data:text/html,xyzzy file:///etc/xyzzy ftp://get.example.com/a.zip".split(" ");
  const HTTP = "http://get.example.com/a.zip http://127.0.0.1.example.com/a.zip http://[::]/a.zip".split(" ");
  const USERS = ["xyzzy@", "me:xyzzy@", ":xyzzy@"].map((user) => `https://${user}get.example.com/a.zip`);
  const TORN =
    "get.example.com/a.zip //get.example.com/a.zip /a.zip https:// https://[::1/a.zip https://a.b:99999/".split(" ");
  const LONG = ["x".repeat(2_048), "ü".repeat(400), "#".repeat(1_000_000)].map(
    (path) => `https://get.example.com/${path}`,
  );
  const OTHERS = ["https://get example.com/", "", null, 7, ["https://get.example.com/a.zip"]];
  test.for([...SCHEMES, ...HTTP, ...USERS, ...TORN, ...LONG, ...OTHERS])(
    "%j is refused, without being repeated",
    async (downloadURL) => {
      const outcome = await releaseWith({ downloadURL });
      expect(outcome).toMatchObject({ reason: expect.stringContaining("latest.downloadURL: ") });
      expect(JSON.stringify(outcome)).not.toContain("xyzzy");
    },
  );
});

describe("one line of text", () => {
  const hidden = ["1\u200b.0", "1\u200d0", "1\u2028", "1\ufe0f", "1\u{e0131}", "1\u{e0061}", "\ufeff1", "1\u3164"];
  test.for(["", "a\nb", "a\u0007b", "a\u202eb", "\ttab", "x".repeat(201), 2.1, null, ...hidden])(
    "%j is not a version",
    async (version) => {
      expect(await releaseWith({ version })).toMatchObject({ reason: expect.stringContaining("latest.version: ") });
    },
  );

  test("keeps a version and a date as they are, down to the last zero", async () => {
    const fields = { version: "2.10", date: "Di, 3. März 2026" };
    expect(await releaseWith(fields)).toMatchObject({ payload: { latest: fields } });
    expect(await releaseWith({ date: "" })).toMatchObject({ payload: { latest: { date: "" } } });
  });
});

describe("a price", () => {
  test.for(["-1", "-0.01", "1e400", "-1e400", '"12.50"', '"NaN"', "null", "true", "[1]", "{}"])(
    "of %s is refused wherever it stands",
    async (price) => {
      for (const [place, field] of [
        ["plans[1].monthlyPrice", '"monthlyPrice":12.5'],
        ["plans[1].annualPrice", '"annualPrice":120'],
        ["plans[1].prices.monthly", '"monthly":12.5'],
      ] as const) {
        const changed = JSON.stringify(vendorPlans()).replace(field, field.replace(/[\d.]+$/, price));
        const outcome = await outcomeOf(changed, "plans");
        expect(outcome, place).toMatchObject({ reason: expect.stringContaining(`${place}: `) });
      }
    },
  );

  test("beyond the range of numbers is told so", async () => {
    const changed = JSON.stringify(vendorPlans()).replace('"monthlyPrice":12.5', '"monthlyPrice":1e999');
    expect(await outcomeOf(changed, "plans")).toMatchObject({
      reason: "plans[1].monthlyPrice: is beyond the range of numbers",
    });
  });

  test.for([0, 0.1, 19.99, 1e15, 0.0001])("of %d is published to the last digit", async (price) => {
    const fields: Partial<Plan> = { prices: { monthly: price }, monthlyPrice: price, annualPrice: price };
    expect(await outcomeOf(plansWith(fields), "plans")).toMatchObject({ payload: { plans: [{}, fields] } });
  });

  test.for(["", "a b", "-a", "über", "x\u001b", "a".repeat(65), "xyzzy/"])(
    "under the key %j is refused, without repeating it",
    async (key) => {
      const { reason } = await outcomeOf(plansWith({ prices: { [key]: 1 } }), "plans");
      expect(reason).toContain("plans[1].prices.*: ");
      expect(reason).not.toContain("xyzzy");
    },
  );

  test("may be for a cycle that is not listed", async () => {
    const prices = { lifetime: 399, "monthly.student": 5 };
    expect(await outcomeOf(plansWith({ prices }), "plans")).toMatchObject({ payload: { plans: [{}, { prices }] } });
  });
});
