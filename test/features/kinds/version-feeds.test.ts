// Feeds of versions, which name packages for an updater: RELEASES of Squirrel.Windows, RELEASES.json of Squirrel.Mac, and Velopack's.
import { describe, expect, test } from "vitest";
import { payloadOf, readSource } from "../../support/collecting/read-source.ts";
import { body, json, type Behaviour } from "../../support/collecting/upstream.ts";

const SHA1 = "0d777ea94c612e8bf1ea7379164caefba6e24463";
const entry = (name: string, comment = "") => `${SHA1} ${name} 600752${comment}`;
const packages = (...lines: string[]) => body(lines.join("\n"), { "content-type": "application/octet-stream" });
const release = (version: string, fields: object = {}) => ({
  version,
  updateTo: { version, name: "xyzzy", url: `https://dl.example.com/Notes-darwin-arm64-${version}.zip`, ...fields },
});
const current = (currentRelease: string, ...releases: object[]) => json({ currentRelease, releases });
const asset = (version: string, type: "Full" | "Delta" = "Full", fields: object = {}) => ({
  PackageId: "Acme.Notes",
  Version: version,
  Type: type,
  SHA256: "xyzzy",
  NotesMarkdown: `## ${version}\r\n- Fixed A`,
  ...fields,
});
const feed = (...assets: object[]) => json({ Assets: assets });

const FULL = entry("Notes-1.2.3-full.nupkg");
const BETA = entry("Notes-2.0.0-beta1-full.nupkg");
const SETUP = "Notes-{version}-Setup.exe";

const fromWindows = (answer: Behaviour, settings: object = {}) =>
  readSource({ from: "squirrel", installer: SETUP, ...settings }, answer, { name: "release-windows" });
const fromMac = (answer: Behaviour, settings: object = {}) => readSource({ from: "squirrel", ...settings }, answer);
const fromVelopack = (answer: Behaviour, settings: object = {}, path = "/app/releases.win.json") =>
  readSource({ from: "velopack", installer: "Setup.exe", ...settings }, answer, { name: "release-windows", path });

describe("the highest version is published, in whatever order the feed has them (collector/features/kinds/releases/version-feed.ts):", () => {
  test("RELEASES gives the version, the settings its installer", async () => {
    const lines = ["1.10.0-delta", "1.9.0-full", "1.10.0-full"].map((name) => entry(`Notes-${name}.nupkg`));
    for (const given of [lines.join("\n"), `\uFEFF${lines.toReversed().join("\r\n")}\r\n# a comment\r\n`]) {
      const { payload, picked, origin } = await fromWindows(body(given));
      expect(payload).toEqual(payloadOf("windows", "1.10.0", `${origin}/app/Notes-1.10.0-Setup.exe`));
      expect(picked).toBe("Notes-1.10.0-Setup.exe of 1.10.0");
    }
  });

  test("Velopack's has notes, too; of equal versions the one with notes counts", async () => {
    const assets = [asset("1.9.0"), asset("1.10.0", "Delta", { NotesMarkdown: null }), asset("1.10.0+7"), asset("1.2")];
    for (const given of [assets, assets.toReversed()]) {
      const { payload, picked, origin } = await fromVelopack(feed(...given));
      const notes = { changelog: "1.10.0+7\n- Fixed A" };
      expect(payload).toEqual(payloadOf("windows", "1.10.0+7", `${origin}/app/Setup.exe`, notes));
      expect(picked).toBe("Setup.exe of 1.10.0+7");
    }
  });

  test("an installer of one version is warned of, as the next one has another", async () => {
    const of = async (installer: string) => (await fromWindows(packages(FULL), { installer })).warnings;
    expect(await of("Notes-1.2.3-Setup.exe")).toEqual([
      '"installer" is that of 1.2.3 only: write {version} there in its place',
    ]);
    expect(await of(SETUP)).toEqual([]);
    expect(await of("Notes-Setup.exe")).toEqual([]);
  });

  test("but RELEASES.json names the current one, with every field", async () => {
    const fields = { notes: "- Fixed A\r\n- Fixed B", pub_date: "2026-11-02T10:01:02+01:00" };
    const listed = [release("1.3.0"), release("1.2.3", fields), release("1.2.0")];
    const { payload, skipped } = await fromMac(current("1.2.3", ...listed));
    const more = { changelog: "- Fixed A\n- Fixed B", date: fields.pub_date };
    expect(payload).toEqual(payloadOf("macos", "1.2.3", "https://dl.example.com/Notes-darwin-arm64-1.2.3.zip", more));
    expect(skipped).toEqual(["1.3.0: not the current release"]);
  });
});

test.for([
  ["Notes-1.2.3-full.nupkg", "1.2.3"],
  ["pulsar_launcher-0.1.0-full.nupkg", "0.1.0"],
  ["My-App-2-1.0.0.4-delta.nupkg", "1.0.0.4"],
  ["7zip-9.20-full.nupkg", "9.20"],
  ["App.1.4.0.nupkg", "1.4.0"],
  ["Notes-2.0.0-hotfix.1-full.nupkg", "2.0.0-hotfix.1"],
  ["Notes-1.2.3-win-x64-full.nupkg", "1.2.3"],
  ["https://dl.example.com/v9/Notes-1.2.3-full.nupkg?key=xyzzy", "1.2.3"],
])("the version is read from %s: %s", async ([name = "", version]) => {
  expect((await fromWindows(packages(entry(name)))).latest).toMatchObject({ version });
});

test("a staged version waits until it is for everyone, unless there is no other", async () => {
  const staged = ["# 10%", " # 50%"].map((comment, index) => entry(`Notes-1.3.${index}-full.nupkg`, comment));
  const waiting = await fromWindows(packages(FULL, ...staged));
  expect(waiting.latest).toMatchObject({ version: "1.2.3" });
  expect(waiting.skipped).toEqual(["1.3.0: for 10 % of the users", "1.3.1: for 50 % of the users"]);
  const forAll = packages(FULL, entry("Notes-1.3.0-full.nupkg", "# 100%"));
  expect((await fromWindows(forAll)).latest).toMatchObject({ version: "1.3.0" });
  expect((await fromWindows(packages(...staged))).latest).toMatchObject({ version: "1.3.1" });
});

test("a version that was stopped, for none of the users, is never the newest", async () => {
  const stopped = entry("Notes-1.3.0-full.nupkg", "# 0%");
  for (const line of [FULL, entry("Notes-1.2.3-full.nupkg", "# 10%")]) {
    const { latest, skipped } = await fromWindows(packages(line, stopped));
    expect(latest).toMatchObject({ version: "1.2.3" });
    expect(skipped).toContain("1.3.0: for 0 % of the users");
  }
});

test("a delta is never the newest, and told if its full package is missing", async () => {
  const without = { Type: undefined };
  const assets = [asset("1.3.0", "Delta"), asset("1.2.0"), asset("1.2.0", "Delta"), asset("1.1.0", "Delta")];
  const { latest, skipped, passedOver } = await fromVelopack(feed(...assets));
  expect(latest).toMatchObject({ version: "1.2.0" });
  expect(skipped).toEqual(["1.3.0: no full package", "1.1.0: no full package"]);
  expect(passedOver).toEqual(["1.3.0: no full package"]);
  // Without a type, the name says it.
  const named = [
    asset("1.3.0", "Full", { ...without, FileName: "Notes-1.3.0-delta.nupkg" }),
    asset("1.2.0", "Full", { ...without, FileName: "Notes-1.2.0-full.nupkg" }),
    asset("1.4.0", "Full", { Type: "Unknown" }),
  ];
  expect((await fromVelopack(feed(...named))).latest).toMatchObject({ version: "1.2.0" });
});

test("no release is published only by a feed that plainly has none", async () => {
  for (const { payload } of [await fromMac(current("")), await fromMac(current("1.2.3")), await fromVelopack(feed())]) {
    expect(payload).toEqual({ hasUpdate: false });
  }
  await expect(fromWindows(body(""))).rejects.toThrow("not a RELEASES file: application/json, 0 bytes");
});

test("prereleases are skipped, and taken if the settings say so", async () => {
  const { latest, skipped } = await fromWindows(packages(FULL, BETA));
  expect(latest).toMatchObject({ version: "1.2.3" });
  expect(skipped).toEqual(["2.0.0-beta1: a prerelease"]);
  const taken = await fromWindows(packages(FULL, BETA), { prereleases: true });
  expect(taken.latest?.downloadURL).toMatch(/\/Notes-2\.0\.0-beta1-Setup\.exe$/);
});

describe("is refused:", () => {
  const FIXED = "https://dl.example.com/Setup.exe";
  test.for<[what: string, refused: () => Promise<unknown>, reason: RegExp]>([
    ["a broken line", () => fromWindows(packages(FULL, "xyzzy")), /^not a RELEASES file: [^x]*$/],
    [
      "a package without a version",
      () => fromWindows(packages(FULL, entry("Notes-full.nupkg"))),
      /^no version in the name of the package Notes-full\.nupkg$/,
    ],
    [
      "prereleases alone, which are named",
      () => fromVelopack(feed(asset("2.0.0-beta.1"), asset("2.0.0-beta.2"))),
      /^only prereleases are listed \(2\.0\.0-beta\.2, 2\.0\.0-beta\.1\): "prereleases": true takes them$/,
    ],
    [
      "a prerelease above the version that the fixed link would be for",
      () => fromWindows(packages(FULL, BETA), { installer: FIXED }),
      /^2\.0\.0-beta1 is newer than 1\.2\.3, and "installer" is the same link for both: write \{version\} into it/,
    ],
    [
      "versions for none of the users",
      () => fromWindows(packages(...["1.2.3", "1.2.4"].map((version) => entry(`Notes-${version}-full.nupkg`, "# 0%")))),
      /^every version is for 0 % of the users: raise the percentage of one$/,
    ],
    ["deltas alone", () => fromVelopack(feed(asset("1.2.3", "Delta"))), /^it lists no full package, only deltas$/],
    ["RELEASES for macOS", () => fromMac(packages(FULL)), /^it only names update packages: set "installer" to a link$/],
    [
      "a release without a link",
      () => fromMac(current("1.2.3", release("1.2.3", { url: undefined }))),
      /^not a RELEASES\.json: releases\[0\]\.updateTo\.url: /,
    ],
    [
      "a current release that is not listed",
      () => fromMac(current("1.2.4", release("1.2.3"))),
      /^"currentRelease" is not among its releases$/,
    ],
    [
      "an installer for another platform",
      () => fromWindows(packages(FULL), { installer: "Notes-{version}.dmg" }),
      /^no file in the settings .* windows \(Notes-\{version\}\.dmg: for another platform\); name one for windows in "installer"$/,
    ],
    ["a version without a digit", () => fromMac(current("next", release("next"))), /^a version without a digit/],
    ["a feed without its list", () => fromVelopack(json({ error: "xyzzy" })), /^not a Velopack feed: Assets: [^x]*$/],
    ...["osx", "linux", "osx-arm64-stable"].map((channel): [string, () => Promise<unknown>, RegExp] => [
      `the channel ${channel} for Windows`,
      () => fromVelopack(feed(), {}, `/releases.${channel}.json`),
      /^the channel in the URL is for another platform: write that of a feed such as releases\.win\.json$/,
    ]),
    [
      "RELEASES without an installer in the settings",
      () => fromWindows(packages(FULL), { installer: undefined }),
      /^RELEASES only names update packages: set "installer" to the link of the installer$/,
    ],
    ...[
      "https://{version}.example.com/Setup.exe",
      "https://dl.example.com/{id}-Setup.exe",
      "https://dl.example.com/{version-Setup.exe",
      "http://dl.example.com/Setup.exe",
      "javascript:alert(1)",
      "",
    ].map((installer): [string, () => Promise<unknown>, RegExp] => [
      `the installer ${JSON.stringify(installer)}`,
      () => fromWindows(packages(FULL), { installer }),
      /installer/,
    ]),
  ])("%s", async ([, refused, reason]) => {
    await expect(async () => refused()).rejects.toThrow(reason);
  });
});

test("the version is part of a link that asks for it, cannot lead it elsewhere, and updates can be forced", async () => {
  const installer = "https://dl.example.com/v{version}/Acme.Notes-{version}.msi";
  expect((await fromVelopack(feed(asset("1.10.0+7")), { installer, forceUpdate: true })).payload).toMatchObject({
    forceUpdate: true,
    latest: { downloadURL: "https://dl.example.com/v1.10.0%2B7/Acme.Notes-1.10.0%2B7.msi" },
  });
  const evil = (version: string) =>
    fromMac(current("1", release("1", { version })), { installer: "/dl/{version}/N.dmg" });
  await expect(evil("1/../../\ud800?#")).rejects.toThrow(/^latest\.version: /);
  expect(new URL((await evil("1/../2")).latest?.downloadURL ?? "").pathname).toBe("/dl/1%2F..%2F2/N.dmg");
});
