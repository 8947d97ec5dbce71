// Releases from Velopack's releases.{channel}.json.
import { describe, expect, test } from "vitest";
import {
  payloadOrReason,
  publishedRelease,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { SECRET_WORD } from "../../support/collecting/upstream-failures.ts";
import { json, type Behaviour } from "../../support/collecting/upstream.ts";

const asset = (version: string, type: "Full" | "Delta" = "Full", fields: object = {}) => ({
  PackageId: "Acme.Notes",
  Version: version,
  Type: type,
  FileName: `Acme.Notes-${version}-${type.toLowerCase()}.nupkg`,
  SHA1: SECRET_WORD,
  SHA256: SECRET_WORD,
  Size: 116_020_427,
  NotesMarkdown: `## ${version}\r\n- Fixed A`,
  NotesHTML: `<p>${SECRET_WORD}</p>`,
  ...fields,
});
const feed = (...assets: object[]) => json({ Assets: assets });

/** macOS from /releases.osx.json, Windows from /releases.win.json. */
const start = (windows: Behaviour, settings: object = {}) =>
  startReleaseCollector(
    ({ url }) => ({
      macos: { from: "velopack", url: url("/releases.osx.json"), installer: "Acme.Notes-osx-Setup.pkg" },
      windows: {
        from: "velopack",
        url: url("/releases.win.json"),
        installer: "Acme.Notes-win-Setup.exe",
        ...settings,
      },
    }),
    { paths: { "/releases.osx.json": feed(asset("2.4.1")), "/releases.win.json": windows } },
  );
const fromWindows = async (windows: Behaviour, settings: object = {}) => {
  const outcomes = await (await start(windows, settings)).run();
  expect(outcomes.macos?.result).toBe("changed");
  expect(outcomes.all).not.toContain(SECRET_WORD);
  return outcomes.windows;
};

test("the highest version is published, with its notes and the installer of the settings", async () => {
  const assets = [asset("1.9.0"), asset("1.10.0", "Delta"), asset("1.10.0"), asset("1.2.0")];
  const { run, upstream, explain } = await start(feed(...assets));
  const { macos, windows, all } = await run();
  expect(payloadOrReason(windows)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "windows",
      version: "1.10.0",
      changelog: "1.10.0\n- Fixed A",
      downloadURL: upstream.url("/Acme.Notes-win-Setup.exe"),
      size: "",
      date: "",
    },
  });
  expect(publishedRelease(macos).downloadURL).toBe(upstream.url("/Acme.Notes-osx-Setup.pkg"));
  expect((await explain("windows")).picked).toBe("Acme.Notes-win-Setup.exe of 1.10.0");
  expect(all).not.toContain(SECRET_WORD);
  upstream.set("/releases.win.json", feed(...assets.toReversed()));
  expect((await run()).windows?.result).toBe("confirmed");
});

test("equal versions give one answer in every order, the one with notes", async () => {
  const assets = [asset("1.10.0", "Delta", { NotesMarkdown: null }), asset("1.10.0+7"), asset("1.10.0+8")];
  const orders = [assets, assets.toReversed(), [...assets.slice(1), ...assets.slice(0, 1)]];
  const versions = await Promise.all(
    orders.map(async (order) => publishedRelease(await fromWindows(feed(...order))).version),
  );
  expect(versions).toEqual(["1.10.0+7", "1.10.0+7", "1.10.0+7"]);
});

test("the version is part of a link that asks for it, and updates can be forced", async () => {
  const installer = "https://dl.example.com/v{version}/Acme.Notes-{version}.msi";
  const outcome = await fromWindows(feed(asset("1.10.0+7")), { installer, forceUpdate: true });
  expect(payloadOrReason(outcome)).toMatchObject({
    forceUpdate: true,
    latest: { downloadURL: "https://dl.example.com/v1.10.0%2B7/Acme.Notes-1.10.0%2B7.msi" },
  });
});

test("an empty feed has no release", async () => {
  expect(payloadOrReason(await fromWindows(feed()))).toEqual({ hasUpdate: false });
});

describe("is refused:", () => {
  test.for<[string, Behaviour, RegExp]>([
    ["a feed without its list", json({ error: "xyzzy" }), /^not a Velopack feed: Assets: /],
    ["a version that is a number", feed(asset("1.0"), { Version: 2 }), /^not a Velopack feed: Assets\[1\]\.Version: /],
    [
      "prereleases only",
      feed(asset("2.0.0-beta.1"), asset("2.0.0-beta.2", "Delta")),
      /^only prereleases are listed \(2\.0\.0-beta\.2, 2\.0\.0-beta\.1\): "prereleases": true takes them$/,
    ],
    [
      "a prerelease above the version that the fixed link would be for",
      feed(asset("1.9.0"), asset("2.0.0-beta.1")),
      /^2\.0\.0-beta\.1 is newer than 1\.9\.0, and "installer" is the same link for both: /,
    ],
    ["a template as a version", feed(asset("$(Version)")), /^a version without a digit: a template/],
  ])("%s", async ([, behaviour, reason]) => {
    expect(payloadOrReason(await fromWindows(behaviour))).toMatch(reason);
  });
});

test("a channel for another platform, or for both, is a mistake in the settings", async () => {
  const settings = (url: string) => ({ from: "velopack", url, installer: "Acme.Notes-Setup.exe" });
  for (const channel of ["osx", "linux", "osx-arm64-stable"]) {
    const url = `https://dl.example.com/releases.${channel}.json`;
    await expect(start(feed(), settings(url))).rejects.toThrow(/releases\.windows {3}the channel in the URL is for/);
  }
  const both = startReleaseCollector(({ url }) => settings(url("/releases.stable.json")));
  await expect(both).rejects.toThrow(/a source of kind "velopack" provides one platform/);
});
