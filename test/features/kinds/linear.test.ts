// Whatever an upstream sends, reading it takes time in proportion to its length: each row is the worst text for one parser or pattern.
import { describe, test } from "vitest";
import { readSparkle } from "../../../collector/features/kinds/feeds/appcast.ts";
import { readElectronBuilder } from "../../../collector/features/kinds/feeds/electron-builder.ts";
import { readSquirrel } from "../../../collector/features/kinds/feeds/squirrel.ts";
import { readGitHub } from "../../../collector/features/kinds/forges/github.ts";
import { htmlText } from "../../../collector/features/kinds/html.ts";
import { ownCandidate, parseDocument } from "../../../collector/features/kinds/own-shape/own-candidate.ts";
import { mappedCandidate } from "../../../collector/features/kinds/own-shape/fields.ts";
import { chooseInstaller } from "../../../collector/features/kinds/releases/installer.ts";
import { markdownText } from "../../../collector/features/kinds/releases/markdown.ts";
import { newestRelease } from "../../../collector/features/kinds/releases/release-list.ts";
import { refuseOtherRelease, releaseCandidate } from "../../../collector/features/kinds/releases/release.ts";
import { readTag } from "../../../collector/features/kinds/releases/tag.ts";
import { newestVersion } from "../../../collector/features/kinds/releases/version-feed.ts";
import { changelogText } from "../../../collector/features/kinds/shape.ts";
import { newestFirst } from "../../../collector/features/versions/version.ts";
import type { TypedText } from "../../../collector/http/fetch.ts";
import { counted, expectLinear, filled, type Worst } from "../../support/linear.ts";
import { cycleOf, planOf } from "../../support/snapshot.ts";

const read =
  (reader: (document: TypedText) => unknown, text: (size: number) => string): Worst =>
  (size) => {
    const document = { text: text(size), type: "", bytes: size };
    return () => reader(document);
  };
const appcast = (item: string) =>
  `<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>${item}</channel></rss>`;
const items = (item: (index: number) => string) =>
  read(readSparkle, (size) =>
    appcast(Array.from({ length: size }, (_, index) => `<item>${item(index)}</item>`).join("")),
  );
const xml = (text: (size: number) => string) => read(readSparkle, (size) => appcast(`<item>${text(size)}</item>`));
const yaml = (text: string) => read(readElectronBuilder, (size) => filled(text, size));
const notes =
  (text: (size: number) => string): Worst =>
  (size) => {
    const markdown = text(size);
    return () => markdownText(markdown);
  };

describe("documents (collector/features/kinds/feeds, html.ts, releases/markdown.ts)", () => {
  test.for<[what: string, size: number, worst: Worst]>([
    ["appcast: items", 500, items(() => "<sparkle:version>1</sparkle:version>")],
    ["appcast: long builds", 600, items((index) => `<sparkle:version>${"1.".repeat(97)}${index}</sparkle:version>`)],
    [
      "appcast: digits for a processor",
      8_000,
      xml((size) => `<sparkle:hardwareRequirements>${"1".repeat(size)}</sparkle:hardwareRequirements>`),
    ],
    ["appcast: enclosures", 4_000, xml((size) => filled("<enclosure/>", size * 12))],
    ["appcast: CDATA", 50_000, xml((size) => `<![CDATA[${filled("]]", size)}]]>`)],
    ["appcast: spaces in a date", 50_000, xml((size) => `<pubDate>Mon,${" ".repeat(size)}1</pubDate>`)],
    [
      "XML: attributes",
      3_000,
      read(readSparkle, (size) => `<rss ${Array.from({ length: size }, (_, at) => `a${at}=""`).join(" ")}/>`),
    ],
    [
      "YAML: keys between brackets",
      10_000,
      read(readElectronBuilder, (size) => `{${counted((index) => `${index.toString(36)},`, size)}}`),
    ],
    ...["a: b\n", "- ", "[", "a: &a b\n", "- *a\n", '"'].map((text): [string, number, Worst] => [
      `YAML: ${JSON.stringify(text)}`,
      1_500,
      yaml(text),
    ]),
    ...["[", "![", "](", "<", "*a **a ", "`a``b", "> ", "- ", "|a|b|\n", "&#", "<!--", "[a]: b\n"].map(
      (text): [string, number, Worst] => [`notes: ${JSON.stringify(text)}`, 4_000, notes((size) => filled(text, size))],
    ),
    [
      "notes: a definition that is used often",
      7_500,
      notes((size) => `[a]: https://a.b/${"x".repeat(size / 2)}\n\n${"[a]".repeat(size / 6)}`),
    ],
    ["notes: its title", 7_500, notes((size) => `[a]: b "${"x".repeat(size / 2)}"\n\n${"[a]".repeat(size / 6)}`)],
    ["HTML: elements", 25_000, (size) => () => htmlText(filled("<ul><li><a href=x>b</a></ul>", size))],
    ["HTML: comments in a style", 50_000, (size) => () => htmlText(`<b style="${filled("/*", size)}">x`)],
    ["HTML: spaces", 50_000, (size) => () => htmlText(`<p>a${" ".repeat(size)}b`)],
    ["changelog: invisible characters", 50_000, (size) => () => changelogText(filled("\u{e0001}क\u200d", size))],
    [
      "RELEASES: lines",
      1_000,
      read(readSquirrel, (size) =>
        Array.from({ length: size }, (_, at) => `${"a".repeat(40)} N-1.0.${at}-full.nupkg 1`).join("\n"),
      ),
    ],
    ["JSON: a key again and again", 10_000, read(parseDocument, (size) => `{${'"a":1,'.repeat(size)}"b":1}`)],
  ])("%s", ([, size, worst]) => expectLinear(size, worst));
});

const release = (tag: string, names: string[], published_at = "2026-11-01T00:00:00Z") => {
  const assets = names.map((name) => ({ name, state: "uploaded", browser_download_url: `https://dl.example/${tag}` }));
  return { tag_name: tag, draft: false, prerelease: false, published_at, body: "", assets };
};
const CRITERIA = { prereleases: false, forceUpdate: false, product: "notes", platform: "macos" as const };
const chosen =
  (list: (size: number) => object[], criteria: object = {}): Worst =>
  (size) => {
    const text = JSON.stringify(list(size));
    const releases = readGitHub({ text, type: "", bytes: text.length }) as never[];
    return () => newestRelease({ releases, isWhole: true, askedAt: 0 }, { ...CRITERIA, ...criteria });
  };
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const files =
  (name: (size: number) => string): Worst =>
  (size) => {
    const both = ["", "b"].map((end) => ({ name: `${name(size)}${end}.dmg` }));
    return () => chooseInstaller(both, { platform: "macos", acceptsUnmarked: true, version: "1" });
  };
const installers =
  (long: string, name: string): Worst =>
  (size) => {
    const all = [{ name: `Notes-${filled(long, 16 * size)}.dmg` }, ...many(size, () => ({ name }))];
    return () => chooseInstaller(all, { platform: "macos", acceptsUnmarked: true });
  };
const linked =
  (path: (size: number) => string): Worst =>
  (size) => {
    const url = `https://dl.example/${path(size)}`;
    return () => {
      releaseCandidate("macos", { version: "1", url, forceUpdate: false, picked: "", skipped: [] });
      refuseOtherRelease(url, ["7.0"]);
    };
  };
const FEED = {
  platform: "windows" as const,
  url: "https://a.example/",
  installer: "a.exe",
  prereleases: false,
  forceUpdate: false,
};

describe("releases, files and versions (collector/features/kinds/releases)", () => {
  test.for<[what: string, size: number, worst: Worst]>([
    ["tags that are all alike", 60, chosen((size) => many(size, () => release("v1.0.0", ["N.txt"])))],
    ["long tags", 60, chosen((size) => many(size, (at) => release(`v${"1.".repeat(90)}${at}`, ["N.dmg"])))],
    ["a product for each release", 60, chosen((size) => many(size, (at) => release(`p${at}x@1.${at}.0`, ["N.dmg"])))],
    [
      "releases without an installer after one with many files",
      100,
      chosen(
        (size) => [
          release(
            "v1.0.0",
            many(size, (at) => `N-${at}-mac-${"a-".repeat(50)}.dmg`),
          ),
          ...many(size, (at) => release(`v2.${at}.0`, ["N.txt"], "2026-11-02T00:00:00Z")),
        ],
        { asset: "N-1-*" },
      ),
    ],
    [
      "releases that a setting leaves out",
      200,
      chosen((size) => many(size, (at) => release(`v${8 + (at % 2)}.${at}.0`, ["N.dmg"])), { tag: "v8.*" }),
    ],
    [
      "files of one release",
      100,
      chosen((size) => [
        release(
          "v1.0.0",
          many(size, (at) => `N-${at}-mac-x64.dmg`),
        ),
      ]),
    ],
    ["files for another processor", 800, installers("a-", "Notes-x64.dmg")],
    ["files that are as good", 800, installers("1.", "Notes.dmg")],
    ...["1", "1.", "1.1-", "-", "a-", "_1", "mac-", ".sha1", "%aa"].map((text): [string, number, Worst] => [
      `a name of ${text}`,
      2_500,
      files((size) => filled(text, size)),
    ]),
    ...["1", "1.", "%31", "__A"].map((text): [string, number, Worst] => [
      `a link of ${text}`,
      5_000,
      linked((size) => filled(text, size)),
    ]),
    [
      "a link of versions",
      2_000,
      linked((size) => `${counted((at) => `-1.${at}`, size)}/${counted((at) => `-2.${at}`, size)}`),
    ],
    ...["1.", "a", "-1", "_1", "osx-"].map((text): [string, number, Worst] => [
      `a tag of ${text}`,
      50,
      (size) => () => many(100, () => readTag(`x${filled(text, size)}!`, undefined)),
    ]),
    [
      "versions that are nearly equal",
      200,
      (size) => () =>
        newestFirst(
          many(size, (at) => "1.".repeat(97) + at),
          String,
        ),
    ],
    [
      "entries of a feed",
      500,
      (size) => {
        const listed = many(size, (at) => ({ version: `1.0.${at}`, notes: "x".repeat(1_000), date: "", link: "" }));
        return () => newestVersion(listed, [], FEED);
      },
    ],
  ])("%s", ([, size, worst]) => expectLinear(size, worst));
});

const POINTERS = {
  plans: "/plans",
  id: { slug: "/name" },
  currency: "USD",
  cycles: many(20, (at) => cycleOf(`c${at}`, at + 1)),
  monthlyPrice: "/c0",
  annualPrice: "/c11",
  prices: Object.fromEntries(many(20, (at) => [`c${at}`, `/c${at}`])),
};

describe("plans (collector/features/kinds/own-shape)", () => {
  test.for<[what: string, size: number, worst: Worst]>([
    [
      "amounts",
      25,
      (size) => {
        const document = {
          plans: many(size, (id) => ({ name: `p${id}`, ...Object.fromEntries(many(20, (at) => [`c${at}`, "$1.50"])) })),
        };
        return () => mappedCandidate(document, "plans", POINTERS as never);
      },
    ],
    [
      "a name of marks",
      4_000,
      (size) => {
        const document = { plans: [{ name: `p${filled("\u0315\u0323", size)}` }] };
        return () => mappedCandidate(document, "plans", POINTERS as never);
      },
    ],
    [
      "fields that are not listed",
      2_500,
      (size) => {
        const document = {
          currency: "USD",
          cycles: [],
          plans: [planOf("a", {})],
          ...Object.fromEntries(many(size, (at) => [`k${at}`, 1])),
        };
        return () => ownCandidate(document, "plans", { names: ["plans"] });
      },
    ],
  ])("%s", ([, size, worst]) => expectLinear(size, worst));
});
