// The settings that a refusal names, with tags and files of real repositories: they are kept for years, so they must outlive versions,
// dates and counts.
import { describe, expect, test } from "vitest";
import type { ReleaseCriteria } from "../../../../collector/features/kinds/releases/listed-release.ts";
import { chooseFrom, type ListedRow as Row } from "../../../support/releases/list.ts";

function answer(rows: readonly Row[], criteria: Partial<ReleaseCriteria>): string {
  try {
    return chooseFrom(rows, criteria).picked ?? "none";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The settings in a message, in their order. */
function settingsIn(message: string): string[] {
  return [...message.matchAll(/"(?:tag|since|asset|prereleases)": (?:"[^"]*"|true)/g)].map(([setting]) => setting);
}

describe("the advice of a refusal (collector/features/kinds/releases/advice.ts)", () => {
  test.for<[file: string, tag: string, pattern: string]>([
    ["FSNotes_2.9.5.zip", "2.9.5", "FSNotes_*.zip"],
    ["OpenRA-release-20171014.zip", "v1.0", "OpenRA-release-*.zip"],
    ["Playnite1044.zip", "10.44", "Playnite*.zip"],
    ["WWDC_v7.3.3-1016.zip", "7.3.3", "WWDC_v*.zip"],
    ["Notes-3f9007ab-x86_64.zip", "v1.0", "Notes-*-x86_64.zip"],
    ["Notes-gabc1234-x64.zip", "v1.0", "Notes-*-x64.zip"],
    ["Notes-1.2.3b4.zip", "v1.2.3", "Notes-*.zip"],
    ["Notes-1.2.3-64bit.7z", "v1.2.3", "Notes-*-64bit.7z"],
    ["Notes_1.2.3_arm64.zip", "v1.2.3", "Notes_*_arm64.zip"],
    ["Notes.x64.7.0.9.zip", "v7.0.9", "Notes.x64.*.zip"],
    ["Notes-OS_X-10.15-2.4.zip", "v2.4", "Notes-OS_X-*.zip"],
    ["Notes-1.64.2.zip", "v1.64.2", "Notes-*.zip"],
    ["Notes_2024-05-06_build-77.zip", "v3.0", "Notes_*_build-*.zip"],
  ])("has a pattern for %s of %s that outlives its numbers: %s", ([file, tag, pattern]) => {
    // Nothing in the name says that it is for macOS.
    const message = answer(
      [
        ["v0.1", "2020-01-01", "N-macos.zip"],
        [tag, "2021-01-01", file],
      ],
      { product: "n" },
    );
    expect(settingsIn(message)[0], message).toBe(`"asset": ${JSON.stringify(pattern)}`);
    expect(answer([[tag, "2021-01-01", file]], { asset: pattern })).toBe(`${file} of ${tag}`);
  });

  test("names the way to stay with a pattern when only another product's file is newer", () => {
    const rows: Row[] = [
      ["v4.1", "2026-10-01", "Notes-4.1.exe"],
      ["v4.2", "2026-11-01", "Server-4.2.exe"],
    ];
    const criteria = { platform: "windows" as const, asset: "Notes-*.exe" };
    expect(answer(rows, criteria)).toMatch(
      /Server-4\.2\.exe of v4\.2 is newer .*; or add "pinned": true to stay with "asset"$/,
    );
    expect(answer(rows, { ...criteria, pinned: true })).toBe("Notes-4.1.exe of v4.1");
  });

  test("says which day leaves every release out", () => {
    const rows: Row[] = [["v4.1", "2026-10-01", "Notes-4.1.dmg"]];
    expect(answer(rows, { since: "2026-10-15" })).toMatch(
      /every release is of before .*: correct "since": "2026-10-15"$/,
    );
    expect(answer(rows, { since: "2026-09-15" })).toBe("Notes-4.1.dmg of v4.1");
  });

  test("keeps the numbers of systems and processors", () => {
    const files = ["Notes-macOS-10.12-10.15.dmg", "Notes-macOS-11+.dmg"];
    expect(settingsIn(answer([["v3.4", "2021-01-01", ...files]], {})).toSorted()).toEqual([
      '"asset": "Notes-macOS-10.12-10.15.dmg"',
      '"asset": "Notes-macOS-11+.dmg"',
    ]);
  });

  test.for<[tag: string, files: string[], patterns: string[]]>([
    [
      "19039-tested",
      ["JOSM-macOS-java17-19039.zip", "JOSM-macOS-java21-19039.zip"],
      ["JOSM-macOS-java17-*.zip", "JOSM-macOS-java21-*.zip"],
    ],
    [
      "v0.5.21",
      ["DevPod_0.5.21_aarch64.dmg", "DevPod_macos_aarch64.dmg"],
      ["DevPod_macos_aarch64.dmg", "DevPod_?.?.??_aarch64.dmg"],
    ],
    ["v1.0", ["Foo-1.0.dmg", "Foo-Lite-1.0.dmg"], ["Foo-?.?.dmg", "Foo-Lite-*.dmg"]],
    ["v4.0", ["rufus-4.0p.dmg", "rufus-4.0.dmg"], ["rufus-?.?.dmg", "rufus-*p.dmg"]],
  ])(
    "between files of %s, names first what has no number of that release, and the app: %s",
    ([tag, files, patterns]) => {
      const settings = settingsIn(
        answer([[tag, "2024-04-11", ...files]], { product: /^[a-z]+/i.exec(files[0] ?? "")?.[0] ?? "" }),
      );
      expect(settings).toEqual(patterns.map((pattern) => `"asset": "${pattern}"`));
    },
  );

  test.for<[why: string, before: string, files: [string, string], better: string | undefined]>([
    [
      "an edition beside it",
      "bw-windows-2.0.zip",
      ["bw-windows-2.1.zip", "bw-oss-windows-2.1.zip"],
      "bw-windows-2.1.zip",
    ],
    ["another spelling", "yasb-2.0-win64.msi", ["yasb-2.1-win64.msi", "yasb-2.1-x64.msi"], "yasb-2.1-win64.msi"],
    ["a later build", "AIO-2.0-1_win64.exe", ["AIO-2.1-1_win64.exe", "AIO-2.1-2_win64.exe"], "AIO-2.1-2_win64.exe"],
    ["a build more", "Notes-2.0-win64.exe", ["Notes-2.1-win64.exe", "Notes-2.1-win64-1.exe"], "Notes-2.1-win64-1.exe"],
    ["a number in a word", "N-java17-win.zip", ["N-java17-win.zip", "N-java21-win.zip"], "N-java17-win.zip"],
    ["a later system beside it", "N-2.0-win-10.zip", ["N-2.1-win-10.zip", "N-2.1-win-11.zip"], "N-2.1-win-10.zip"],
    ["a higher version beside it", "N-2.0-win-10.msi", ["N-2.1-win-10.msi", "N-2.1.2-Windows.msi"], undefined],
    ["the app beside another product", "Helper-2.0.exe", ["Helper-2.1.exe", "Notes-2.1.exe"], undefined],
    ["two others", "Old-2.0.exe", ["One-2.1.exe", "Two-2.1.exe"], undefined],
  ])("the release before decides between two that are equally good: %s", ([, before, files, better]) => {
    const expected = better === undefined ? /are equally good/ : `${better} of v2.1`;
    for (const both of [files, files.toReversed()]) {
      const rows: Row[] = [
        ["v2.1", "2024-04-11", ...both],
        ["v2.0", "2024-03-11", before],
      ];
      expect(answer(rows, { platform: "windows" })).toMatch(expected);
      if (better === undefined) continue;
      const other = both.find((file) => file !== better);
      expect(chooseFrom(rows, { platform: "windows" }).skipped).toEqual([`${other} of v2.1: a lesser choice`]);
    }
  });

  test("names a pattern for each of two files that are equally good, the product's own first", () => {
    const rows: Row[] = [
      ["v0.11.1", "2017-01-01", "Ethereum-Wallet-installer-0-11-1.exe", "Mist-installer-0-11-1.exe"],
    ];
    const message = answer(rows, { platform: "windows", product: "mist" });
    expect(message).toMatch(/are equally good: .*; or give each product a source of its own$/);
    expect(settingsIn(message)).toEqual([
      '"asset": "Mist-installer-*.exe"',
      '"asset": "Ethereum-Wallet-installer-*.exe"',
    ]);
    expect(answer(rows, { platform: "windows", asset: "Mist-installer-*.exe" })).toContain("Mist-installer-0-11-1.exe");
  });

  test.for<[why: string, better: string, other: string]>([
    ["an installer of NSIS", "Notes-1.0.nsis.exe", "Notes-1.0.exe"],
    ["a build for old processors", "notes-windows-x64.zip", "notes-windows-x64-baseline.zip"],
    ["another runtime library", "notes-windows-x64.zip", "notes-windows-x64-static-crt.zip"],
    ["a twin without dialogs", "Notes-Setup.exe", "Notes-Silent-Setup.exe"],
    ["another spelling", "My-Notes-1.0.exe", "MyNotes-1.0.exe"],
    ["a product built elsewhere", "windows_notes_gui_412.zip", "windows_krokiet_on_linux.exe"],
    ["32 bit", "eMule0.70b-Installer64.exe", "eMule0.70b-Installer.exe"],
  ])("does not ask where a person would not: beside %s", ([, better, other]) => {
    for (const files of [
      [better, other],
      [other, better],
    ])
      expect(answer([["v1.0", "2021-01-01", ...files]], { platform: "windows" })).toBe(`${better} of v1.0`);
  });

  test.for<[string, string, string[], string]>([
    ["cocoa", "SameBoy", ["sameboy_cocoa_v1.0.zip", "sameboy_winsdl_v1.0.zip"], "sameboy_winsdl_v*.zip"],
    ["a bundle", "osu", ["osu.app.Intel.zip", "osu_win.zip.txt", "osu-stable.zip"], "osu-stable.zip"],
  ])("never names the other platform's file: %s", ([, product, files, pattern]) => {
    const message = answer([["v1.0", "2021-01-01", ...files]], { platform: "windows", product });
    expect(settingsIn(message)).toEqual([`"asset": ${JSON.stringify(pattern)}`]);
  });

  test("offers the best of files that say too little, not the first", () => {
    const message = answer([["v1.0", "2021-01-01", "a-extras.zip", "Notes-Setup-x64.zip"]], { platform: "windows" });
    expect(settingsIn(message)).toEqual(['"asset": "Notes-Setup-x64.zip"']);
  });

  test("outlives a major version, and says what is older", () => {
    const rows: Row[] = [
      ["1.9.16", "2020-01-01", "Notes.dmg"],
      ["final", "2020-02-01", "Notes.dmg"],
    ];
    const message = answer(rows, {});
    expect(message).toMatch(/: mark as a prerelease .*; "tag": "\*\.\*" takes 1\.9\.16, older than final$/);
    expect(answer([["2.0.0", "2020-03-01", "Notes.dmg"], ...rows], { tag: "*.*" })).toBe("Notes.dmg of 2.0.0");
  });

  test("never begins with a setting that takes an older release", () => {
    const rows: Row[] = [
      ["core@2022.7.0", "2022-12-01", "Notes.dmg"],
      ["core@2023.5.8", "2023-09-01", "Notes.dmg"],
      ["core@8.6.1", "2024-02-01", "Notes.dmg"],
      ["core@9.2.0", "2024-05-01", "Notes.dmg"],
    ];
    const message = answer(rows, {});
    const [first = "", second = ""] = settingsIn(message);
    expect(first).toMatch(/^"since": /);
    expect(second).toBe('"tag": "core@2023.*"');
    expect(message).toMatch(/takes core@2023\.5\.8, older than core@9\.2\.0$/);
  });

  test.for<[tag: string, day: string, isSlip: boolean]>([
    ["v2027-07-31", "2026-07-31", true],
    ["20270731", "2026-07-31", true],
    ["2027.1", "2026-07-31", true],
    ["2027.01.0", "2026-12-10", false],
    ["v2026-08-30", "2026-07-31", false],
    ["v2026-09-02", "2026-07-31", true],
    ["2.2027.0", "2026-07-31", false],
  ])("%s, published on %s: a calendar version a month ahead is a slip", ([tag, day, isSlip]) => {
    const rows: Row[] = [
      ["v2026-06-30", "2026-06-30", "Notes.dmg"],
      [tag, day, "Notes.dmg"],
    ];
    if (!isSlip) return expect(answer(rows.slice(1), {})).toBe(`Notes.dmg of ${tag}`);
    const message = answer(rows.slice(1), {});
    expect(message).toContain("more than a month after its publication");
    const [, pattern = ""] = /"tag": "([^"]*)"/.exec(message) ?? [];
    expect(answer(rows.slice(1), { tag: pattern })).toBe(`Notes.dmg of ${tag}`);
  });

  test("a vendor whose versions are ahead each time, if only by days, counts that way", () => {
    const rows: Row[] = [
      ["2026.1", "2025-07-01", "Notes.dmg"],
      ["2027.1", "2026-07-01", "Notes.dmg"],
    ];
    expect(answer(rows, {})).toBe("Notes.dmg of 2027.1");
    expect(answer([["2026-07-09", "2026-07-01", "Notes.dmg"], ...rows.slice(1)], {})).toBe("Notes.dmg of 2027.1");
  });

  test("a letter behind underscores is later", () => {
    const rows: Row[] = [
      ["0_10_9a", "2020-01-02", "Notes.dmg"],
      ["0_10_9", "2020-01-01", "Notes.dmg"],
    ];
    expect(answer(rows, {})).toBe("Notes.dmg of 0_10_9a");
    expect(answer(rows.toReversed(), {})).toBe("Notes.dmg of 0_10_9a");
  });
});
