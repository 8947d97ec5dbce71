// Which of a release's files is the installer, with the names of real releases.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseInstaller, settle } from "../../../../collector/features/kinds/releases/installer.ts";
import type { InstallerCriteria } from "../../../../collector/features/kinds/releases/installer-rank.ts";
import type { Platform } from "../../../../snapshots/schema.ts";
import { SEED } from "../../../support/random.ts";

type Settings = Omit<InstallerCriteria, "platform">;

function choose(names: readonly string[], platform: Platform, settings: Settings = {}) {
  return chooseInstaller(
    names.map((name) => ({ name })),
    { platform, ...settings },
  );
}

/** The name chosen, "none" or "unclear". */
function outcome(names: readonly string[], platform: Platform, settings: Settings = {}): string {
  const { file, rejected } = choose(names, platform, settings);
  return file?.name ?? (rejected.every(({ kind }) => kind === "other") ? "none" : "unclear");
}

type Case = [fact: string, platform: Platform, names: string, settings?: Settings];

/** The first name is the installer. */
const CHOSEN: Case[] = [
  ["an archive", "macos", "Batcave-darwin-x64.tar.gz"],
  ["an archive", "macos", "Soundnode-darwin-x64.tar.xz"],
  ["an archive", "macos", "Genotify-darwin.tar.gz, Genotify-linux.tar.gz"],
  ["an archive", "macos", "markdown-explorer-MacOS-64.tar.gz, markdown-explorer-Linux-64.tar.gz"],
  ["an archive", "macos", "cloudcmd-macos-x64.tar.gz, cloudcmd-linux-x64.tar.gz"],
  ["an archive", "windows", "notes-1.0-windows-x86_64.tar.gz"],
  ["an archive", "windows", "notes-win64.7z, notes-mac.7z"],
  ["an archive last", "windows", "notes.msi, notes-win64.7z"],
  ["a setup first", "windows", "smplayer-25.6.0-win32.exe, smplayer-portable-25.6.0.0-x64.7z"],
  ["no platform", "windows", "DB.Browser.for.SQLite-v3.13.1-win64.zip, DB.Browser.for.SQLite-v3.13.1-arm64.zip"],
  ["a word alone is the product's name", "windows", "mini_installer.exe, chrome.7z"],
  ["a hyphen", "windows", "LocalSend-1.18.2-windows-x86-64.zip, LocalSend-1.18.2-windows-arm-64.zip"],
  ["an .app.zip is for macOS", "macos", "Notes.app.zip, Notes.exe"],
  ["a product's word", "macos", "source-me-1.0.dmg"],
  ["a product's word", "windows", "enso-open-source-1.3-x86_64.exe"],
  [
    "a product's word",
    "windows",
    "ios-webkit-debug-proxy-1.9.1-win64-bin.zip, ios-webkit-debug-proxy-1.9.1-win32-bin.zip",
  ],
  ["a product's word", "windows", "ios-webkit-debug-proxy-1.9.1-win64-bin.zip", { product: "ios-webkit-debug-proxy" }],
  ["named", "windows", "notes-win-symbols.zip, notes.exe", { glob: "*-symbols.zip" }],
  ["an uninstaller is no setup", "windows", "Foo-1.0.exe, FooUninstaller.exe"],
  ["win64", "windows", "RawTherapee_5.13_win64_release.exe, RawTherapee_5.13_win64_arm64_release.exe"],
  ["x64 and arm64 are universal", "macos", "N-x64-arm64.dmg, N-arm64.dmg, N-x64.dmg"],
  ["a bare 64 is a mark", "windows", "Notes-64.exe, Notes-32.exe"],
  ["32.Bit is a mark", "windows", "Notes.64.Bit.exe, Notes.32.Bit.exe"],
  ["x86_win7 is a mark", "windows", "Notes_x64.exe, Notes_x86_win7.exe"],
  ["Win32 beside x64 is a mark", "windows", "Notes-x64.exe, Notes-Win32.exe"],
  ["win32-x64 is x64", "windows", "notes-win32-x64.zip, notes-win32-ia32.zip"],
  ["386 is a mark", "windows", "k9s_windows_amd64.zip, k9s_windows_386.zip"],
  ["a number at the end of a word is a mark", "windows", "Installer64.exe, Installer32.exe"],
  ["woa is arm64", "windows", "LLVM-17.0.1-win64.exe, LLVM-17.0.1-woa64.exe"],
  ["a bare arm is a mark", "windows", "croc_Windows-64bit.zip, croc_Windows-ARM.zip"],
  ["win32 on a setup is the system", "windows", "N-Setup-win32.exe", { arch: "x64" }],
  ["before a version", "windows", "App.x64.1.2.3.exe, App.arm64.1.2.3.exe"],
  ["before a version", "windows", "tsetup-x64.7.0.9.exe"],
  ["an archive of an installer names its platform", "macos", "Notes.dmg.zip, Notes.exe.zip"],
  ["an archive of an installer names its platform", "windows", "Notes.exe.zip, Notes.pkg.zip"],
  ["an archive of an installer names its platform", "macos", "Notes.app.tgz"],
  ["a whole version", "windows", "Notes-241.exe, Notes.exe", { version: "241" }],
  ["arm64 alone, as a last resort", "windows", "N-arm64.exe", { acceptsAnyArch: true }],
  ["an unmarked zip may be for macOS", "macos", "Notes-1.0.zip", { acceptsUnmarked: true }],
  ["a disk image first", "macos", "N-arm64.dmg, N-arm64-mac.zip, N-arm64.pkg, N-x64.dmg"],
  ["universal first", "macos", "N-universal.dmg, N-arm64.dmg, N.dmg"],
  ["arm64 before no mark", "macos", "N-arm64.dmg, N.dmg"],
  ["no mark before x64", "macos", "N.dmg, N-x64.dmg"],
  ["the arch of the settings", "macos", "N_x86_64.dmg, N_aarch64.dmg", { arch: "x64" }],
  ["an image beats an archive for updates", "macos", "N_aarch64.dmg, N_aarch64.app.tar.gz"],
  ["no symbols", "macos", "N-darwin-arm64.zip, N-win32-x64.zip, N-dSYM-mac.zip"],
  ["x64 first", "windows", "N-x64.exe, N-arm64.exe, N-ia32.exe"],
  ["x64 before a better ending", "windows", "N-x64.msi, N-arm64.exe"],
  ["a program first", "windows", "N.exe, N.msix, N.msi, N-win.zip"],
  ["a setup of any kind beats a portable", "windows", "N-setup.msi, N-portable.exe"],
  ["the vendor's pattern", "windows", "N-x64.msi, N-setup.exe, N-arm64.msi", { glob: "*-x64.msi" }],
  ["the arch of the settings", "windows", "N-arm64.exe, N-x64.exe", { arch: "arm64" }],
  ["no companions", "windows", "N-setup.exe, N-cli-x64.exe, vc_redist.x64.exe, N-uninstaller.exe"],
  ["a server alone", "windows", "N-server-x64.exe"],
  ["no other system", "macos", "N-mac.zip, N-cli.dmg, N-freebsd.pkg"],
  ["no side files", "windows", "N-x64.msi, N-setup.exe.blockmap, N.exe.sig, N-x64.nsis.zip"],
  ["a setup beats a portable", "windows", "App Setup 1.0.exe, App 1.0.exe"],
  ["a setup beats a portable", "windows", "Joplin-Setup-2.0.exe, JoplinPortable.exe"],
  ["a setup beats one that downloads", "windows", "App Setup 1.0.exe, App Web Setup 1.0.exe"],
  ["x64 beats 32 bit", "windows", "App-x64-portable.exe, App-ia32-setup.exe"],
  ["one file under two names", "macos", "Notes-1.2.0.dmg, Notes.dmg"],
  ["English before another language", "windows", "N_x64_en-US.msi, N_x64_de-DE.msi"],
  ["a single match", "windows", "notes.jar, notes.tar.gz", { glob: "*.jar" }],
  ["no other platform", "macos", "notes-mac.bin, notes-setup.exe", { glob: "notes-*" }],
];

/** "none" if every file is certainly something else, "unclear" if that is not certain. */
const NOT_CHOSEN: [
  fact: string,
  platform: Platform,
  names: string,
  outcome: "none" | "unclear",
  settings?: Settings,
][] = [
  ["for others", "windows", "Batcave-darwin-x64.tar.gz, Batcave-linux-x64.tar.gz", "none"],
  ["a word alone is the product's name", "windows", "Alpine.zip", "unclear"],
  ["a word alone may mark the system", "windows", "linux.zip, macos.zip", "none"],
  ["an archive without a platform is unclear", "macos", "notes-1.0.tar.gz", "unclear"],
  ["an .app.zip is not for Windows", "windows", "Notes.app.zip", "none"],
  ["side files are none", "macos", "a.sig, a.dmg.sha256, b.blockmap, latest.yml, x.txt, y.asc, z.sbom, r.json", "none"],
  ["a script is unclear", "windows", "winutil.ps1", "unclear"],
  ["an updater's package is a sign of an app", "windows", "RELEASES, Notes-1.0-full.nupkg", "unclear"],
  ["a product may be named after a program", "windows", "chrome.nosync.7z", "unclear"],
  ["symbols are not the app", "windows", "notes-win-symbols.zip, notes.dmg", "unclear"],
  ["what is alone so far may be an accessory", "macos", "bar-1.1-macos-dSYM.zip", "unclear"],
  ["what is alone so far may be an accessory", "windows", "foo-1.1-win64-symbols.zip", "unclear"],
  ["what is alone so far may be an accessory", "windows", "FooUninstaller.exe", "unclear"],
  ["no accessory that a pattern does not name", "windows", "npp.1.1.src.7z, npp.msix", "unclear", { glob: "npp.*.7z" }],
  ["no plugins that a pattern does not name", "macos", "Notes-1.1-plugins.zip", "unclear", { glob: "Notes-*.zip" }],
  ["the product's name", "windows", "ubuntu-font-family.zip", "unclear", { product: "ubuntu-font-family" }],
  ["arm64 alone", "windows", "N-arm64.exe", "unclear"],
  ["an unmarked zip is not for Windows", "windows", "Notes-1.0.zip", "unclear", { acceptsUnmarked: true }],
  [
    "for others",
    "macos",
    "RELEASES, n-1.0-full.nupkg, n.pacman, n.freebsd, n.asar, n.zxp, n.AppImage.zsync, n-linux, n.exe",
    "none",
  ],
];

describe("choosing an installer (collector/features/kinds/releases/installer.ts)", () => {
  test.for([
    ...CHOSEN.map(
      ([fact, platform, names, settings = {}]) =>
        [fact, platform, names, names.split(", ")[0] ?? "", settings] as const,
    ),
    ...NOT_CHOSEN.map(
      ([fact, platform, names, chosen, settings = {}]) => [fact, platform, names, chosen, settings] as const,
    ),
  ])("%s: for %s, of %s in any order: %s", ([, platform, given, chosen, settings]) => {
    const names = given.split(", ");
    expect(outcome(names, platform, settings)).toBe(chosen);
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (shuffled) => {
        expect(outcome(shuffled, platform, settings)).toBe(chosen);
      }),
      { seed: SEED },
    );
  });
});

describe("two products that are equally good are an error that names both", () => {
  test.for<[Platform, [string, string]]>([
    ["windows", ["Mist-installer-0-11-1.exe", "Ethereum-Wallet-installer-0-11-1.exe"]],
    ["macos", ["electron-node-red-1.0.0.dmg", "electron-node-red-pack-1.0.0.dmg"]],
    // A paid edition beside the free one.
    ["windows", ["Notes-Pro-1.0.msi", "Notes-1.0.msix"]],
    // A single number is a part of the name.
    ["windows", ["Notes.exe", "Notes_v2.exe"]],
    ["macos", ["Notes-macOS-10.12-10.15.dmg", "Notes-macOS-11+.dmg"]],
    ["windows", ["mihomo-windows-amd64-v1-v1.19.30.zip", "mihomo-windows-amd64-v2-v1.19.30.zip"]],
    // The one for most people names no platform.
    ["windows", ["LunaTranslator_x64.zip", "LunaTranslator_x86_win7.zip"]],
    ["windows", ["Notepad4_HD_i18n_x64_v26.08r6282.zip", "Notepad4_i18n_Win32_v26.08r6282.zip"]],
    // A setup is no better than the app if it is that of a part.
    ["windows", ["NotesUpdaterSetup.exe", "Notes.exe"]],
    ["windows", ["notes-service-installer.exe", "Notes-1.1.exe"]],
    ["windows", ["notes-plugins-setup-1.2.exe", "notes-1.2-win64.zip"]],
  ])("for %s, of %j", ([platform, names]) => {
    for (const files of [names, names.toReversed()]) {
      const settled = () => settle(choose(files, platform, { product: "notes" }), platform, "the release");
      expect(settled).toThrow(/equally good: name the installer with "asset"/);
      for (const name of names) expect(settled).toThrow(name);
    }
  });
});

describe("the installers for other processors", () => {
  /** As `arch: name`, the chosen one first. */
  const installers = (names: string[], platform: Platform, settings: Settings = {}) =>
    choose(names, platform, settings).files.map(({ arch = "unmarked", name }) => `${arch}: ${name}`);

  test.for<[says: string, platform: Platform, names: string[], installers: string[], settings?: Settings]>([
    [
      "the better of two for one processor",
      "macos",
      ["N-x64.zip", "N-arm64.dmg", "N-x64.dmg", "N-x64.exe"],
      ["arm64: N-arm64.dmg", "x64: N-x64.dmg"],
    ],
    [
      "those of most computers first",
      "windows",
      ["N-arm64-setup.exe", "N-ia32-setup.exe", "N-x64-setup.exe", "N-arm64.msi"],
      ["x64: N-x64-setup.exe", "ia32: N-ia32-setup.exe", "arm64: N-arm64-setup.exe"],
    ],
    ["none without a processor in its name", "macos", ["N.dmg", "N-arm64.dmg"], ["arm64: N-arm64.dmg"]],
    ["beside one for all", "macos", ["N.dmg", "N-x64.dmg"], ["unmarked: N.dmg", "x64: N-x64.dmg"]],
    ["no other product", "macos", ["N-arm64.dmg", "N-Helper-x64.dmg"], ["arm64: N-arm64.dmg"]],
    ["no form that few install", "windows", ["N-x64.exe", "N-arm64-portable.exe"], ["x64: N-x64.exe"]],
    ["no symbols", "windows", ["N-x64.zip", "N-win-x64.exe", "N-arm64-symbols.zip"], ["x64: N-win-x64.exe"]],
    [
      "with a pattern, none of another extension",
      "windows",
      ["N-user-x64.exe", "N-user-arm64.exe", "N-x64.msi", "N-arm64.msi", "N-arm64.exe", "N-ia32.zip"],
      ["x64: N-x64.msi", "arm64: N-arm64.msi"],
      { glob: "*x64.msi" },
    ],
    [
      "the one of the settings first",
      "macos",
      ["N-arm64.dmg", "N-x64.dmg", "N-universal.dmg"],
      ["x64: N-x64.dmg", "universal: N-universal.dmg", "arm64: N-arm64.dmg"],
      { arch: "x64", glob: "*-x64*" },
    ],
  ])("%s", ([, platform, names, expected, settings]) => {
    for (const files of [names, names.toReversed()]) expect(installers(files, platform, settings)).toEqual(expected);
  });
});
