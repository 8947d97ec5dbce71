// Which release is named when a setting leaves out a later one, with the tags and files of real repositories.
import { describe, expect, test } from "vitest";
import type { ReleaseCriteria } from "../../../../collector/features/kinds/releases/listed-release.ts";
import { chooseFrom, type ListedRow as Row } from "../../../support/releases/list.ts";

const beyond = (rows: Row[], criteria: Partial<ReleaseCriteria>) => chooseFrom(rows, criteria).beyond;

describe("a later release that a setting leaves out (collector/features/kinds/releases/beyond.ts)", () => {
  test.for<[string, Row[], Partial<ReleaseCriteria>, string | undefined]>([
    [
      "is named when a pattern ends with its major version",
      [
        ["1.9.16", "2019-01-01", "HSTracker.app.zip"],
        ["2.0.0", "2020-01-01", "HSTracker.app.zip"],
        ["2.7.10", "2021-01-01", "HSTracker.app.zip"],
      ],
      { tag: "1.*" },
      "2.7.10",
    ],
    [
      "is named half a year after the last finished one, whatever its tag says",
      [
        ["v0.14.0", "2021-08-29", "freetube-0.14.0-mac.dmg"],
        ["v0.15.0-beta", "2021-10-18", "freetube-0.15.0-mac.dmg"],
        ["v0.16.0-beta", "2022-03-03", "freetube-0.16.0-mac.dmg"],
      ],
      {},
      "v0.16.0-beta",
    ],
    [
      "is not named within half a year",
      [
        ["v0.14.0", "2021-08-29", "freetube-0.14.0-mac.dmg"],
        ["v0.15.0-beta", "2022-02-18", "freetube-0.15.0-mac.dmg"],
      ],
      {},
      undefined,
    ],
    [
      "is not named if it is a channel of its own",
      [
        ["v1.0.0", "2021-08-29", "Notes-1.0.0.dmg"],
        ["nightly-20240101", "2024-01-01", "Notes-nightly.dmg"],
      ],
      {},
      undefined,
    ],
    [
      "is named later, even if no release since is called finished",
      [
        ["7.6-stable", "2018-03-12", "OpenSSH-Win32.dmg"],
        ["v8.9.0.0p1-Beta", "2022-03-22", "OpenSSH-Win32.dmg"],
      ],
      { tag: "*-stable" },
      "v8.9.0.0p1-Beta",
    ],
    [
      "is named, whatever its tag says, after a longer pause than there was before",
      [
        ["0.38.2", "2015-07-25", "Notes.dmg"],
        ["0.39.0", "2015-10-20", "Notes.dmg"],
        ["1.0.0.beta.5", "2016-03-14", "Notes.dmg"],
      ],
      {},
      "1.0.0.beta.5",
    ],
    [
      "is not named before a quarter of a year if its tag says beta, however often others came",
      [
        ["1.2.0", "2015-10-13", "Notes.dmg"],
        ["1.3.0", "2015-10-20", "Notes.dmg"],
        ["2.0.0-beta.1", "2016-01-14", "Notes.dmg"],
      ],
      {},
      undefined,
    ],
    [
      "is not named if its tag says beta and finished ones were as far apart before",
      [
        ["0.38.2", "2015-05-25", "Notes.dmg"],
        ["0.39.0", "2015-10-20", "Notes.dmg"],
        ["1.0.0.beta.5", "2016-03-14", "Notes.dmg"],
      ],
      {},
      undefined,
    ],
    [
      "is not named within half a year if its tag says beta",
      [
        ["v9.4", "2025-06-02", "Notes.dmg"],
        ["v10.0-beta.1", "2025-11-02", "Notes.dmg"],
      ],
      { tag: "v9.*" },
      undefined,
    ],
    [
      "is named when the tags have another form, if its file has the same words",
      [
        ["macosx-b5811", "2020-01-01", "QOwnNotes.dmg"],
        ["v24.6.3", "2024-06-01", "QOwnNotes.dmg"],
      ],
      { tag: "macosx-b*" },
      "v24.6.3",
    ],
    [
      "is named when only the case of its file differs",
      [
        ["v0.5.8", "2021-01-01", "iina+.0.5.8.dmg"],
        ["v0.6.0", "2022-01-01", "IINA+.0.6.0.dmg"],
      ],
      { asset: "iina+.*.dmg" },
      "v0.6.0",
    ],
    [
      "is named when its tag and the name of its file have only the product in common with those before",
      [
        ["build-101", "2025-01-01", "vlc-build-101-mac.zip"],
        ["v1.1.0", "2026-01-01", "vlc-1.1.0-mac.zip"],
      ],
      { tag: "build-*", product: "vlc" },
      "v1.1.0",
    ],
    [
      "is the chosen one, if the pattern takes an updater's package beside its installer",
      [["v1.2", "2026-01-01", "Foo-1.2-full.nupkg", "FooSetup.exe"]],
      { asset: "Foo-*-full.nupkg", platform: "windows", product: "foo" },
      "FooSetup.exe of v1.2",
    ],
    [
      "is named when it no longer has a file for the processor",
      [
        ["v2.8.1", "2025-01-01", "Notes-2.8.1-x64.dmg", "Notes-2.8.1-arm64.dmg"],
        ["v2.9.0", "2026-01-01", "Notes-2.9.0-arm64.dmg"],
      ],
      { arch: "x64" },
      "v2.9.0",
    ],
    [
      "is not named when only an accessory lacks the processor",
      [
        ["v2.8.1", "2025-01-01", "Notes-2.8.1-x64.dmg"],
        ["v2.9.0", "2026-01-01", "Notes-2.9.0-x64.dmg", "notes-cli-2.9.0-arm64.dmg"],
      ],
      { arch: "x64" },
      undefined,
    ],
    [
      "is named when it has another file for the platform, and none that the pattern matches",
      [
        ["v7.8.9", "2020-07-01", "npp.7.8.9.bin.x64.7z", "npp.7.8.9.Installer.x64.exe"],
        ["v8.9.7", "2026-01-01", "npp.8.9.7.portable.x64.7z", "npp.8.9.7.Installer.x64.exe"],
      ],
      { asset: "npp.*.bin.x64.7z", platform: "windows" },
      "v8.9.7",
    ],
    [
      "is named when the old line goes on after it",
      [
        ["v1.0.0", "2020-01-01", "Notes.dmg"],
        ["v2.0.0", "2021-01-01", "Notes.dmg"],
        ["v1.0.1", "2021-02-01", "Notes.dmg"],
      ],
      { tag: "v1.*" },
      "v2.0.0",
    ],
    [
      "is named when the app's tags have a new name from then on",
      [
        ["sprint-40", "2014-06-07", "Brackets.Sprint.40.dmg"],
        ["release-0.41", "2014-06-28", "Brackets.Release.0.41.dmg"],
      ],
      { tag: "sprint-*" },
      "release-0.41",
    ],
    [
      "is named when its only file names no platform, but the app",
      [
        ["v0.13.4", "2020-04-01", "release.zip"],
        ["v0.13.6", "2020-04-17", "notes_0.13.6.zip"],
      ],
      { asset: "release.zip", platform: "windows" },
      "v0.13.6",
    ],
    [
      "is none of another app of the repository",
      [
        ["cli@1.0.0", "2019-01-01", "notes-cli-macos.zip"],
        ["desktop@1.0.0", "2020-01-01", "Notes.dmg"],
        ["cli@2.0.0", "2021-01-01", "notes-cli-macos.zip"],
      ],
      { tag: "desktop@*" },
      undefined,
    ],
    [
      "is no later one of an older line",
      [
        ["v1.0.0", "2020-01-01", "Notes.dmg"],
        ["v2.0.0", "2021-01-01", "Notes.dmg"],
        ["v1.0.1", "2021-02-01", "Notes.dmg"],
      ],
      { tag: "v2.*" },
      undefined,
    ],
    [
      "is named when it came after a slip into the next year",
      [
        ["v2026.1.1", "2026-01-01", "Notes.dmg"],
        ["v2027.02.01", "2026-02-01", "Notes.dmg"],
        ["v2026.3.1", "2026-03-01", "Notes.dmg"],
      ],
      { tag: "v2027.*" },
      "v2026.3.1",
    ],
    [
      "is none of another platform with its documents and sources",
      [
        ["v2.0.0", "2025-01-01", "Notes.dmg"],
        ["v3.0.0", "2026-01-01", "Notes-3.0.0-setup.exe", "Notes-3.0.0-docs.zip", "Notes-3.0.0-src.zip"],
      ],
      { tag: "v2.*" },
      undefined,
    ],
    [
      "is named when its tag and its file have a longer name of the app",
      [
        ["desktop@1.0.0", "2025-01-01", "Notes-1.0.0.dmg"],
        ["notes-next@2.0.0", "2026-01-01", "Notes-Next-2.0.0.dmg"],
      ],
      { tag: "desktop@*" },
      "notes-next@2.0.0",
    ],
    [
      "is none of a product that has its own name in tag and file",
      [
        ["desktop@1.0.0", "2025-01-01", "Notes.dmg"],
        ["cli@3.0.0", "2026-01-01", "notes-cli-3.0.0-macos-arm64.tar.gz"],
        ["helper@1.0.0", "2026-01-02", "notes-helper.dmg"],
      ],
      { tag: "desktop@*" },
      undefined,
    ],
    [
      "is later in decimals",
      [
        ["v0.9.6", "2021-12-27", "Notes.0.9.6.dmg"],
        ["v0.9.63", "2021-12-30", "Notes.0.9.63.dmg"],
        ["v0.9.7", "2022-01-14", "Notes_0.9.7.dmg"],
      ],
      { asset: "Notes.*.dmg" },
      "v0.9.7",
    ],
    [
      "is none of before the vendor counted anew",
      [
        ["v2023.5.8", "2023-01-01", "Notes.dmg"],
        ["v8.0.0", "2023-10-01", "Notes.dmg"],
      ],
      { tag: "v8.*" },
      undefined,
    ],
    [
      "is named when it is finished, and later than the prerelease that is taken",
      [
        ["v1.20.0", "2025-10-01", "notes-macos.zip"],
        ["v1.20.1", "2025-10-17", "notes-macos.zip"],
        ["v1.21.0-beta.1", "2025-10-14", "notes-macos.zip"],
      ],
      { prereleases: true },
      "v1.20.1",
    ],
    [
      "is none of before the prerelease that is taken, nor without a file for the platform",
      [
        ["v1.20.1", "2025-10-12", "notes-macos.zip"],
        ["v1.21.0-beta.1", "2025-10-14", "notes-macos.zip"],
        ["v1.20.2", "2025-10-17", "notes-linux.tar.gz"],
      ],
      { prereleases: true },
      undefined,
    ],
    [
      "is no prerelease, by its version or its channel",
      [
        ["v1.0.0", "2020-09-01", "Notes.dmg"],
        ["v2.0.0-beta.1", "2021-01-01", "Notes.dmg"],
        ["nightly", "2021-01-02", "Notes.dmg"],
        ["nightly-20210103", "2021-01-03", "Notes.dmg"],
      ],
      { tag: "v1.*" },
      undefined,
    ],
    [
      "is none without a file for the platform",
      [
        ["v1.0.0", "2020-01-01", "Notes.dmg"],
        ["v2.0.0", "2021-01-01", "Notes-Setup.exe"],
      ],
      { tag: "v1.*" },
      undefined,
    ],
    [
      "is of no interest if the settings say that it is meant",
      [
        ["v1.0.0", "2020-01-01", "Notes.dmg"],
        ["v2.0.0", "2021-01-01", "Notes.dmg"],
      ],
      { tag: "v1.*", pinned: true },
      undefined,
    ],
    [
      "is named to a source that only takes later ones if its date cannot be read",
      [
        ["v1.0.0", "2020-01-01", "Notes.dmg"],
        ["v2.0.0", "", "Notes.dmg"],
      ],
      { since: "2019-01-01" },
      "v2.0.0",
    ],
  ])("%s", ([, rows, criteria, expected]) => {
    expect(beyond(rows, criteria)?.release).toBe(expected);
  });

  test("is named with the setting", () => {
    const rows: Row[] = [
      ["v1.0.0", "2020-01-01", "Notes.dmg"],
      ["v2.0.0", "2021-01-01", "Notes.dmg"],
    ];
    expect(beyond(rows, { tag: "v1.*" })).toEqual({ release: "v2.0.0", setting: '"tag": "v1.*"' });
  });
});
