// Which release of a list is the app's newest, with the tags of real repositories.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  ListedRelease,
  ReleaseCriteria,
  ReleaseList,
} from "../../../../collector/features/kinds/releases/listed-release.ts";
import { newestRelease } from "../../../../collector/features/kinds/releases/release-list.ts";
import { readTag } from "../../../../collector/features/kinds/releases/tag.ts";
import { warningsOf } from "../../../../collector/features/warnings/warnings.ts";
import { gate } from "../../../../collector/source.ts";
import { SEED } from "../../../support/random.ts";

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

function newest(
  releases: ListedRelease[],
  criteria: Partial<ReleaseCriteria> = {},
  isWhole = true,
  more: Partial<ReleaseList> = {},
) {
  const defaults = { prereleases: false, forceUpdate: false, product: "notes", platform: "macos" as const };
  return newestRelease({ releases, isWhole, askedAt: Date.UTC(2027, 0), ...more }, { ...defaults, ...criteria });
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

describe("a tag is read as its version and its product (collector/features/kinds/releases/tag.ts)", () => {
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
    ["Version2.4.1#27", "2.4.1"],
    ["Version2.4.1#27", "2.4.1", "", "Version*"],
    ["v1.2 (433)", "1.2"],
    ["app-2", "2", "", "app-*"],
    ["app-2.1-osx", "2.1", "", "app-*"],
    ["3f9007", undefined],
    ["3f9007", undefined, "", "*"],
    ["v546a", "546a"],
    ["20260101", "20260101"],
    ["4.3.x", undefined],
    ["v1.10", "1.10"],
    ["12_22_2015", undefined],
    ["12-22-2015", undefined],
    ["12_22_2015", undefined, "", "12_*"],
    ["v0.20.1900", "0.20.1900"],
    ["2015-12-22", "2015-12-22"],
  ])("%s: %s of %s", ([tag, version, product = "", glob]) => {
    expect(readTag(tag, glob)).toEqual(version === undefined ? undefined : { version, product });
  });
});

describe("the newest (collector/features/kinds/releases/release-list.ts)", () => {
  test.for<[why: string, releases: ListedRelease[], outcome: string | RegExp, criteria?: Partial<ReleaseCriteria>]>([
    ["of one product under its name", [release("app-v0.2.43", DMG), release("app-v0.2.44", DMG, 2)], "0.2.44"],
    ["is no backport", [release("v1.9.9", DMG, 3), release("v2.0.0", DMG), release("v1.9.8", DMG, 0)], "2.0.0"],
    ["is of the app, not of another product", [release("cli-v1.1.0", DMG, 3), release("v2.0.0", DMG)], "2.0.0"],
    [
      "is never an old version beside a newer one of another product",
      [release("core@13.1.0", DMG, 3), release("v2.0.0", DMG)],
      /^core@13\.1\.0 is newer than v2\.0\.0, .*: "tag": "core@\*" takes core@13\.1\.0; "tag": "v\*" takes v2\.0\.0, older than core@13\.1\.0$/,
    ],
    [
      "is never an old version beside a newer one under a tag that cannot be read",
      [release("Autumn 13.1.0 (final)", DMG, 3), release("v2.0.0", DMG)],
      /^Autumn 13\.1\.0 \(final\) is later than v2\.0\.0, .*: "tag": "Autumn \*" takes Autumn 13\.1\.0 \(final\); "tag": "v\*" takes v2\.0\.0, older than Autumn 13\.1\.0 \(final\)$/,
    ],
    [
      "may have an unreadable neighbour without an installer",
      [release("notes 13.1 (x)", ["n.exe"], 3), release("v2.0", DMG)],
      "2.0",
    ],
    [
      "of several products is for the vendor to choose",
      [release("desktop-v1.0.0", DMG), release("viewer-v3.0.0", DMG)],
      /^several products .* macos \(viewer-v3\.0\.0, desktop-v1\.0\.0\): "tag": "viewer-\*" takes viewer-v3\.0\.0; "tag": "desktop-\*" takes/,
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
      /^only prereleases .* \(v0\.9\.0-beta, v0\.8\.0-beta\): "prereleases": true takes v0\.9\.0-beta$/,
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
      /\(N\.zip of v1\.0: names no platform\): in a source for macos alone, "asset": "N\.zip" takes .*; if there is none, write "macos": "none"$/,
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

  test("is none where all are prereleases, and a warning names the setting", () => {
    const beta = release("v0.9.0", DMG, 1, { isPrerelease: true });
    const told = 'only prereleases have an installer for macos: "prereleases": true publishes them';
    expect(newest([beta]).warnings).toEqual([told]);
    expect(newest([beta], { platform: "windows" }).warnings).toEqual([]);
    expect(newest([beta, release("v0.8.0", [])]).warnings).toEqual([]);
    const uploading = beta.files.map((file) => ({ ...file, isUploaded: false, createdAt: beta.date }));
    expect(newest([{ ...beta, files: uploading }], {}, true, { askedAt: Date.parse(beta.date) }).warnings).toEqual([]);
  });

  test.for([
    ["app-2-v*", ["app-2-v9.0.0", "app-2-v10.0.0"], "10.0.0"],
    ["app-2-*", ["app-2-1.9", "app-2-1.10"], "1.10"],
    ["desktop@4.*", ["desktop@4.9.1", "desktop@4.10.0", "desktop@5.0.0"], "4.10.0"],
    ["v1*", ["v1.2.0", "v1.10.0"], "1.10.0"],
    ["notes2*", ["notes2-1.9", "notes2-1.10"], "1.10"],
    ["*@*", ["desktop@1.9", "desktop@1.10"], "1.10"],
    [
      "desktop-*",
      ["cli@9.0.0", "desktop@3.1.0"],
      'no release has a tag of the app (cli@9.0.0, desktop@3.1.0): write "tag": "desktop@*" rather than "desktop-*"',
    ],
    ["desktop@*", ["v1"], 'no release has a tag of the app (v1): write "tag": "v*" rather than "desktop@*"'],
    [undefined, ["latest"], expect.stringMatching(/has a version in its tag \(latest\): .*release the app under/)],
  ] as const)("of the pattern %s for tags, of %j, is %s", ([tag, tags, version]) => {
    const releases = tags.map((name) => release(name, DMG));
    expect(outcome(releases, { tag })).toEqual(version);
  });

  const RENAMED = [release("v1.0.11", ["alt-tab-macos.zip"]), release("v1.4.5", ["AltTab-1.4.5.zip"], 2)];
  const RESTARTED = [release("core@2023.5.8", DMG), release("core@13.1.0", DMG, 2), release("core@2022.7.0", DMG, 0)];
  const UNREAD = [release("app-1.9", DMG), release("app-2", DMG, 2)];
  const COUNTED = [release("v9.3", DMG, 1), release("v9.2", DMG, 0), release("v1.0", DMG, 3)];

  test.for<[why: string, releases: ListedRelease[], ways: [setting: Partial<ReleaseCriteria>, version: string][]]>([
    ["whose file has another name", RENAMED, [[{ asset: "AltTab-*.zip" }, "1.4.5"]]],
    [
      "that is counted anew",
      RESTARTED,
      [
        [{ since: "2026-02-01" }, "13.1.0"],
        [{ tag: "core@2023.*" }, "2023.5.8"],
      ],
    ],
    [
      "that begins again at 1.0",
      COUNTED,
      [
        [{ since: "2026-03-01" }, "1.0"],
        [{ tag: "v9.*" }, "9.3"],
      ],
    ],
    [
      "whose tag has no dot",
      UNREAD,
      [
        [{ tag: "app-*" }, "2"],
        [{ tag: "app-*.*" }, "1.9"],
      ],
    ],
  ])("is never passed over in silence, and each setting that is named works: one %s", ([, releases, ways]) => {
    const refusal = outcome(releases);
    for (const [settings, version] of ways) {
      const [[name, value] = []] = Object.entries(settings);
      expect(refusal).toContain(`"${name}": ${JSON.stringify(value)} takes `);
      expect(outcome(releases, settings)).toBe(version);
    }
  });

  test("is named with both files or tags", () => {
    expect(outcome(RENAMED)).toContain(
      "AltTab-1.4.5.zip of v1.4.5 is newer than alt-tab-macos.zip of v1.0.11, but nothing says that it is the installer for macos",
    );
    expect(outcome(RESTARTED)).toContain("core@13.1.0 came after core@2023.5.8, but has a lower version: ");
    expect(outcome(UNREAD)).toContain("app-2 is later than app-1.9, and has no version that can be read: ");
  });

  test.for([
    [
      "a companion that was always there",
      [release("v1.0", ["N.dmg", "docs.zip"]), release("v1.1", ["docs.zip", "N.exe"], 2)],
    ],
    ["a release without files", [release("v1.0", DMG), release("v3.0.0", [], 2)]],
    ["a release for others only", [release("v1.0", DMG), release("v1.1", ["N.exe", "N.AppImage"], 2)]],
    ["a rolling release", [release("v1.0", DMG), release("nightly", DMG, 2), release("latest-dev", DMG, 3)]],
    ["a restart on another system", [release("v1.0", DMG), release("v0.1", ["N.AppImage"], 2)]],
  ] as const)("is not in doubt because of %s", ([, releases]) => {
    expect(outcome([...releases])).toBe("1.0");
  });

  test("is told of as long as a pattern with the beginning of a version in it ends before it", () => {
    const draft = release("v12.0", DMG, 6, { isDraft: true });
    const later = [...COUNTED, release("v10.0", DMG, 4), release("cli-v11.0", ["cli-11.0.dmg"], 5), draft];
    const { passedOver, beyond } = newest(later, { tag: "v9.*" });
    expect({ passedOver, beyond }).toEqual({ passedOver: [], beyond: { release: "v10.0", setting: '"tag": "v9.*"' } });
  });

  test("may be a file whose name has a word of the product that is a companion's elsewhere", () => {
    const releases = [release("v1.0", ["plugin-host.dmg"]), release("v1.1", ["PluginHost-plugin-1.1.zip"], 2)];
    expect(outcome(releases, { product: "plugin-host" })).toMatch(
      /^PluginHost-plugin-1\.1\.zip of v1\.1 is newer than/,
    );
    expect(outcome(releases)).toBe("1.0");
  });

  test("may have a tag that matches the pattern, and has no version", () => {
    const releases = [release("app-1.9", DMG), release("app-final", DMG, 2)];
    expect(outcome(releases, { tag: "app-*" })).toMatch(/^app-final is later than app-1\.9, and has no version/);
  });

  test("is of the app, though the pattern for tags matches another product by accident", () => {
    const releases = [release("v2.0.0", DMG), release("viewer-14.0", ["Viewer.dmg"], 2)];
    expect(outcome(releases, { tag: "v*" })).toMatch(
      /^viewer-14\.0 is newer than v2\.0\.0, and may be another product: "tag": "viewer-\*"/,
    );
  });

  test("is in doubt for no more than a moment, however many products and files there are", () => {
    const files = Array.from({ length: 50 }, (_, index) => `Notes-${index}-mac.zip`);
    const releases = Array.from({ length: 300 }, (_, index) =>
      release(`p${String.fromCodePoint(0x4e00 + index)}-1.0`, files),
    );
    const refusal = outcome(releases);
    expect(refusal.length).toBeLessThan(600);
  });

  test("is not passed over because it no longer matches the pattern for files", () => {
    const releases = [release("v1.0", ["N-x64.dmg"]), release("v1.1", ["Notes-1.1-x86_64.dmg"], 2)];
    const refusal = outcome(releases, { asset: "N-*.dmg" });
    expect(refusal).toMatch(
      /^Notes-1\.1-x86_64\.dmg of v1\.1 is newer than N-x64\.dmg of v1\.0, .*"asset": "Notes-\*-x86_64\.dmg" takes/,
    );
    expect(outcome(releases, { asset: "N*.dmg" })).toBe("1.1");
  });

  test("is later where its vendor counts in decimals, and the setting that is named takes it", () => {
    const releases = [release("v2.9.6", DMG), release("v2.9.61", DMG, 1), release("v2.9.8", DMG, 2)];
    expect(outcome(releases)).toMatch(
      /^v2\.9\.8 came after v2\.9\.61, but has a lower version: "since": "2026-02-01" takes/,
    );
    expect(outcome(releases, { since: "2026-02-01" })).toBe("2.9.8");
    const renamed = [release("v0.9.63", ["Notes.0.9.63.zip"], 1), release("v0.9.7", ["Notes_0.9.7.zip"], 2)];
    expect(outcome(renamed, { asset: "Notes.*.zip" })).toMatch(
      /but has a lower version: .*"asset": "Notes_\*\.zip" takes/,
    );
    expect(outcome(renamed, { asset: "Notes_*.zip" })).toBe("0.9.7");
  });

  test.for([
    ["4.9 4.10 4.9a", "4.10"],
    ["v1.2.9 v1.2.10 v1.2.9-1", "1.2.10"],
    ["2024.9 2024.10 2024.9.1", "2024.10"],
    ["1.9 1.10 1.9.1", "1.10"],
    ["1.9 1.10 1.12 1.2", "1.12"],
  ] as const)("is not a hotfix of an older one: %s", ([tags, version]) => {
    expect(outcome(tags.split(" ").map((tag, index) => release(tag, DMG, index + 1)))).toBe(version);
  });

  test("is for the platform in its tag, if its files name none", () => {
    const releases = ["1.0", "1.1"].flatMap((version, index) => [
      release(`v${version}-mac`, [`notes-${version}.zip`], 2 * index + 1),
      release(`v${version}-win`, [`notes-${version}.zip`], 2 * index + 2),
    ]);
    expect(outcome(releases)).toBe("1.1");
    expect(newest(releases).picked).toBe("notes-1.1.zip of v1.1-mac");
    expect(newest(releases, { asset: "notes-*.zip" }).picked).toBe("notes-1.1.zip of v1.1-mac");
  });

  test.for<[tag: string, files: string[], outcome: string | RegExp]>([
    ["v1.1-win", ["Notes-1.1-win32-x86.zip", "data.zip"], "Notes-1.1-win32-x86.zip"],
    ["v1.1-win", ["Notes-1.1-win.zip", "translations.zip"], "Notes-1.1-win.zip"],
    ["v1.1-windows", ["Notes-1.1-windows.7z", "shaders.zip"], "Notes-1.1-windows.7z"],
    ["v1.1-win", ["Notes-1.1.zip", "Notes-1.1-src.zip"], "Notes-1.1.zip"],
    ["v1.2-win", ["patch-data.zip"], /no file is known to be an installer/],
    ["v2.0.1-linux-fix", ["Notes.zip"], /no file is known to be an installer/],
    ["v3.1-win7-compatible", ["Notes.zip"], /no file is known to be an installer/],
  ])("is not chosen by a tag where its files say more: %s %j", ([tag, files, expected]) => {
    const outcomeOf = () => newest([release(tag, files)], { platform: "windows" }).picked?.replace(/ of .*/, "");
    if (typeof expected === "string") expect(outcomeOf()).toBe(expected);
    else expect(outcomeOf).toThrow(expected);
  });

  test("is named with its own file, not with that of another edition", () => {
    const releases = [
      release("v1", ["GizmoPro-1-mac.zip"]),
      release("v2", ["GizmoLite2-mac.zip", "GizmoPro2-mac.zip"], 2),
    ];
    expect(outcome(releases, { asset: "GizmoPro-*.zip" })).toContain('"asset": "GizmoPro*-mac.zip" takes');
  });

  test("is the highest of those that were all imported at once, in any order", () => {
    const at = (seconds: number) => ({ date: new Date(Date.UTC(2026, 5) + seconds * 1000).toISOString() });
    const imported = ["v2.0.0", "v1.10.0", "v1.9.0"].map((tag, index) => release(tag, DMG, 6, at(index)));
    expect(outcome(imported)).toBe("2.0.0");
    // A slip that was corrected a moment later has releases before it.
    const slip = [release("v1.8.0", DMG), release("v20.0.0", DMG, 6, at(0)), release("v2.0.0", DMG, 6, at(60))];
    expect(outcome(slip)).toMatch(/^v2\.0\.0 came after v20\.0\.0/);
  });

  test("counts anew with each step of a vendor who goes on after the restart", () => {
    const after = [...COUNTED, release("v1.1", DMG, 4), release("v2.0", DMG, 5)];
    expect(outcome(after)).toMatch(/came after v9\.3/);
    expect(outcome(after, { since: "2026-03-01" })).toBe("2.0");
  });

  describe("by the vendor's own mark", () => {
    const slip = [release("v0.4.5", DMG, 1), release("v0.4.4", DMG, 0), release("v04.6", DMG, 2)];
    const marked = (latest: string, releases = slip, criteria: Partial<ReleaseCriteria> = {}) =>
      outcome(releases, criteria, true, { latest });

    test("is refused if it is not the highest version", () => {
      expect(outcome(slip.slice(0, 2), {}, true, { latest: "v0.4.5" })).toBe("0.4.5");
      expect(marked("v0.4.5")).toMatch(
        /^v0\.4\.5 is the latest release by the vendor's own mark, and v04\.6 has the highest/,
      );
      expect(marked("v0.4.5", slip, { tag: "v0.*" })).toBe("0.4.5");
      expect(marked("v0.4.5", slip, { tag: "v04.*" })).toBe("04.6");
    });

    test("counts for more than a stage in its tag", () => {
      const releases = [release("v1.0", DMG), release("v1.1-beta", DMG, 2)];
      expect(marked("v1.0", releases)).toBe("1.0");
      expect(marked("v1.1-beta", releases)).toMatch(/: "prereleases": true takes v1\.1-beta; or correct the mark$/);
    });

    test.for([
      ["has nothing for the platform", "v2.0", [release("v1.0", DMG), release("v2.0", ["N.AppImage"], 2)], "1.0"],
      ["is not in the list", "v7", [release("v1.0", DMG)], "1.0"],
    ] as const)("says nothing if that release %s", ([, latest, releases, version]) => {
      expect(marked(latest, [...releases])).toBe(version);
    });

    test("may be behind a prerelease that the settings ask for", () => {
      const releases = [release("v1.0", DMG), release("v1.1-beta.1", DMG, 2, { isPrerelease: true })];
      expect(marked("v1.0", releases, { prereleases: true })).toBe("1.1-beta.1");
    });

    test("a prerelease is not taken past a later release that the vendor marks as latest", () => {
      const beta = release("v2.0.0-beta.1", DMG, 2, { isPrerelease: true });
      const releases = [release("v1.9.0", DMG, 1), beta, release("v1.9.1", DMG, 3)];
      const refusal = /^v1\.9\.1 is the latest release by the vendor's own mark, and v2\.0\.0-beta\.1 has the highest/;
      expect(marked("v1.9.1", releases, { prereleases: true })).toMatch(refusal);
    });
  });

  test("waits for a better file that is being uploaded, but at most an hour", () => {
    const file = (name: string, isUploaded: boolean) => ({
      name,
      url: `https://x.example/${name}`,
      size: 1,
      isUploaded,
    });
    const files = [
      file("N.zip", true),
      { ...file("N-mac.dmg", false), createdAt: "2026-02-01T10:00:00Z" },
      file("N-mac.zip", true),
    ];
    const releases = [release("v1.0", DMG), release("v1.1", [], 2, { files })];
    const at = (time: string) => outcome(releases, {}, true, { askedAt: Date.parse(time) });
    expect(at("2026-02-01T10:10:00Z")).toBe("N-mac.dmg of v1.1 is still being uploaded");
    expect(at("2026-02-01T11:01:00Z")).toBe("1.1");
  });

  test("of a file with another version in its name is a warning", () => {
    const warnings = (...given: Parameters<typeof release>) =>
      warningsOf(gate("release-macos", newest([release(...given)]).payload).payload);
    const told = ["the file's name says 3.0.4, and its release 20260819.2"];
    expect(warnings("r20260819.2", ["Keyguard-3.0.4.dmg"], 8)).toEqual(told);
    expect(warnings("v2.3", ["N-2.3.0-macOS-10.15.dmg"])).toEqual([]);
  });

  test("is none when the releases of the last year have files for others only, whatever is older", () => {
    const recent = Array.from({ length: 12 }, (_, month) => release(`v2.${month}`, ["N.exe"], month));
    expect(outcome([...recent, release("v1.0", ["N.zip"], -2)], {}, false)).toBe("none");
    expect(outcome([...recent, release("v1.0", ["N.zip"], 0)])).toMatch(/N\.zip of v1\.0/);
    expect(outcome(recent, {}, false)).toMatch(
      /^no installer for macos among the newest 12 releases: .* "macos": "none"$/,
    );
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
      { seed: SEED },
    );
  });
});
