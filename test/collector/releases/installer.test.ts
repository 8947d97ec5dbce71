// Which of a release's files is the installer, with the names of real releases.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseInstaller, settle, type InstallerCriteria } from "../../../collector/releases/installer.ts";
import type { Platform } from "../../../snapshots/schema.ts";
import { SEED } from "../../support/random.ts";

type Settings = Omit<InstallerCriteria, "platform">;

function choose(names: readonly string[], platform: Platform, settings: Settings = {}) {
  return chooseInstaller(
    names.map((name) => ({ name })),
    { platform, ...settings },
  );
}

/** The name chosen; "none" when every file is certainly something else, "unclear" when that is not certain. */
function outcome(names: readonly string[], platform: Platform, settings: Settings = {}): string {
  const { file, isNoneForPlatform } = choose(names, platform, settings);
  return file?.name ?? (isNoneForPlatform ? "none" : "unclear");
}

const CASES: [fact: string, platform: Platform, names: string[], chosen: string, settings?: Settings][] = [
  // An archive whose name marks the platform.
  ["an archive", "macos", ["Batcave-darwin-x64.tar.gz"], "Batcave-darwin-x64.tar.gz"],
  ["an archive", "macos", ["Soundnode-darwin-x64.tar.xz"], "Soundnode-darwin-x64.tar.xz"],
  ["an archive", "macos", ["Genotify-linux.tar.gz", "Genotify-darwin.tar.gz"], "Genotify-darwin.tar.gz"],
  [
    "an archive",
    "macos",
    ["markdown-explorer-MacOS-64.tar.gz", "markdown-explorer-Linux-64.tar.gz"],
    "markdown-explorer-MacOS-64.tar.gz",
  ],
  ["an archive", "macos", ["cloudcmd-macos-x64.tar.gz", "cloudcmd-linux-x64.tar.gz"], "cloudcmd-macos-x64.tar.gz"],
  ["an archive", "windows", ["notes-1.0-windows-x86_64.tar.gz"], "notes-1.0-windows-x86_64.tar.gz"],
  ["an archive", "windows", ["notes-win64.7z", "notes-mac.7z"], "notes-win64.7z"],
  ["an archive last", "windows", ["notes-win64.7z", "notes.msi"], "notes.msi"],
  ["for others", "windows", ["Batcave-darwin-x64.tar.gz", "Batcave-linux-x64.tar.gz"], "none"],
  [
    "a setup first",
    "windows",
    ["smplayer-25.6.0-win32.exe", "smplayer-portable-25.6.0.0-x64.7z"],
    "smplayer-25.6.0-win32.exe",
  ],
  [
    "no platform",
    "windows",
    ["DB.Browser.for.SQLite-v3.13.1-arm64.zip", "DB.Browser.for.SQLite-v3.13.1-win64.zip"],
    "DB.Browser.for.SQLite-v3.13.1-win64.zip",
  ],
  ["a word alone is the product's name", "windows", ["Alpine.zip"], "unclear"],
  ["a word alone is the product's name", "windows", ["chrome.7z", "mini_installer.exe"], "mini_installer.exe"],
  ["a word alone may mark the system", "windows", ["linux.zip", "macos.zip"], "none"],
  [
    "a hyphen",
    "windows",
    ["LocalSend-1.18.2-windows-arm-64.zip", "LocalSend-1.18.2-windows-x86-64.zip"],
    "LocalSend-1.18.2-windows-x86-64.zip",
  ],
  ["an archive without a platform is unclear", "macos", ["notes-1.0.tar.gz"], "unclear"],
  ["an .app.zip is for macOS", "macos", ["Notes.app.zip", "Notes.exe"], "Notes.app.zip"],
  ["an .app.zip is not for Windows", "windows", ["Notes.app.zip"], "none"],
  [
    "side files are none",
    "macos",
    ["a.sig", "a.dmg.sha256", "b.blockmap", "latest.yml", "x.txt", "y.asc", "z.sbom", "r.json"],
    "none",
  ],
  ["a script is unclear", "windows", ["winutil.ps1"], "unclear"],
  ["an updater's package is a sign of an app", "windows", ["RELEASES", "Notes-1.0-full.nupkg"], "unclear"],
  ["a product may be named after a program", "windows", ["chrome.nosync.7z"], "unclear"],
  // Words of the product's own name.
  ["a product's word", "macos", ["source-me-1.0.dmg"], "source-me-1.0.dmg"],
  ["a product's word", "windows", ["enso-open-source-1.3-x86_64.exe"], "enso-open-source-1.3-x86_64.exe"],
  [
    "a product's word",
    "windows",
    ["ios-webkit-debug-proxy-1.9.1-win64-bin.zip", "ios-webkit-debug-proxy-1.9.1-win32-bin.zip"],
    "ios-webkit-debug-proxy-1.9.1-win64-bin.zip",
  ],
  [
    "a product's word",
    "windows",
    ["ios-webkit-debug-proxy-1.9.1-win64-bin.zip"],
    "ios-webkit-debug-proxy-1.9.1-win64-bin.zip",
    { product: "ios-webkit-debug-proxy" },
  ],
  ["symbols are not the app", "windows", ["notes-win-symbols.zip", "notes.dmg"], "unclear"],
  ["named", "windows", ["notes-win-symbols.zip", "notes.exe"], "notes-win-symbols.zip", { glob: "*-symbols.zip" }],
  // Architectures.
  [
    "win64",
    "windows",
    ["RawTherapee_5.13_win64_arm64_release.exe", "RawTherapee_5.13_win64_release.exe"],
    "RawTherapee_5.13_win64_release.exe",
  ],
  ["x64 and arm64 are universal", "macos", ["N-x64-arm64.dmg", "N-arm64.dmg", "N-x64.dmg"], "N-x64-arm64.dmg"],
  ["a bare 64 is a mark", "windows", ["Notes-32.exe", "Notes-64.exe"], "Notes-64.exe"],
  ["32.Bit is a mark", "windows", ["Notes.32.Bit.exe", "Notes.64.Bit.exe"], "Notes.64.Bit.exe"],
  ["x86_win7 is a mark", "windows", ["Notes_x86_win7.exe", "Notes_x64.exe"], "Notes_x64.exe"],
  ["Win32 beside x64 is a mark", "windows", ["Notes-Win32.exe", "Notes-x64.exe"], "Notes-x64.exe"],
  ["win32-x64 is x64", "windows", ["notes-win32-ia32.zip", "notes-win32-x64.zip"], "notes-win32-x64.zip"],
  ["386 is a mark", "windows", ["k9s_windows_386.zip", "k9s_windows_amd64.zip"], "k9s_windows_amd64.zip"],
  ["a number at the end of a word is a mark", "windows", ["Installer32.exe", "Installer64.exe"], "Installer64.exe"],
  ["woa is arm64", "windows", ["LLVM-17.0.1-win64.exe", "LLVM-17.0.1-woa64.exe"], "LLVM-17.0.1-win64.exe"],
  ["a bare arm is a mark", "windows", ["croc_Windows-ARM.zip", "croc_Windows-64bit.zip"], "croc_Windows-64bit.zip"],
  ["win32 on a setup is the system", "windows", ["N-Setup-win32.exe"], "N-Setup-win32.exe", { arch: "x64" }],
  ["before a version", "windows", ["App.arm64.1.2.3.exe", "App.x64.1.2.3.exe"], "App.x64.1.2.3.exe"],
  ["before a version", "windows", ["tsetup-x64.7.0.9.exe"], "tsetup-x64.7.0.9.exe"],
  ["an archive of an installer names its platform", "macos", ["Notes.dmg.zip", "Notes.exe.zip"], "Notes.dmg.zip"],
  ["an archive of an installer names its platform", "windows", ["Notes.pkg.zip", "Notes.exe.zip"], "Notes.exe.zip"],
  ["an archive of an installer names its platform", "macos", ["Notes.app.tgz"], "Notes.app.tgz"],
  ["the product's name", "windows", ["ubuntu-font-family.zip"], "unclear", { product: "ubuntu-font-family" }],
  ["a whole version", "windows", ["Notes.exe", "Notes-241.exe"], "Notes-241.exe", { version: "241" }],
  ["arm64 alone", "windows", ["N-arm64.exe"], "unclear"],
  ["arm64 alone, as a last resort", "windows", ["N-arm64.exe"], "N-arm64.exe", { acceptsAnyArch: true }],
  // Misuse.
  ["an unmarked zip is not for Windows", "windows", ["Notes-1.0.zip"], "unclear", { acceptsUnmarked: true }],
  ["an unmarked zip may be for macOS", "macos", ["Notes-1.0.zip"], "Notes-1.0.zip", { acceptsUnmarked: true }],
  // Good files.
  ["a disk image first", "macos", ["N-arm64-mac.zip", "N-arm64.pkg", "N-x64.dmg", "N-arm64.dmg"], "N-arm64.dmg"],
  ["universal first", "macos", ["N-arm64.dmg", "N-universal.dmg", "N.dmg"], "N-universal.dmg"],
  ["arm64 before no mark", "macos", ["N.dmg", "N-arm64.dmg"], "N-arm64.dmg"],
  ["no mark before x64", "macos", ["N-x64.dmg", "N.dmg"], "N.dmg"],
  ["the arch of the settings", "macos", ["N_x86_64.dmg", "N_aarch64.dmg"], "N_x86_64.dmg", { arch: "x64" }],
  ["an image beats an archive for updates", "macos", ["N_aarch64.app.tar.gz", "N_aarch64.dmg"], "N_aarch64.dmg"],
  ["no symbols", "macos", ["N-darwin-arm64.zip", "N-win32-x64.zip", "N-dSYM-mac.zip"], "N-darwin-arm64.zip"],
  ["x64 first", "windows", ["N-arm64.exe", "N-x64.exe", "N-ia32.exe"], "N-x64.exe"],
  ["x64 before a better ending", "windows", ["N-arm64.exe", "N-x64.msi"], "N-x64.msi"],
  ["a program first", "windows", ["N.msix", "N.msi", "N.exe", "N-win.zip"], "N.exe"],
  ["a setup of any kind beats a portable", "windows", ["N-portable.exe", "N-setup.msi"], "N-setup.msi"],
  ["the vendor's pattern", "windows", ["N-setup.exe", "N-x64.msi", "N-arm64.msi"], "N-x64.msi", { glob: "*-x64.msi" }],
  ["the arch of the settings", "windows", ["N-x64.exe", "N-arm64.exe"], "N-arm64.exe", { arch: "arm64" }],
  [
    "no companions",
    "windows",
    ["N-cli-x64.exe", "vc_redist.x64.exe", "N-uninstaller.exe", "N-setup.exe"],
    "N-setup.exe",
  ],
  ["a server alone", "windows", ["N-server-x64.exe"], "N-server-x64.exe"],
  ["no other system", "macos", ["N-cli.dmg", "N-freebsd.pkg", "N-mac.zip"], "N-mac.zip"],
  ["no side files", "windows", ["N-setup.exe.blockmap", "N.exe.sig", "N-x64.msi", "N-x64.nsis.zip"], "N-x64.msi"],
  ["a setup beats a portable", "windows", ["App 1.0.exe", "App Setup 1.0.exe"], "App Setup 1.0.exe"],
  ["a setup beats a portable", "windows", ["JoplinPortable.exe", "Joplin-Setup-2.0.exe"], "Joplin-Setup-2.0.exe"],
  ["a setup beats one that downloads", "windows", ["App Web Setup 1.0.exe", "App Setup 1.0.exe"], "App Setup 1.0.exe"],
  ["x64 beats 32 bit", "windows", ["App-ia32-setup.exe", "App-x64-portable.exe"], "App-x64-portable.exe"],
  ["one file under two names", "macos", ["Notes.dmg", "Notes-1.2.0.dmg"], "Notes-1.2.0.dmg"],
  ["English before another language", "windows", ["N_x64_de-DE.msi", "N_x64_en-US.msi"], "N_x64_en-US.msi"],
  // The vendor's word.
  ["a single match", "windows", ["notes.jar", "notes.tar.gz"], "notes.jar", { glob: "*.jar" }],
  ["no other platform", "macos", ["notes-setup.exe", "notes-mac.bin"], "notes-mac.bin", { glob: "notes-*" }],
  // "None", with names that mark another platform or none at all.
  [
    "for others",
    "macos",
    [
      "RELEASES",
      "n-1.0-full.nupkg",
      "n.pacman",
      "n.freebsd",
      "n.asar",
      "n.zxp",
      "n.AppImage.zsync",
      "n-linux",
      "n.exe",
    ],
    "none",
  ],
];

test.for(CASES)("%s: for %s, of %j: %s", ([, platform, names, chosen, settings]) => {
  expect(outcome(names, platform, settings)).toBe(chosen);
});

test.for(CASES)("no order of the files changes the answer (%s)", ([, platform, names, chosen, settings]) => {
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (shuffled) => {
      expect(outcome(shuffled, platform, settings)).toBe(chosen);
    }),
    { seed: SEED },
  );
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
  ])("for %s, of %j", ([platform, names]) => {
    for (const files of [names, names.toReversed()]) {
      const settled = () => settle(choose(files, platform), platform, "the release");
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
