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
  ])("%s", async ([, later, reason]) => {
    await expect(read(appcast(later + old))).rejects.toThrow(reason);
  });

  test("but a backport is", async () => {
    const text = appcast(dated("199", "1.9.9", "03") + dated("200", "2.0", "02") + dated("198", "1.9.8", "01"));
    expect((await read(text)).latest).toMatchObject({ version: "2.0" });
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
  ...["Wed, 31 Sep 2025 10:00:00 +0000", "Sat, 29 Feb 2025 10:00:00 GMT", "Wed, 26 Thu 2022 7:00:00 +0900"].map(
    (date): [string, string] => [date, date],
  ),
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
    ["in a channel", item("9", "<sparkle:channel>beta</sparkle:channel>"), "9: in a channel"],
    ["for Windows", item("9", "", 'url="https://a.example/N.exe" sparkle:os="windows"'), "9: for another platform"],
    [
      "that is a delta only",
      item("9", "", 'url="https://a.example/9.delta" sparkle:deltaFrom="8"'),
      "9: nothing to install",
    ],
    [
      "that only informs",
      item("9", "<sparkle:informationalUpdate></sparkle:informationalUpdate>"),
      "9: nothing to install",
    ],
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
  const inChannel = (count: number) =>
    appcast(
      Array.from({ length: count }, (_, index) =>
        item(String(index + 1), "<sparkle:channel>beta</sparkle:channel>"),
      ).join(""),
    );
  const forWindows = item("9", "", 'url="https://a.example/N.exe" sparkle:os="windows"');
  for (const text of [appcast(""), inChannel(20), appcast(forWindows)]) {
    expect((await read(text)).payload).toEqual(NONE);
  }
  // Of thousands, only the newest are read; and an odd item may be anything.
  for (const text of [inChannel(2_000), appcast("<item><title>9</title></item>")]) {
    await expect(read(text)).rejects.toThrow(/^no item in the appcast has a version and an installer/);
  }
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
