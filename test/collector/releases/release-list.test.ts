// Which release of a list is the app's newest, with the tags of real repositories.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListedRelease, ReleaseCriteria } from "../../../collector/releases/listed-release.ts";
import { newestRelease } from "../../../collector/releases/release-list.ts";
import { readTag } from "../../../collector/releases/tag.ts";

/** A published release; `month` of 2026 is its date. */
function release(tag: string, files: string[], month = 1, more: Partial<ListedRelease> = {}): ListedRelease {
  return {
    tag,
    isDraft: false,
    isPrerelease: false,
    date: new Date(Date.UTC(2026, month - 1)).toISOString(),
    notes: "",
    files: files.map((name) => ({ name, url: `https://dl.example.com/${name}`, size: 1, isUploaded: true })),
    ...more,
  };
}

function newest(releases: ListedRelease[], criteria: Partial<ReleaseCriteria> = {}, isWhole = true) {
  const defaults = { prereleases: false, forceUpdate: false, product: "notes", platform: "macos" as const };
  return newestRelease({ releases, isWhole }, { ...defaults, ...criteria });
}

/** The version published, "none", or the message of the refusal. */
function outcome(...args: Parameters<typeof newest>): string {
  try {
    const { payload } = newest(...args) as { payload: { latest?: { version: string } } };
    return payload.latest?.version ?? "none";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const DMG = ["Notes.dmg"];

describe("a tag is read as its version and its product", () => {
  test.for<[tag: string, version: string | undefined, product?: string, glob?: string]>([
    ["v1.2.3", "1.2.3"],
    ["v.1.2.3", "1.2.3"],
    ["v.2.6", "2.6"],
    ["app-v0.2.44", "0.2.44", "app"],
    ["desktop-v2026.8.0", "2026.8.0", "desktop"],
    ["release-5.6.0", "5.6.0"],
    ["desktop/v1.12.0", "1.12.0", "desktop"],
    ["core@13.1.0", "13.1.0", "core"],
    ["@acme/desktop@1.2.0", "1.2.0", "@acme/desktop"],
    ["autoEdit2-1.0.12-osx", "1.0.12", "autoedit2"],
    ["autoEdit2-1.0.12-osx", "1.0.12", "", "autoEdit2-*-osx"],
    ["desktop-1.2.0-stable", "1.2.0", "", "desktop-*-stable"],
    ["is-6_7_3", "6.7.3", "is"],
    ["v1_10_54", "1.10.54"],
    ["dev-2026-08", "2026-08", "dev"],
    ["processing-1313-4.5.2", "4.5.2", "processing-1313"],
    ["release11.4.1", "11.4.1"],
    ["RELEASE.2.9.0", "2.9.0"],
    ["R3.1", "3.1"],
    ["k1.4.8", undefined],
    ["k1.4.8", "1.4.8", "", "k*"],
    ["migration04-01", undefined],
    ["nightly-c0ffee1-1787358435", undefined],
    ["latest", undefined],
    ["v", undefined],
    ["v1.2.3", undefined, "", "desktop@*"],
  ])("%s: %s of %s", ([tag, version, product = "", glob]) => {
    expect(readTag(tag, glob)).toEqual(version === undefined ? undefined : { version, product });
  });
});

describe("the newest", () => {
  test.for<[why: string, releases: ListedRelease[], outcome: string | RegExp, criteria?: Partial<ReleaseCriteria>]>([
    ["of one product under its name", [release("app-v0.2.43", DMG), release("app-v0.2.44", DMG, 2)], "0.2.44"],
    ["is no backport", [release("v1.9.9", DMG, 3), release("v2.0.0", DMG)], "2.0.0"],
    ["is of the app, not of another product", [release("cli-v1.1.0", DMG, 3), release("v2.0.0", DMG)], "2.0.0"],
    [
      "is never an old version beside a newer one of another product",
      [release("core@13.1.0", DMG, 3), release("v2.0.0", DMG)],
      /^core@13\.1\.0 is newer than v2\.0\.0 and has an installer for macos: choose .* "tag"$/,
    ],
    [
      "is never an old version beside a newer one under a tag that cannot be read",
      [release("Autumn 13.1.0 (final)", DMG, 3), release("v2.0.0", DMG)],
      /^Autumn 13\.1\.0 \(final\) is newer than v2\.0\.0/,
    ],
    [
      "may have an unreadable neighbour without an installer",
      [release("notes 13.1 (x)", ["n.exe"], 3), release("v2.0", DMG)],
      "2.0",
    ],
    [
      "of several products is for the vendor to choose",
      [release("desktop-v1.0.0", DMG), release("viewer-v3.0.0", DMG)],
      /^several products have an installer for macos \((desktop-v1\.0\.0|viewer-v3\.0\.0), .*\): choose with "tag"$/,
    ],
    [
      "of several products is what the vendor chose",
      [release("desktop-v1.0.0", DMG), release("viewer-v3.0.0", DMG)],
      "1.0.0",
      { tag: "desktop-*" },
    ],
    [
      "is a prerelease if the settings say so",
      [release("v2.0.0-beta.1", DMG), release("v1.0.0", DMG)],
      "2.0.0-beta.1",
      { prereleases: true },
    ],
    [
      "is not known if only tags that say beta have an installer",
      [release("v0.9.0-beta", DMG), release("v0.8.0-beta", DMG)],
      /^only prereleases .* \(v0\.9\.0-beta, v0\.8\.0-beta\): "prereleases": true takes them$/,
    ],
    ["is none when prereleases are marked as such", [release("v0.9.0-beta", DMG, 1, { isPrerelease: true })], "none"],
    [
      "is not known while its file is being uploaded",
      [
        release("v1.0", [], 1, {
          files: [{ name: "N.dmg", url: "https://x.example/N.dmg", size: 1, isUploaded: false }],
        }),
      ],
      /N\.dmg of v1\.0: still uploading/,
    ],
    [
      "is none for macOS if there are files for Windows only",
      [release("v1.0", ["N.exe", "RELEASES", "N.nupkg"])],
      "none",
    ],
    [
      "is not known if a file may be anybody's",
      [release("v1.0", ["N.exe", "N.zip"])],
      /\(N\.zip of v1\.0: names no platform\); choose it with "asset", or write "macos": "none"$/,
    ],
    [
      "is not known for lack of an architecture",
      [release("v1.0", ["N-x64.exe"])],
      /choose it with "arch" or "asset"/,
      { platform: "windows", arch: "arm64" },
    ],
  ])("%s", ([, releases, expected, criteria]) => {
    for (const list of [releases, releases.toReversed()]) {
      if (typeof expected === "string") expect(outcome(list, criteria)).toBe(expected);
      else expect(outcome(list, criteria)).toMatch(expected);
    }
  });

  test("is none when the newest twenty have files for others only, whatever is older", () => {
    const recent = Array.from({ length: 20 }, (_, index) => release(`v2.${index}`, ["N.exe"]));
    expect(outcome([...recent, release("v1.0", ["N.zip"])], {}, false)).toBe("none");
    expect(outcome([...recent.slice(1), release("v1.0", ["N.zip"])])).toMatch(/N\.zip of v1\.0/);
  });

  test("is the same for every order of the releases and of their files", () => {
    const files = ["N-arm64.dmg", "N-x64.dmg", "N.dmg", "N-mac.zip", "N.exe"];
    const releases = ["v1.0", "1.0.0", "v2.0.0", "v2.0.0-beta", "release-2.0", "cli-v0.1.0", "latest"].map(
      (tag, index) => release(tag, files, 1 + (index % 3)),
    );
    const expected = JSON.stringify(newest(releases).payload);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(releases, { minLength: releases.length }),
        fc.shuffledSubarray(files, { minLength: 5 }),
        (list, names) => {
          const shuffled = list.map((one) => ({
            ...one,
            files: names.map((name) => one.files.find((file) => file.name === name)!),
          }));
          expect(JSON.stringify(newest(shuffled).payload)).toBe(expected);
        },
      ),
    );
  });
});
