// Releases from the XML document of AutoUpdater.NET.
import { describe, expect, test } from "vitest";
import {
  payloadOrReason,
  publishedRelease,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { SECRET_WORD } from "../../support/collecting/upstream-failures.ts";
import { body, json, type Behaviour } from "../../support/collecting/upstream.ts";

const xml = (text: string): Behaviour => body(text, { "content-type": "application/xml" });
const item = (more = "", { version = "2.4.1.0", url = "https://dl.example.com/NotesSetup.exe" } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<item>
  <version>${version}</version>
  <url>${url}</url>
  ${more}
</item>`;

const start = (behaviour: Behaviour, settings: object = {}) =>
  startReleaseCollector(
    ({ url }) => ({
      macos: "none",
      windows: { from: "autoupdater", url: url("/app/update.xml"), ...settings },
    }),
    { paths: { "/app/update.xml": behaviour } },
  );
const collected = async (behaviour: Behaviour | string, settings: object = {}) => {
  const { run } = await start(typeof behaviour === "string" ? xml(behaviour) : behaviour, settings);
  const { windows, all } = await run();
  expect(all).not.toContain(SECRET_WORD);
  return windows;
};

test("version, link and mandatory are published; the linked changelog, arguments and checksum are not", async () => {
  const { run, explain } = await start(
    xml(
      item(`<changelog>https://dl.example.com/${SECRET_WORD}</changelog>
      <mandatory mode="2">true</mandatory>
      <executable>bin\\${SECRET_WORD}.exe</executable>
      <args>/quiet ${SECRET_WORD}</args>
      <checksum algorithm="MD5">${SECRET_WORD}</checksum>`),
    ),
  );
  const { windows, macos, all } = await run();
  expect(payloadOrReason(windows)).toEqual({
    hasUpdate: true,
    forceUpdate: true,
    latest: {
      platform: "windows",
      version: "2.4.1.0",
      changelog: "",
      downloadURL: "https://dl.example.com/NotesSetup.exe",
      size: "",
      date: "",
    },
  });
  expect(payloadOrReason(macos)).toEqual({ hasUpdate: false });
  expect(all).not.toContain(SECRET_WORD);
  const { picked, skipped } = await explain("windows");
  expect(picked).toBe("NotesSetup.exe of 2.4.1.0");
  expect(skipped).toEqual(["2.4.1.0: its changelog is behind a link, which is not followed"]);
});

describe("an update is forced", () => {
  test.for<[string, boolean]>([
    ["", false],
    ["<mandatory>false</mandatory>", false],
    ["<mandatory/>", false],
    ["<mandatory> True </mandatory>", true],
    ["<mandatory>1</mandatory>", true],
    ['<mandatory mode="1">true</mandatory>', true],
    ['<mandatory mode="2">false</mandatory>', false],
    ['<mandatory minVersion="">true</mandatory>', true],
    ['<mandatory minVersion="1.2.0.0">true</mandatory>', false],
    ['<mandatory minVersion="2.4.1.0">true</mandatory>', true],
  ])("by %j: %s", async ([mandatory, isForced]) => {
    expect(payloadOrReason(await collected(item(mandatory)))).toMatchObject({ forceUpdate: isForced });
  });

  test("by the settings, and not for some versions only, which is reported", async () => {
    const document = item('<mandatory minVersion="1.2.0.0" mode="1">true</mandatory>');
    expect(payloadOrReason(await collected(document, { forceUpdate: true }))).toMatchObject({ forceUpdate: true });
    const { skipped } = await (await start(xml(document))).explain("windows");
    expect(skipped).toEqual(["2.4.1.0: mandatory only below 1.2.0.0; not forced"]);
  });
});

describe("the link is", () => {
  test.for<[string, string, object?]>([
    ["files/Notes.msi", "/app/files/Notes.msi"],
    ["/Notes-arm64.exe?a=1&amp;b=2", "/Notes-arm64.exe?a=1&b=2"],
    ["Notes.zip", "/app/Notes.zip"],
    ["https://dl.example.com/uc?export=download&amp;id=1eXN", "/uc?export=download&id=1eXN"],
    ["https://acme.com/download", "/app/Notes-2.4.1.0.exe", { installer: "Notes-{version}.exe" }],
  ])("%s: %s", async ([url, wanted, settings = {}]) => {
    const { downloadURL } = publishedRelease(await collected(item("", { url }), settings));
    expect(downloadURL.replace(/^https?:\/\/[^/]+/, "")).toBe(wanted);
  });
});

describe("is refused:", () => {
  const link = (url: string) => xml(item("", { url }));
  test.for<[string, Behaviour, RegExp]>([
    ["JSON", json({ item: SECRET_WORD }), /^not (well-formed XML|a document of AutoUpdater\.NET): /],
    ["a DOCTYPE", xml(`<!DOCTYPE item>${item()}`), /^XML with a DOCTYPE, which is refused/],
    ["an empty item", xml("<item/>"), /version: must not be empty/],
    ["no version", xml("<item><url>N.exe</url></item>"), /version: must not be empty$/],
    ["no link", xml("<item><version>1.0</version><url> </url></item>"), /url: must not be empty$/],
    ["two versions", xml(item("<version>9.9</version>")), /version: must occur once/],
    ["two marks", xml(item("<mandatory>true</mandatory><mandatory/>")), /mandatory: must occur once$/],
    [
      "a page instead of a file",
      link("https://acme.com/download.html"),
      /^no file in the document is known to be an installer for windows \(download\.html: not an installer\)$/,
    ],
    ["a disk image", link("Notes.dmg"), /\(Notes\.dmg: for another platform\)$/],
    ["a link to a script", link("javascript:alert(1)//N.exe"), /^latest\.downloadURL: /],
    ["a template as a version", xml(item("", { version: "%VER%" })), /^a version without a digit: a template/],
  ])("%s", async ([, behaviour, reason]) => {
    expect(payloadOrReason(await collected(behaviour))).toMatch(reason);
  });
});
