// Releases from RELEASES of Squirrel.Windows and RELEASES.json of Squirrel.Mac.
import { describe, expect, test } from "vitest";
import {
  payloadOrReason,
  publishedRelease,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { SECRET_WORD } from "../../support/collecting/upstream-failures.ts";
import { body, json, type Behaviour } from "../../support/collecting/upstream.ts";

const SHA1 = "0d777ea94c612e8bf1ea7379164caefba6e24463";
const entry = (name: string, comment = "") => `${SHA1} ${name} 600752${comment}`;
const packages = (...lines: string[]): Behaviour =>
  body(lines.join("\n"), { "content-type": "application/octet-stream" });

const release = (version: string, fields: object = {}) => ({
  version,
  updateTo: { version, name: SECRET_WORD, url: `https://dl.example.com/Notes-darwin-arm64-${version}.zip`, ...fields },
});
const current = (currentRelease: string, ...releases: object[]) => json({ currentRelease, releases });

const FULL = "Notes-1.2.3-full.nupkg";
const SETUP = "Notes-{version}-Setup.exe";
const WORKING = {
  macos: current("1.2.3", release("1.2.3")),
  windows: packages(entry(FULL)),
};

/** macOS from /mac/RELEASES.json, Windows from /win/RELEASES. */
const start = (
  { macos = WORKING.macos, windows = WORKING.windows }: { macos?: Behaviour; windows?: Behaviour } = {},
  { mac = {}, win = {} }: { mac?: object; win?: object } = {},
) =>
  startReleaseCollector(
    ({ url }) => ({
      macos: { from: "squirrel", url: url("/mac/RELEASES.json"), ...mac },
      windows: { from: "squirrel", url: url("/win/RELEASES"), installer: SETUP, ...win },
    }),
    { paths: { "/mac/RELEASES.json": macos, "/win/RELEASES": windows } },
  );
const fromWindows = async (windows: Behaviour, win: object = {}) => {
  const { run } = await start({ windows }, { win });
  const outcomes = await run();
  expect(outcomes.macos?.result).toBe("changed");
  expect(outcomes.all).not.toContain(SECRET_WORD);
  return outcomes.windows;
};
const fromMac = async (macos: Behaviour, mac: object = {}) => {
  const outcomes = await (await start({ macos }, { mac })).run();
  expect(outcomes.windows?.result).toBe("changed");
  expect(outcomes.all).not.toContain(SECRET_WORD);
  return outcomes.macos;
};

test("RELEASES gives the highest version, the settings its installer; RELEASES.json gives every field", async () => {
  const notes = "- Fixed A\r\n- Fixed B";
  const { run, upstream, explain } = await start({
    macos: current("1.2.3", release("1.2.1"), release("1.2.3", { notes, pub_date: "2026-11-02T10:01:02+01:00" })),
    windows: packages(
      entry("Notes-1.10.0-delta.nupkg"),
      entry("Notes-1.9.0-full.nupkg"),
      entry("Notes-1.10.0-full.nupkg"),
    ),
  });
  const { macos, windows, all } = await run();
  expect(payloadOrReason(macos)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "1.2.3",
      changelog: "- Fixed A\n- Fixed B",
      downloadURL: "https://dl.example.com/Notes-darwin-arm64-1.2.3.zip",
      size: "",
      date: "2026-11-02T10:01:02+01:00",
    },
  });
  expect(payloadOrReason(windows)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "windows",
      version: "1.10.0",
      changelog: "",
      downloadURL: upstream.url("/win/Notes-1.10.0-Setup.exe"),
      size: "",
      date: "",
    },
  });
  expect((await explain("windows")).picked).toBe("Notes-1.10.0-Setup.exe of 1.10.0");
  expect(all).not.toContain(SECRET_WORD);
});

describe("the version is read from", () => {
  test.for([
    [FULL, "1.2.3"],
    ["pulsar_launcher-0.1.0-full.nupkg", "0.1.0"],
    ["My-App-2-1.0.0.4-delta.nupkg", "1.0.0.4"],
    ["7zip-9.20-full.nupkg", "9.20"],
    ["App.1.4.0.nupkg", "1.4.0"],
    ["Notes-2.0.0-hotfix.1-full.nupkg", "2.0.0-hotfix.1"],
    ["Notes-1.2.3-win-x64-full.nupkg", "1.2.3"],
    ["https://dl.example.com/v9/Notes-1.2.3-full.nupkg?key=xyzzy", "1.2.3"],
  ])("%s: %s", async ([name = "", version]) => {
    expect(publishedRelease(await fromWindows(packages(entry(name)))).version).toBe(version);
  });
});

test("the order of the lines, line ends, a byte order mark and comments decide nothing", async () => {
  const lines = [entry(FULL), entry("Notes-1.2.3-delta.nupkg"), entry("Notes-1.2.2-full.nupkg"), "# a comment", ""];
  const texts = [lines.join("\n"), lines.toReversed().join("\r\n"), `\uFEFF${lines.join("\n")}\n`];
  const all = await Promise.all(texts.map(async (text) => publishedRelease(await fromWindows(body(text))).version));
  expect(all).toEqual(["1.2.3", "1.2.3", "1.2.3"]);
});

test("a staged version waits until it is for everyone, unless there is no other", async () => {
  const staged = ["# 10%", " # 50%"].map((comment, index) => entry(`Notes-1.3.${index}-full.nupkg`, comment));
  const { run, explain, upstream } = await start({ windows: packages(entry(FULL), ...staged) });
  expect(publishedRelease((await run()).windows).version).toBe("1.2.3");
  const { skipped } = await explain("windows");
  expect(skipped).toEqual(["1.3.0: for 10 % of the users", "1.3.1: for 50 % of the users"]);
  upstream.set("/win/RELEASES", packages(entry(FULL), entry("Notes-1.3.0-full.nupkg", "# 100%")));
  expect(publishedRelease((await run()).windows).version).toBe("1.3.0");
  expect(publishedRelease(await fromWindows(packages(...staged))).version).toBe("1.3.1");
});

test("the current release is published, though a higher one is listed", async () => {
  const { run, explain } = await start({
    macos: current("1.2.3", release("1.3.0"), release("1.2.3"), release("1.2.0")),
  });
  expect(publishedRelease((await run()).macos).version).toBe("1.2.3");
  expect((await explain("macos")).skipped).toEqual(["1.3.0: not the current release"]);
});

test("no release is published only by a feed that plainly has none", async () => {
  expect(payloadOrReason(await fromMac(current("")))).toEqual({ hasUpdate: false });
  expect(payloadOrReason(await fromMac(current("1.2.3")))).toEqual({ hasUpdate: false });
  expect(payloadOrReason(await fromWindows(body("")))).toBe("not a RELEASES file: application/json, 0 bytes");
});

describe("prereleases", () => {
  const beta = entry("Notes-2.0.0-beta1-full.nupkg");

  test("are skipped, and taken if the settings say so", async () => {
    const { run, explain } = await start({ windows: packages(entry(FULL), beta) });
    expect(publishedRelease((await run()).windows).version).toBe("1.2.3");
    expect((await explain("windows")).skipped).toEqual(["2.0.0-beta1: a prerelease"]);
    const taken = await fromWindows(packages(entry(FULL), beta), { prereleases: true });
    expect(publishedRelease(taken).downloadURL).toMatch(/\/Notes-2\.0\.0-beta1-Setup\.exe$/);
  });

  test("are named if there is nothing else", async () => {
    expect(payloadOrReason(await fromWindows(packages(beta)))).toBe(
      'only prereleases are listed (2.0.0-beta1): "prereleases": true takes them',
    );
  });

  test("are refused if the installer's link is that of an older version, too", async () => {
    const one = { installer: "https://dl.example.com/Setup.exe" };
    expect(payloadOrReason(await fromWindows(packages(entry(FULL), beta), one))).toMatch(
      /^2\.0\.0-beta1 is newer than 1\.2\.3, and "installer" is the same link for both: write \{version\} into it/,
    );
    const fixed = publishedRelease(await fromWindows(packages(entry(FULL)), one));
    expect(fixed.downloadURL).toBe("https://dl.example.com/Setup.exe");
  });
});

describe("is refused:", () => {
  test.for<[string, "macos" | "windows", Behaviour, RegExp]>([
    ["a broken line", "windows", packages(entry(FULL), "xyzzy"), /^not a RELEASES file: /],
    ["a line without a size", "windows", packages(`${SHA1} ${FULL}`), /^not a RELEASES file: /],
    [
      "a package without a version",
      "windows",
      packages(entry(FULL), entry("Notes-full.nupkg")),
      /^no version in the name of the package Notes-full\.nupkg$/,
    ],
    [
      "RELEASES for macOS",
      "macos",
      packages(entry(FULL)),
      /^it only names update packages: set "installer" to a link$/,
    ],
    [
      "a release without a link",
      "macos",
      current("1.2.3", release("1.2.3", { url: undefined })),
      /^not a RELEASES\.json: releases\[0\]\.updateTo\.url: /,
    ],
    [
      "a current release that is not listed",
      "macos",
      current("1.2.4", release("1.2.3")),
      /^"currentRelease" is not among its releases$/,
    ],
    [
      "a link to a file for another platform",
      "macos",
      current("1.2.3", release("1.2.3", { url: "https://dl.example.com/Notes.exe" })),
      /^no file in the feed is known to be an installer for macos \(Notes\.exe: for another platform\)$/,
    ],
    ["a version without a digit", "macos", current("next", release("next")), /^a version without a digit/],
  ])("%s", async ([, platform, behaviour, reason]) => {
    const outcome = platform === "macos" ? await fromMac(behaviour) : await fromWindows(behaviour);
    expect(payloadOrReason(outcome)).toMatch(reason);
  });
});

describe("the installer of the settings", () => {
  test.for([
    "https://{version}.example.com/Setup.exe",
    "https://dl.example.com/{id}-Setup.exe",
    "https://dl.example.com/{version-Setup.exe",
    "http://dl.example.com/Setup.exe",
    "javascript:alert(1)",
    "",
  ])("cannot be %j", async (installer) => {
    await expect(start({}, { win: { installer } })).rejects.toThrow(/installer/);
  });

  test("is needed for Windows, and must be for the platform", async () => {
    await expect(start({}, { win: { installer: undefined } })).rejects.toThrow(
      /releases\.windows {3}RELEASES only names update packages: set "installer"/,
    );
    expect(payloadOrReason(await fromWindows(WORKING.windows, { installer: "Notes-{version}.dmg" }))).toBe(
      "no file in the settings is known to be an installer for windows (Notes-{version}.dmg: for another platform)",
    );
  });

  test("cannot be led to another place by a version", async () => {
    const evil = current("1", release("1", { version: "1/../../\ud800?#" }));
    const reason = payloadOrReason(await fromMac(evil, { installer: "/dl/{version}/Notes.dmg" }));
    expect(reason).toMatch(/^latest\.version: /);
    const plain = publishedRelease(
      await fromMac(current("1", release("1", { version: "1/../2" })), { installer: "/dl/{version}.dmg" }),
    );
    expect(new URL(plain.downloadURL).pathname).toBe("/dl/1%2F..%2F2.dmg");
  });
});
