// What of an upstream's answer is published, and in which form: listed fields only, said plainly, right or not at all.
import { describe, expect, test } from "vitest";
import type { Platform, Plan } from "../snapshots/schema.ts";
import { snapshotFiles, startCollector } from "./_collector.ts";
import { body } from "./_upstream.ts";
import { vendorPlans, vendorRelease, vendorReleases } from "./_vendor.ts";

/** Collects these answers. Texts are sent as they are, anything else as JSON. */
async function collected(answers: { plans?: unknown; releases?: unknown }, pick?: string) {
  const { upstream, run, directory } = await startCollector(pick === undefined ? {} : { pick });
  const given = Object.entries(answers);
  for (const [name, answer] of given) {
    upstream.set(`/${name}`, body(typeof answer === "string" ? answer : JSON.stringify(answer)));
  }
  const outcomes = await run();
  for (const outcome of Object.values(outcomes)) {
    if ("reason" in outcome) expect(outcome.reason).toMatch(/^(?!a bug)[\x20-\x7e]{8,400}$/);
  }
  const all = JSON.stringify([outcomes, await snapshotFiles(directory)]);
  return { ...outcomes, macos: outcomes["release-macos"], windows: outcomes["release-windows"], all };
}

/** A macOS release with these fields in place of its own. */
async function releaseWith(fields: object) {
  const { macos, windows } = vendorReleases();
  const outcomes = await collected({
    releases: { macos: { ...macos, latest: { ...macos.latest, ...fields } }, windows },
  });
  expect(outcomes.windows.result).toBe("changed");
  return outcomes.macos;
}

/** Plans, the second one with these fields in place of its own. */
function plansWith(fields: object): object {
  const { plans, ...rest } = vendorPlans();
  return { ...rest, plans: [plans[0], { ...plans[1], ...fields }] };
}

describe("no release is published", () => {
  test("when the upstream says so", async () => {
    const { macos, windows } = await collected({
      releases: { macos: { hasUpdate: false }, windows: { hasUpdate: false, note: "x", latest: null } },
    });
    expect(macos).toMatchObject({ result: "changed", payload: { hasUpdate: false }, notes: [] });
    expect(windows).toMatchObject({ payload: { hasUpdate: false }, notes: ["2 unlisted fields dropped"] });
  });

  const NOT_SAID = [
    {},
    { hasUpdate: null },
    { hasUpdate: 0 },
    { hasUpdate: "" },
    { hasUpdate: "false" },
    { hasUpdate: [false] },
    { hasupdate: false },
    { release: null },
    null,
    false,
    0,
    "",
    [],
    [{ hasUpdate: false }],
  ];
  test.for(NOT_SAID)("never because of %j", async (answer) => {
    const { macos, windows, all } = await collected({ releases: { ...vendorReleases(), windows: answer } });
    expect([macos.result, windows.result]).toEqual(["changed", "failed"]);
    expect(all).not.toContain('hasUpdate":false');
  });

  test("never because the answer lacks the platform, and the reason says what to write", async () => {
    const { windows } = await collected({ releases: { macos: vendorRelease("macos") } });
    expect(windows).toMatchObject({
      result: "failed",
      reason: 'the answer has no "windows"; write {"hasUpdate": false} there if nothing is published',
    });
  });

  test("never by an answer that describes one all the same", async () => {
    const { macos } = await collected({
      releases: { ...vendorReleases(), macos: { ...vendorRelease("macos"), hasUpdate: false } },
    });
    expect(macos).toMatchObject({ result: "failed", reason: "says that there is no release, and yet describes one" });
  });

  test("never because the other platform has none", async () => {
    const { macos, windows } = await collected({ releases: { ...vendorReleases(), windows: { hasUpdate: false } } });
    expect([macos, windows]).toMatchObject([{ payload: { hasUpdate: true } }, { payload: { hasUpdate: false } }]);
  });
});

test.for(["windows", "linux", "macOS", "", undefined, 1])(
  "the macOS release of platform %j is refused",
  async (platform) => {
    expect(await releaseWith({ platform })).toMatchObject({
      result: "failed",
      reason: expect.stringContaining("latest.platform: "),
    });
  },
);

test.for(["forceUpdate", "latest"])("a release without %s is refused", async (field) => {
  const { [field]: _, ...macos } = { ...vendorRelease("macos") } as Record<string, unknown>;
  expect((await collected({ releases: { ...vendorReleases(), macos } })).macos.result).toBe("failed");
});

test("a field nobody listed is dropped at every level, counted, and gone", async () => {
  const secret = { xyzzy: [{ xyzzy: "xyzzy" }], constructor: "xyzzy" };
  const { cycles, plans, currency } = vendorPlans();
  const { macos } = vendorReleases();
  const outcomes = await collected({
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

test("an unlisted field that is nested without measure is dropped like any other", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const text = JSON.stringify(vendorPlans()).replace("{", `{"deep":${deep},`);
  expect((await collected({ plans: text })).plans).toMatchObject({ result: "changed", payload: vendorPlans() });
});

test("__proto__ at every level is dropped, and changes nothing that it could stand behind", async () => {
  const behind = '"__proto__":{"xyzzy":"xyzzy","hasUpdate":false,"popular":true,"currency":"XXX"},';
  const planted = (value: unknown) => JSON.stringify(value).replaceAll("{", `{${behind}`).replaceAll(",}", "}");
  const outcomes = await collected({ plans: planted(vendorPlans()), releases: planted(vendorReleases()) });
  expect(outcomes.plans).toMatchObject({ payload: vendorPlans() });
  expect(outcomes.macos).toMatchObject({ payload: vendorRelease("macos") });
  expect(outcomes.all).not.toMatch(/xyzzy|__proto__|XXX/);
});

test("__proto__ does not stand in for a field that is missing", async () => {
  const { currency: _, ...rest } = vendorPlans();
  const plans = JSON.stringify(rest).replace("{", '{"__proto__":{"currency":"EUR"},');
  const outcomes = await collected({ plans, releases: '{"__proto__":{"macos":{"hasUpdate":false}},"windows":1}' });
  for (const name of ["plans", "macos", "windows"] as const) expect(outcomes[name].result).toBe("failed");
});

describe("a size of", () => {
  test.for<[given: unknown, published: string]>([
    ["88123904", "88123904"],
    [88123904, "88123904"],
    [1, "1"],
    [0, ""],
    ["0", ""],
    ["", ""],
    [null, ""],
    [undefined, ""],
    ["abc", ""],
    ["12 MB", ""],
    ["1e6", ""],
    [1.5, ""],
    [-1, ""],
    [1e300, ""],
    [true, ""],
    [{ bytes: 1 }, ""],
  ])("%j is published as %j", async ([size, published]) => {
    expect(await releaseWith({ size })).toMatchObject({ payload: { latest: { size: published } } });
  });
});

describe("a changelog", () => {
  test.for<[what: string, given: string, published: string]>([
    ["with Windows line ends", "a\r\nb\rc", "a\nb\nc"],
    ["with a tab and an empty line", "\ta\n\nb", "\ta\n\nb"],
    ["with terminal codes", "a\u001b[31mred\u0007\u0000\u009bb", "a[31mredb"],
    ["that is written backwards", "a\u202egnp\u202c.exe\u200f", "agnp.exe"],
    ["with hidden tags", "hi\u{e0069}\u{e0067}\u{e006e}!", "hi!"],
    ["with half a character", "a\ud83db", "ab"],
    ["with emoji", "🚀 schneller", "🚀 schneller"],
    ["that is empty", "", ""],
  ])("%s is published plainly", async ([, changelog, published]) => {
    expect(await releaseWith({ changelog })).toMatchObject({ payload: { latest: { changelog: published } } });
  });

  test("too long to publish is cut at a line, and says so", async () => {
    const outcome = await releaseWith({ changelog: `${"- a line\n".repeat(100_000)}the end` });
    if (!("payload" in outcome) || !("latest" in outcome.payload)) throw new Error("not published");
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

  test.for([
    "javascript:alert(1)",
    "data:text/html,xyzzy",
    "file:///etc/xyzzy",
    "ftp://get.example.com/a.zip",
    "http://get.example.com/a.zip",
    "http://127.0.0.1.example.com/a.zip",
    "https://xyzzy@get.example.com/a.zip",
    "https://me:xyzzy@get.example.com/a.zip",
    "https://:xyzzy@get.example.com/a.zip",
    "get.example.com/a.zip",
    "//get.example.com/a.zip",
    "/a.zip",
    "https://",
    "https://get example.com/",
    "https://[::1/a.zip",
    "https://get.example.com:99999/",
    `https://get.example.com/${"x".repeat(2_048)}`,
    `https://get.example.com/${"ü".repeat(400)}`,
    "",
    null,
    7,
    ["https://get.example.com/a.zip"],
  ])("%j is refused, without being repeated", async (downloadURL) => {
    const outcome = await releaseWith({ downloadURL });
    expect(outcome).toMatchObject({ result: "failed", reason: expect.stringContaining("latest.downloadURL: ") });
    expect(JSON.stringify(outcome)).not.toContain("xyzzy");
  });
});

describe("one line of text", () => {
  test.for(["", "a\nb", "a\u0007b", "a\u202eb", "\ttab", "x".repeat(201), 2.1, null])(
    "%j is no version",
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
        ["plans[1].prices.*", '"monthly":12.5'],
      ] as const) {
        const changed = JSON.stringify(vendorPlans()).replace(field, field.replace(/[\d.]+$/, price));
        const { plans, all } = await collected({ plans: changed });
        expect(plans, place).toMatchObject({ result: "failed", reason: expect.stringContaining(`${place}: `) });
        expect(all).not.toContain('"plans.json"');
      }
    },
  );

  test.for([0, 0.1, 19.99, 1e15, 5e-324])("of %d is published to the last digit", async (price) => {
    const fields: Partial<Plan> = { prices: { monthly: price }, monthlyPrice: price, annualPrice: price };
    const { plans } = await collected({ plans: plansWith(fields) });
    expect(plans).toMatchObject({ payload: { plans: [{}, fields] } });
  });

  test.for(["", "a b", "-a", "über", "x\u001b", "a".repeat(65), "xyzzy/"])(
    "under the key %j is refused, without repeating it",
    async (key) => {
      const { plans, all } = await collected({ plans: plansWith({ prices: { [key]: 1 } }) });
      expect(plans).toMatchObject({ result: "failed", reason: expect.stringContaining("plans[1].prices.*: ") });
      expect(all).not.toContain("xyzzy");
    },
  );

  test("need not be for a cycle that is listed", async () => {
    const { plans } = await collected({ plans: plansWith({ prices: { lifetime: 399, "monthly.student": 5 } }) });
    expect(plans.result).toBe("changed");
  });
});

describe("plans", () => {
  const [first] = vendorPlans().plans;
  const [cycle] = vendorPlans().cycles;
  test.for<[what: string, plans: object, place: string]>([
    ["two plans of one id", { ...vendorPlans(), plans: [first, first] }, "plans: must not repeat an id"],
    ["two cycles of one key", { ...vendorPlans(), cycles: [cycle, cycle] }, "cycles: must not repeat a key"],
    [
      "a cycle of no months",
      { ...vendorPlans(), cycles: [{ ...cycle, durationMonths: 0 }] },
      "cycles[0].durationMonths: ",
    ],
    [
      "a cycle of half a month",
      { ...vendorPlans(), cycles: [{ ...cycle, durationMonths: 0.5 }] },
      "cycles[0].durationMonths: ",
    ],
    ["credits by halves", plansWith({ creditsMonthly: 1.5 }), "plans[1].creditsMonthly: "],
    ["credits below zero", plansWith({ creditsMonthly: -1 }), "plans[1].creditsMonthly: "],
    ["no word about credits", plansWith({ creditsMonthly: undefined }), "plans[1].creditsMonthly: "],
    ["popularity in words", plansWith({ popular: "yes" }), "plans[1].popular: "],
    ["no currency", { ...vendorPlans(), currency: "" }, "currency: "],
    ["plans that are no list", { ...vendorPlans(), plans: { 0: first } }, "plans: "],
    ["a list in the place of the answer", [vendorPlans()], "the answer: "],
  ])("with %s are refused, naming the place", async ([, answer, place]) => {
    const { plans } = await collected({ plans: answer });
    expect(plans).toMatchObject({ result: "failed", reason: expect.stringContaining(place) });
  });

  test("of which there are none are an answer", async () => {
    const none = { currency: "EUR", cycles: [], plans: [] };
    expect((await collected({ plans: none })).plans).toMatchObject({ result: "changed", payload: none });
  });

  test("with many mistakes are refused in one line that counts them", async () => {
    const { plans } = await collected({
      plans: { ...vendorPlans(), plans: Array.from({ length: 50 }, () => ({ popular: true })) },
    });
    expect(plans).toMatchObject({ result: "failed", reason: expect.stringMatching(/; and \d+ more$/) });
  });
});

describe("a pick of", () => {
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
    expect((await collected({ plans: answer }, pick)).plans).toMatchObject({
      result: "changed",
      payload: vendorPlans(),
    });
  });

  const DEAD_ENDS = [
    "/",
    "/DATA",
    "/data/",
    "/list/1",
    "/list/00",
    "/list/-1",
    "/list/-",
    "/none/a",
    "/data/currency/0",
    "/toString",
    "/__proto__",
    "/constructor/name",
    "/list/length",
  ];
  test.for(DEAD_ENDS)("%j leads nowhere", async (pick) => {
    const { plans } = await collected({ plans: answer }, pick);
    expect(plans.result).toBe("failed");
  });

  test("a place that is missing says so", async () => {
    const { plans, macos } = await collected({ plans: answer }, "/nowhere");
    const reason = 'nothing in the answer where "pick" points (/nowhere)';
    expect([plans, macos]).toMatchObject([{ reason }, { reason }]);
  });

  test("the whole document is the default, and takes both platforms", async () => {
    const releases = { data: vendorReleases() };
    const { macos, windows } = await collected({ releases, plans: answer }, "/data");
    const payloads = (["macos", "windows"] satisfies Platform[]).map((platform) => ({
      payload: vendorRelease(platform),
    }));
    expect([macos, windows]).toMatchObject(payloads);
  });
});
