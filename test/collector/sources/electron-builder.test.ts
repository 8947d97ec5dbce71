// Releases from latest.yml and latest-mac.yml, as electron-builder writes them and in hostile variants.
import { describe, expect, test } from "vitest";
import {
  publishedRelease,
  payloadOrReason,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { body, type Behaviour } from "../../support/collecting/upstream.ts";
import { SECRET_WORD } from "../../support/collecting/upstream-failures.ts";

const yaml = (text: string): Behaviour => body(text, { "content-type": "text/yaml" });

const MAC = `version: 2.10
files:
  - url: Acme%20Notes-2.10-arm64-mac.zip
    sha512: xyzzy==
    size: 95120034
  - url: Acme%20Notes-2.10-mac.zip
    size: 101120034
    blockMapSize: 104221
  - url: Acme Notes-2.10.dmg
    size: 104211334
path: Acme%20Notes-2.10-arm64-mac.zip
sha512: xyzzy==
releaseName: 'It''s here: 2.10'
releaseNotes: |-
  ## What's new

  * Faster: search # not a comment
    - nested
releaseDate: '2026-11-02T10:01:02.345Z'
stagingPercentage: 25
`;
const windows = (more = "", files = ["Notes-Setup-2.4.1.exe"]) =>
  `version: 2.4.1\nfiles:\n${files.map((url) => `  - url: ${url}\n    size: 88123456\n`).join("")}${more}`;

/** macOS from /latest-mac.yml, Windows from /latest.yml?key=SECRET_WORD. */
const start = (mac: Behaviour, win: Behaviour, settings: object = {}, environment: Record<string, string> = {}) => {
  const paths = { "/latest-mac.yml": mac, [`/latest.yml?key=${SECRET_WORD}`]: win };
  const from = "electron-builder";
  return startReleaseCollector(
    ({ url }) => ({
      macos: { from, url: url("/latest-mac.yml"), ...settings },
      windows: { from, url: url(`/latest.yml?key=${SECRET_WORD}`), ...settings },
    }),
    { paths, environment },
  );
};
const fromWindows = async (text: string | Behaviour, settings: object = {}) => {
  const behaviour = typeof text === "string" ? yaml(text) : text;
  const { run } = await start(yaml(MAC), behaviour, settings);
  const { macos, windows, all } = await run();
  expect(macos?.result).toBe("changed");
  expect(all).not.toContain(SECRET_WORD);
  return windows;
};

test("each platform has its own document; installers are preferred to bundles for the updater", async () => {
  const { run, explain, upstream } = await start(yaml(MAC), yaml(windows("releaseDate: 2026-11-02\n")));
  const { macos, windows: win } = await run();
  expect(payloadOrReason(macos)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "2.10",
      changelog: "What's new\n\n- Faster: search # not a comment\n  - nested",
      downloadURL: `${upstream.origin}/Acme%20Notes-2.10.dmg`,
      size: "104211334",
      date: "2026-11-02T10:01:02.345Z",
    },
  });
  expect(publishedRelease(win)).toMatchObject({
    version: "2.4.1",
    date: "2026-11-02",
    changelog: "",
    size: "88123456",
  });
  expect(publishedRelease(win).downloadURL).toBe(`${upstream.origin}/Notes-Setup-2.4.1.exe`);
  const { picked, skipped } = await explain("macos");
  expect(picked).toBe("Acme Notes-2.10.dmg of 2.10");
  expect(skipped).toContain("Acme%20Notes-2.10-mac.zip: a lesser choice");
});

test("the configured architecture is picked", async () => {
  const files = ["N-x64.exe", "N-arm64.exe"];
  const picked = async (settings: object) =>
    publishedRelease(await fromWindows(windows("", files), settings)).downloadURL;
  expect(await picked({})).toMatch(/N-x64\.exe$/);
  expect(await picked({ arch: "arm64" })).toMatch(/N-arm64\.exe$/);
});

describe("is read:", () => {
  test.for<[string, string, object]>([
    [
      "Windows line ends and a byte order mark",
      `\uFEFF${windows("releaseNotes: a\n").replaceAll("\n", "\r\n")}`,
      { changelog: "a" },
    ],
    [
      "notes for several versions, of which this version's are published",
      windows(
        "releaseNotes:\n  - version: 2.4.0\n    note: null\n  - version: 2.4.1\n    note: |\n      Fixed A\n      Fixed B\n",
      ),
      { changelog: "Fixed A\nFixed B" },
    ],
    ["notes that are null", windows("releaseNotes: null\n"), { changelog: "" }],
    ["a missing size", "version: 2.4.1\nfiles:\n  - url: N.exe\n", { size: "" }],
    ["a size of 0", "version: 2.4.1\nfiles: [{url: N.exe, size: 0}]\n", { size: "" }],
    ["old documents, which only have a path", "version: 2.4.1\npath: N.exe\nsha512: xyzzy\n", { size: "" }],
    [
      "links elsewhere",
      windows("", ["https://dl.example.com/ü/N.exe?a=1&b=2"]),
      { downloadURL: "https://dl.example.com/%C3%BC/N.exe?a=1&b=2" },
    ],
    ["a version that looks like a number, with its last zero", windows().replace("2.4.1", "1.20"), { version: "1.20" }],
    ["a version that looks like a date", windows().replace("2.4.1", "2026-01-02"), { version: "2026-01-02" }],
  ])("%s", async ([, text, fields]) => {
    expect(publishedRelease(await fromWindows(text))).toMatchObject(fields);
  });
});

describe("is refused:", () => {
  test.for<[string, string | Behaviour, RegExp]>([
    ["an empty file", yaml(""), /^not (YAML|an electron-builder update feed): /],
    [
      "a document without files",
      yaml("version: 2.4.1\n"),
      /no file in the feed is known to be an installer for windows/,
    ],
    ["the document of the other platform", yaml(MAC), /no file in the feed is known to be an installer for windows/],
    ["two documents", yaml(`${windows()}---\n${windows()}`), /^not YAML: /],
    ["a key twice", yaml(`${windows()}version: 9.9.9\n`), /^not YAML: /],
    [
      "an anchor and its alias",
      yaml(`${windows()}a: &a ${SECRET_WORD}\nb: *a\n`),
      /^YAML with an alias, which is refused$/,
    ],
    [
      "a billion laughs",
      yaml(
        `a: &a [x,x]\n${["b", "c", "d"].map((key, at) => `${key}: &${key} [${`*${"abc"[at]},`.repeat(9)}]\n`).join("")}`,
      ),
      /alias/,
    ],
    ["a merge of an alias", yaml(`a: &a {version: 9}\n<<: *a\n${windows()}`), /alias/],
    ["a tag", yaml(`${windows()}x: !!js/function 'xyzzy'\n`), /^YAML with a tag, which is refused$/],
    ["endlessly nested lists", yaml("[".repeat(4_000)), /^YAML nested too deeply$/],
    ["endlessly nested maps", yaml("{a: ".repeat(1_000)), /^YAML nested too deeply$/],
    ["endless dashes", yaml("- ".repeat(2_000)), /^YAML nested too deeply$/],
    ["endless question marks", yaml("? ".repeat(2_000)), /^YAML nested too deeply$/],
    ["more than 64 KiB", yaml(windows(`#${"x".repeat(1024 * 1024)}`)), /^a document of more than 64 KiB$/],
    [
      "a link with a password",
      yaml(windows("", [`https://me:${SECRET_WORD}@dl.example.com/N.exe`])),
      /^latest\.downloadURL: /,
    ],
    ["a link to a script", yaml(windows("", ["javascript:alert(1)//N.exe"])), /^latest\.downloadURL: /],
    ["a version of many lines", yaml(windows().replace("2.4.1", `|\n  2\n  ${SECRET_WORD}\n`)), /^latest\.version: /],
    [
      "a prototype",
      yaml("__proto__:\n  version: 2.4.1\n  files: [{url: N.exe}]\n"),
      /^not an electron-builder update feed: version: /,
    ],
  ])("%s", async ([, behaviour, reason]) => {
    expect(payloadOrReason(await fromWindows(behaviour))).toMatch(reason);
  });
});

test("a leading v is no part of the version", async () => {
  const text = windows().replace("version: 2.4.1", "version: v2.4.1");
  expect(publishedRelease(await fromWindows(text)).version).toBe("2.4.1");
});
