// Releases from appcasts of Sparkle and WinSparkle.
import { describe, expect, test } from "vitest";
import { payloadOf, readSource } from "../../support/collecting/read-source.ts";
import { body } from "../../support/collecting/upstream.ts";

const NAMESPACE = 'xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"';
const appcast = (items: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" ${NAMESPACE}><channel><title>Notes</title>${items}</channel></rss>`;
const item = (build: string, more = "", enclosure = `url="https://a.example/Notes-${build}.zip" length="1346234"`) =>
  `<item><title>Notes</title><sparkle:version>${build}</sparkle:version>${more}<enclosure ${enclosure} sparkle:edSignature="xyzzy" /></item>`;

const html = (notes: string) => `<description><![CDATA[${notes}]]></description>`;
const shown = (version: string) => `<sparkle:shortVersionString>${version}</sparkle:shortVersionString>`;
const read = (text: string, settings: object = {}, platform: "macos" | "windows" = "macos") =>
  readSource({ from: "sparkle", ...settings }, body(text, { "content-type": "application/xml" }), {
    name: `release-${platform}`,
  });
const inChannel = (name: string) => `<sparkle:channel>${name}</sparkle:channel>`;
const needs = (processor: string) => `<sparkle:hardwareRequirements>${processor}</sparkle:hardwareRequirements>`;
const NONE = { hasUpdate: false };

describe("an appcast (collector/features/kinds/feeds/sparkle.ts)", () => {
  test("the highest build is published under its short version", async () => {
    const { payload, picked } = await read(
      appcast(
        item("99", shown("3.0")) +
          item(
            "241",
            `${shown("2.10")}<pubDate>Wed, 25 Dec 2025 12:20:11 +0000</pubDate>` +
              html("<h2>New</h2><ul><li>Faster &amp; safer</li><li>Größer</li></ul>"),
          ) +
          item("240"),
      ),
    );
    const changelog = "New\n\n- Faster & safer\n- Größer";
    const more = { changelog, size: "1346234", date: "2025-12-25T12:20:11Z" };
    expect(payload).toEqual(payloadOf("macos", "2.10", "https://a.example/Notes-241.zip", more));
    expect(picked).toBe("Notes-241.zip of 2.10 (241)");
  });
});

describe("a later item is never passed over in silence:", () => {
  const dated = (build: string, version: string, day: string, enclosure?: string) =>
    item(build, `${shown(version)}<pubDate>${day} Nov 2026 12:00:00 +0000</pubDate>`, enclosure);
  const old = dated("20230508", "2023.5.8", "01");

  test.for<[string, string, RegExp]>([
    [
      "one with a lower build and a higher version",
      dated("99", "2024.1", "02"),
      /^2024\.1 \(99\) came after .*a lower build/,
    ],
    ["one without a version", dated("", "", "02"), /^an item came after 2023\.5\.8 .*without a version/],
    [
      "one with a file for another system",
      dated("20240101", "2024.1", "02", 'url="https://a.example/N.exe"'),
      /^2024\.1 \(20240101\) came after .*no installer for macos/,
    ],
    [
      "one that only links to a page",
      `<item>${shown("2024.1")}<sparkle:version>20240101</sparkle:version><link>https://a.example</link></item>`,
      /^2024\.1 \(20240101\) came after 2023\.5\.8 .*: nothing to install/,
    ],
    [
      "one that only informs",
      item("20240101", `${shown("2024.1")}<sparkle:informationalUpdate></sparkle:informationalUpdate>`),
      /nothing to install/,
    ],
    [
      "one that is a delta only",
      item("20240101", shown("2024.1"), 'url="https://a.example/9.delta" sparkle:deltaFrom="8"'),
      /nothing to install/,
    ],
    [
      "one for a system that is not known",
      dated("20240101", "2024.1", "02", 'url="https://a.example/N.zip" sparkle:os="hurd"'),
      /^2024\.1 .*for an unknown system/,
    ],
    ["one with a lower build of another line of releases", dated("99", "1.0", "02"), /a lower build/],
    ["one with a lower build of another line of the same year", dated("99", "2023.1", "02"), /a lower build/],
  ])("%s", async ([, later, reason]) => {
    await expect(read(appcast(later + old))).rejects.toThrow(reason);
  });

  test("but a backport is", async () => {
    const text = appcast(dated("199", "1.9.9", "03") + dated("200", "2.0", "02") + dated("198", "1.9.8", "01"));
    expect((await read(text)).latest).toMatchObject({ version: "2.0" });
  });

  const on = (build: string, version: string, date: string) =>
    item(build, `${shown(version)}<pubDate>${date}</pubDate>`);
  const NEWEST = on("110", "0.9.2", "Mon, 02 Nov 2026 16:46:39 -0600");
  test.for<[string, string]>([
    ["of the same line of releases", on("106", "0.9.1", "Tue, 03 Nov 2026 16:47:33 -0600")],
    ["dated a second later", on("98", "0.8.0", "Mon, 02 Nov 2026 16:46:40 -0600")],
    ["dated minutes later", on("98", "0.1", "Mon, 02 Nov 2026 16:59:00 -0600")],
    ["whose date cannot be read", on("98", "0.8.0", "mer, 11 nov 2026 16:46:40 -0600")],
    [
      "of another system",
      item(
        "110",
        `${shown("0.9.2")}<pubDate>Mon, 02 Nov 2026 16:46:40 -0600</pubDate>`,
        'url="https://a.example/N.exe"',
      ),
    ],
    ["that had its own line before", on("98", "0.8.1", "Tue, 03 Nov 2026 16:46:40 -0600")],
  ])("an older item refuses nothing: one %s", async ([, stray]) => {
    const before = on("97", "0.8.0", "Mon, 04 May 2026 10:00:00 +0000");
    expect((await read(appcast(stray + NEWEST + before))).latest).toMatchObject({ version: "0.9.2" });
  });

  test("and an older one does not come after a newest one whose date cannot be read", async () => {
    const newest = on("508", "4.2.2", "Wed, 26 Thu 2022 7:00:00 +0900");
    const older = on("472", "3.0.9", "Wed, 26 May 2021 07:00:00 +0900");
    expect((await read(appcast(newest + older))).latest).toMatchObject({ version: "4.2.2" });
  });

  test("of two versions with one build, the higher one is newer", async () => {
    const older = item("5073", shown("0.9.76"), 'url="https://a.example/Notes-0.9.76-arm64.zip"');
    const newer = item("5073", shown("0.9.77"), 'url="https://a.example/Notes-0.9.77.zip"');
    for (const items of [older + newer, newer + older])
      expect((await read(appcast(items))).latest).toMatchObject({ version: "0.9.77" });
  });
});

describe("of items in channels", () => {
  const stable = item("310", shown("31.0") + inChannel("stable"));
  const beta = item("311", shown("31.1") + inChannel("beta"));
  const nightly = item("312", shown("31.2") + inChannel("nightly"));
  const forAll = item("300", shown("30.0"));

  test.for<[string, string, string]>([
    ["one", stable, '"channel": "stable" takes 31.0 (310)'],
    [
      "several, finished releases first",
      beta + nightly + stable,
      '"channel": "stable" takes 31.0 (310); "channel": "nightly" takes 31.2 (312); "channel": "beta" takes 31.1 (311)',
    ],
    [
      "several, whatever betas are called",
      item("312", shown("31.2") + inChannel("prerelease")) +
        item("313", inChannel("Insiders-2")) +
        item("310", inChannel("premium")),
      '"channel": "premium" takes 310; "channel": "Insiders-2" takes 313; "channel": "prerelease" takes 31.2 (312)',
    ],
    [
      "one beside items for other systems",
      stable + item("320", "", 'url="https://a.example/N.exe" sparkle:os="windows"'),
      '"channel": "stable" takes 31.0 (310)',
    ],
    [
      "one beside items for old systems",
      stable + item("29", "<sparkle:maximumSystemVersion>10.12</sparkle:maximumSystemVersion>"),
      '"channel": "stable" takes 31.0 (310)',
    ],
    [
      "more than are named",
      ["a", "b", "c", "d", "e"].map((name, at) => item(`${9 - at}`, inChannel(name))).join(""),
      '"channel": "a" takes 9; "channel": "b" takes 8; "channel": "c" takes 7; and 2 more',
    ],
  ])("alone, a refusal names the channel: %s", async ([, items, help]) => {
    await expect(read(appcast(items))).rejects.toThrow(
      `the items for macos are in channels that are not asked for: ${help}`,
    );
  });

  test("the setting takes those of one channel, beside the ones without", async () => {
    const all = appcast(forAll + stable + beta);
    const newest = async (text: string, channel: string) => (await read(text, { channel })).latest?.version;
    expect(await newest(all, "stable")).toBe("31.0");
    expect(await newest(all, "beta")).toBe("31.1");
    expect(await newest(appcast(beta + item("400", shown("40.0"))), "beta")).toBe("40.0");
    await expect(read(appcast(beta), { channel: "Beta" })).rejects.toThrow('"channel": "beta" takes 31.1 (311)');
  });

  test("the newer ones are told as passed over, the older ones not", async () => {
    const old = item("200", shown("20.0") + inChannel("beta"));
    const { latest, passedOver } = await read(appcast(old + forAll + stable + nightly));
    expect(latest).toMatchObject({ version: "30.0" });
    expect(passedOver).toEqual(['31.2 (312): in the channel "nightly"', '31.0 (310): in the channel "stable"']);
    expect((await read(appcast(old + forAll))).passedOver).toEqual([]);
    const taken = await read(appcast(forAll + stable + nightly), { channel: "stable" });
    expect(taken.passedOver).toEqual(['31.2 (312): in the channel "nightly"']);
  });

  test("a newer finished one is told as what a setting leaves out, until that is meant", async () => {
    const beyond = async (text: string, settings: object = {}) => (await read(text, settings)).beyond;
    const told = { release: "31.0 (310)", setting: "the channels that are asked for" };
    expect(await beyond(appcast(forAll + stable + nightly + beta))).toEqual(told);
    expect(await beyond(appcast(forAll + stable), { pinned: true })).toBeUndefined();
    expect(await beyond(appcast(forAll + stable), { channel: "stable" })).toBeUndefined();
    const ofBetas = ["nightlies", "staging", "next", "early-access", "dogfood"].map((name) =>
      item("313", shown("31.3") + inChannel(name)),
    );
    expect(await beyond(appcast(forAll + beta + nightly + ofBetas.join("")))).toBeUndefined();
  });

  test("a channel that no item is in is warned of", async () => {
    const { warnings } = await read(appcast(forAll + stable), { channel: "stabel" });
    expect(warnings).toContain('no item is in the channel "stabel": leave it out, or name one that exists: "stable"');
  });

  test("an empty channel is none, and none is for another platform", async () => {
    expect((await read(appcast(item("3", inChannel(""))))).latest).toMatchObject({ version: "3" });
    const windows = item("9", inChannel("beta"), 'url="https://a.example/N.exe" sparkle:os="windows"');
    expect((await read(appcast(windows))).payload).toEqual(NONE);
  });
});

test.for<[written: string, published: string]>([
  ["Wed, 05 Nov 2026 10:00:00 +0000", "2026-11-05T10:00:00Z"],
  ["Wed, 05 Nov 2026 10:00:00 +02:00", "2026-11-05T08:00:00Z"],
  ["Tue,  6 Aug 2024 18:00:00 -0530", "2024-08-06T23:30:00Z"],
  ["Thu, 22 Dec 2016 9:14:00 EST", "2016-12-22T14:14:00Z"],
  ["Fri, 05 June 2020 09:00:00 +0100", "2020-06-05T08:00:00Z"],
  ["Thurs, 05 Sept 2020 09:00 GMT", "2020-09-05T09:00:00Z"],
  ["Thu, 29 Feb 2024 23:59:59 Z", "2024-02-29T23:59:59Z"],
  // They are not certain, or no day at all.
  ...[
    "Wed, 31 Sep 2025 10:00:00 +0000",
    "Sat, 29 Feb 2025 10:00:00 GMT",
    "Wed, 05 Nov 2025 25:00:00 +0000",
    "Wed, 26 Thu 2022 7:00:00 +0900",
  ].map((date): [string, string] => [date, date]),
  ["mar, 1 lug 2025 17:13:00 +0100", "mar, 1 lug 2025 17:13:00 +0100"],
  ["Wed, 05 Nov 26 10:00:00 +0000", "Wed, 05 Nov 26 10:00:00 +0000"],
  ["1762769000", "1762769000"],
])("the date %s is published as %s", async ([written, published]) => {
  const { latest } = await read(appcast(item("3", `<pubDate>${written}</pubDate>`)));
  expect(latest).toMatchObject({ date: published });
});

describe("an item is skipped", () => {
  const good = item("1.0");
  test.for<[string, string, string]>([
    ["in a channel", item("9", inChannel("beta")), '9: in the channel "beta"'],
    ["for Windows", item("9", "", 'url="https://a.example/N.exe" sparkle:os="windows"'), "9: for another platform"],
    [
      "for old systems",
      item("9", "<sparkle:maximumSystemVersion>10.12</sparkle:maximumSystemVersion>"),
      "9: for old systems only",
    ],
    ["without a version", '<item><enclosure url="https://a.example/9.zip"/></item>', "an item: without a version"],
    ["whose file is for another platform", item("9", "", 'url="https://a.example/N.exe"'), "9: no installer for macos"],
  ])("%s", async ([, other, reason]) => {
    const { latest, skipped } = await read(appcast(other + good));
    expect(latest).toMatchObject({ version: "1.0" });
    expect(skipped).toContain(reason);
  });
});

describe("is read:", () => {
  test.for<[string, string, object]>([
    [
      "a version on the enclosure, under any prefix",
      `<rss xmlns:x="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><item><enclosure url="https://a.example/a.zip" x:version="3.0" x:shortVersionString="3"/></item></channel></rss>`,
      { version: "3", size: "" },
    ],
    [
      "relative links",
      appcast(item("3", "", 'url="release 3.0.zip"')),
      { downloadURL: expect.stringMatching(/\/release%203\.0\.zip$/) },
    ],
    ["an invalid length", appcast(item("3", "", 'url="https://a.example/a.dmg" length="$LENGTH"')), { size: "" }],
    [
      "escaped notes",
      appcast(item("3", "<description>&lt;p&gt;a &amp;amp; b&lt;/p&gt;&lt;script&gt;c&lt;/script&gt;</description>")),
      { changelog: "a & b" },
    ],
    [
      "notes in Markdown",
      appcast(item("3", '<description sparkle:format="markdown">## a\n* *b* [c](https://x.example)</description>')),
      { changelog: "a\n- b c (https://x.example)" },
    ],
    [
      "notes whose style keeps their lines",
      appcast(item("3", html('<div style="color: red; white-space: pre-wrap">## a\n\n- b</div>'))),
      { changelog: "## a\n\n- b" },
    ],
    [
      "notes in plain text",
      appcast(item("3", '<description sparkle:format="plain-text">a &lt;b&gt;\r\nc</description>')),
      { changelog: "a <b>\nc" },
    ],
    [
      "a byte order mark, Windows line endings and comments",
      `\uFEFF${appcast(`<!-- <!DOCTYPE x> -->\r\n${item("3")}`).replaceAll("\n", "\r\n")}`,
      { version: "3" },
    ],
    [
      "elements called as parts of objects",
      appcast(item("3", "<__proto__>1</__proto__><constructor/>")),
      { version: "3" },
    ],
    ["an undeclared prefix", appcast(item("3")).replace(NAMESPACE, ""), { version: "3" }],
    [
      "notes behind a link, which is not followed",
      appcast(item("3", "<sparkle:releaseNotesLink>https://a.example/n</sparkle:releaseNotesLink>")),
      { changelog: "" },
    ],
  ])("%s", async ([, text, fields]) => {
    expect((await read(text)).latest).toMatchObject(fields);
  });

  test("a WinSparkle appcast with one enclosure per platform", async () => {
    const both = `<item><sparkle:version>4</sparkle:version><enclosure url="https://a.example/N.dmg" sparkle:os="macos"/><enclosure url="https://a.example/N.exe" sparkle:os="windows-x64"/></item>`;
    expect((await read(appcast(both))).latest?.downloadURL).toMatch(/dmg$/);
    expect((await read(appcast(both), {}, "windows")).latest?.downloadURL).toMatch(/exe$/);
  });
});

describe("an update is forced", () => {
  const CRITICAL = "<sparkle:criticalUpdate></sparkle:criticalUpdate>";
  test.for<[string, boolean, string, object]>([
    ["never by the appcast alone", false, CRITICAL, {}],
    ["if the settings ask for critical updates", true, CRITICAL, { force: "critical" }],
    [
      "by a mark in the old style",
      true,
      "<sparkle:tags><sparkle:criticalUpdate/></sparkle:tags>",
      { force: "critical" },
    ],
    ["not without a mark", false, "", { force: "critical" }],
    [
      "not if it depends on the installed version",
      false,
      '<sparkle:criticalUpdate sparkle:version="1.5"/>',
      { force: "critical" },
    ],
    ["by the settings", true, "", { forceUpdate: true }],
  ])("%s", async ([, forceUpdate, mark, settings]) => {
    const { payload, skipped } = await read(appcast(item("3", mark) + item("2", CRITICAL)), settings);
    expect(payload).toMatchObject({ forceUpdate });
    const warned = skipped?.some((line) => line.includes("only for some installed versions"));
    expect(warned).toBe(mark.includes("1.5"));
  });
});

test("no release is published only if the appcast plainly has none for the platform", async () => {
  const betas = (count: number) =>
    appcast(Array.from({ length: count }, (_, index) => item(String(index + 1), inChannel("beta"))).join(""));
  const forWindows = item("9", "", 'url="https://a.example/N.exe" sparkle:os="windows"');
  for (const text of [appcast(""), appcast(forWindows)]) expect((await read(text)).payload).toEqual(NONE);
  expect((await read(appcast(""))).warnings).toEqual(["the appcast has no items"]);
  for (const count of [20, 2_000]) await expect(read(betas(count))).rejects.toThrow(`"channel": "beta" takes ${count}`);
  // Of thousands, only the newest are read; and an odd item may be anything.
  for (const text of [appcast(forWindows.repeat(2_000)), appcast("<item><title>9</title></item>")])
    await expect(read(text)).rejects.toThrow(/^no item in the appcast has a version and an installer/);
});

describe("is refused:", () => {
  const BOMB = [..."bcdefgh"].map((name, at) => `<!ENTITY ${name} "${`&${"abcdefg"[at]};`.repeat(10)}">`).join("");
  test.for<[string, string, RegExp]>([
    ["a page with a doctype", "<!DOCTYPE html><html>xyzzy", /DOCTYPE, which is refused: application\/xml, 26 bytes$/],
    ["an appcast without a channel", `<rss ${NAMESPACE}></rss>`, /^not an appcast: /],
    ["an entity bomb", `<!DOCTYPE x [<!ENTITY a "ha">${BOMB}]><rss>&h;</rss>`, /DOCTYPE, which is refused/],
    ["a doctype in the middle", appcast(`<!DOCTYPE x>${item("3")}`), /^not well-formed XML: /],
    ["deeply nested elements", "<a>".repeat(2_000), /^XML nested too deeply$/],
    ...["&nbsp;", "&#0;", "a & b", '<a b="c" b="d"/>', "<a b=c/>", "\0", "<a></b>"].map(
      (broken): [string, string, RegExp] => [
        JSON.stringify(broken),
        appcast(item("3", `<description>${broken}</description>`)),
        /^not well-formed XML: /,
      ],
    ),
  ])("%s", async ([, text, reason]) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

describe("of builds for several architectures", () => {
  const forArm = 'url="https://a.example/arm64/setup.exe" sparkle:os="windows-arm64"';
  const forMost = 'url="https://a.example/x64/setup.exe" sparkle:os="windows-x64"';

  test.for<["macos" | "windows", string, string, string]>([
    ["windows", "separate items", item("9", "", forArm) + item("9", "", forMost), "x64/setup.exe"],
    ["windows", "one item", item("9", "", `${forArm}/><enclosure ${forMost}`), "x64/setup.exe"],
  ])("%s gets the one for most computers: in %s", async ([platform, , items, wanted]) => {
    const { latest } = await read(appcast(items), {}, platform);
    expect(latest?.downloadURL).toBe(`https://a.example/${wanted}`);
  });

  test.for([forArm, 'url="https://a.example/N-arm64.exe"'])("%s alone is the last resort", async (enclosure) => {
    expect((await read(appcast(item("9", "", enclosure)), {}, "windows")).latest?.downloadURL).toMatch(/arm64/);
  });
});

describe("what an item says of processors", () => {
  const build = (number: string, version: string, processor: string, file = `Notes-${number}.dmg`) =>
    item(number, shown(version) + needs(processor), `url="https://a.example/${file}"`);
  const arm = build("100", "2.0", "arm64");

  test.for<["macos" | "windows", what: string, items: string, wanted: string, passedOver?: string[]]>([
    ["macos", "an Intel item of a higher build", arm + build("101", "2.0", "x86_64"), "Notes-100.dmg"],
    [
      "macos",
      "an Intel item of a higher version",
      arm + build("101", "2.1", "x86_64"),
      "Notes-100.dmg",
      ["2.1 (101): for another architecture"],
    ],
    [
      "macos",
      "an Intel item beside one for all",
      item("100", shown("2.0")) + build("101", "2.1", "x86_64"),
      "Notes-100.zip",
      ["2.1 (101): for another architecture"],
    ],
    ["macos", "an Intel item of the same build", arm + build("100", "2.0", "x86_64", "N.dmg"), "Notes-100.dmg"],
    ["macos", "an Intel item alone", build("101", "2.1", "x86_64"), "Notes-101.dmg"],
    ["macos", "an older Intel item", build("102", "2.2", "arm64") + build("101", "2.1", "x86_64"), "Notes-102.dmg"],
    [
      "macos",
      "names of files, with a build for each",
      item("100", shown("2.0"), 'url="https://a.example/N-arm64.dmg"') +
        item("101", shown("2.0"), 'url="https://a.example/N-x64.dmg"'),
      "N-arm64.dmg",
    ],
    ["macos", "both", item("100", shown("2.0")) + build("101", "2.1", "arm64, x86_64"), "Notes-101.dmg"],
    [
      "windows",
      "a system with a processor",
      item("100", "", 'url="https://a.example/N.exe" sparkle:os="windows-x64"') +
        item("101", "", 'url="https://a.example/N-arm.exe" sparkle:os="windows-arm64"'),
      "N.exe",
      ["101: for another architecture"],
    ],
  ])("counts on %s: %s", async ([platform, , items, wanted, passedOver = []]) => {
    const found = await read(appcast(items), {}, platform);
    expect(found.latest?.downloadURL).toBe(`https://a.example/${wanted}`);
    expect(found.passedOver).toEqual(passedOver);
  });

  test("labels each file, those of one item and of two", async () => {
    const two = await read(appcast(arm + build("101", "2.0", "x86_64")));
    const files = [
      { url: "https://a.example/Notes-100.dmg", arch: "arm64" },
      { url: "https://a.example/Notes-101.dmg", arch: "x64" },
    ];
    expect(two.files).toMatchObject(files);
    const enclosures =
      'url="https://a.example/Notes-100.dmg" sparkle:os="macos-arm64"/><enclosure url="https://a.example/Notes-101.dmg" sparkle:os="macos-x86_64"';
    expect((await read(appcast(item("100", "", enclosures)))).files).toMatchObject(files);
    expect((await read(appcast(build("101", "2.1", "x86_64")))).files).toMatchObject([{ arch: "x64" }]);
  });
});

test("one link for several systems is one file", async () => {
  const link = (os: string) => `url="https://a.example/N.zip" sparkle:os="${os}"`;
  const each = [
    item("9", "", link("windows")),
    item("9", "", link("windows-x64")),
    item("9", "", link("windows-arm64")),
  ];
  for (const items of [each.slice(0, 2), each.slice(0, 2).toReversed(), each, each.slice(1)]) {
    const { latest, files } = await read(appcast(items.join("")), {}, "windows");
    expect(latest?.downloadURL).toBe("https://a.example/N.zip");
    expect(files).toHaveLength(1);
  }
  const inOne = item("9", "", `${link("windows")}/><enclosure ${link("windows-x64")}`);
  expect((await read(appcast(inOne), {}, "windows")).latest?.downloadURL).toBe("https://a.example/N.zip");
});

describe("misuse publishes nothing wrong:", () => {
  test("an appcast of a Mac app, configured for Windows", async () => {
    const text = appcast(item("9", "", 'url="https://a.example/Notes-9.zip"'));
    expect((await read(text)).latest?.downloadURL).toMatch(/Notes-9\.zip$/);
    await expect(read(text, {}, "windows")).rejects.toThrow(
      "no item in the appcast has a version and an installer for windows (9: no installer for windows); " +
        '"windows": "none" if it is for other systems only',
    );
  });

  test.for(['os="android"', 'sparkle:os="android"'])("an appcast of an Android app (%s)", async (os) => {
    const text = appcast(item("9", "", `${os} url="https://a.example/N.apk"`));
    for (const platform of ["macos", "windows"] as const)
      expect((await read(text, {}, platform)).payload).toEqual(NONE);
  });

  test.for(["%VER%", "__VERSION__", "{{ version }}"])("a template that was not filled in (%s)", async (version) => {
    const text = appcast(item("9", shown(version)));
    await expect(read(text)).rejects.toThrow("a version without a digit: a template that was not filled in?");
  });

  test.for(["REPLACE_WITH_GITHUB_RELEASE_ZIP_URL", "N-{{version}}.dmg", "N-%VER%.dmg", "N-${VERSION}.dmg"])(
    "a link with a placeholder (%s)",
    async (link) => {
      const refused = read(appcast(item("9", "", `url="${link}"`)));
      await expect(refused).rejects.toThrow("a link with a placeholder: a template that was not filled in?");
    },
  );
});
