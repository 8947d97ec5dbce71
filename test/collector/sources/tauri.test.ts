// Releases from Tauri's latest.json.
import { describe, expect, test } from "vitest";
import {
  publishedRelease,
  payloadOrReason,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { body, json, status, type Behaviour } from "../../support/collecting/upstream.ts";

const at = (name: string) => ({ signature: "xyzzy", url: `https://dl.example.com/v2.4.1/${name}` });
const DOCUMENT = {
  version: "v2.4.1",
  notes: "See the assets.\r\n\r\n- Fixed A",
  pub_date: "2026-11-02T10:01:02Z",
  platforms: {
    "linux-x86_64": at("Notes.AppImage"),
    "darwin-x86_64": at("Notes_x64.app.tar.gz"),
    "darwin-aarch64": at("Notes_aarch64.app.tar.gz"),
    "windows-x86_64": at("Notes_2.4.1_x64-setup.nsis.zip"),
  },
};
const start = (behaviour: Behaviour, settings: object = {}, environment: Record<string, string> = {}) =>
  startReleaseCollector(({ url }) => ({ from: "tauri", url: url("/latest.json"), ...settings }), {
    paths: { "/latest.json": behaviour },
    environment,
  });

test("one fetch serves both platforms", async () => {
  const { run, upstream, explain } = await start(json(DOCUMENT));
  const { macos, windows, all } = await run();
  expect(payloadOrReason(macos)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "2.4.1",
      changelog: "See the assets.\n\n- Fixed A",
      downloadURL: "https://dl.example.com/v2.4.1/Notes_aarch64.app.tar.gz",
      size: "",
      date: "2026-11-02T10:01:02Z",
    },
  });
  expect(publishedRelease(windows).downloadURL).toMatch(/x64-setup\.nsis\.zip$/);
  expect(upstream.requests.filter(({ path }) => path === "/latest.json")).toHaveLength(1);
  expect(all).not.toContain("xyzzy");
  const { picked, skipped } = await explain("windows");
  expect(picked).toBe("windows-x86_64/Notes_2.4.1_x64-setup.nsis.zip of v2.4.1");
  expect(skipped).toContain("darwin-x86_64: for another platform");
});

/** Every target a second time, under its name with the kind of installer. */
const withKind = (targets: Record<string, object>, kind: string) => ({
  ...targets,
  ...Object.fromEntries(Object.entries(targets).map(([target, file]) => [`${target}-${kind}`, file])),
});

describe("of several targets", () => {
  test.for<["macos" | "windows", Record<string, object>, string, object?]>([
    [
      "windows",
      {
        "windows-x86_64-nsis": at("N-setup.exe"),
        "windows-x86_64-msi": at("N.msi"),
        "windows-x86_64": at("N.nsis.zip"),
      },
      "N-setup.exe",
    ],
    ["windows", { "windows-aarch64": at("N_arm64-setup.exe"), "windows-x86_64": at("N_x64.msi") }, "N_x64.msi"],
    [
      "windows",
      { "windows-aarch64": at("a-setup.exe"), "windows-x86_64": at("x.msi") },
      "a-setup.exe",
      { arch: "arm64" },
    ],
    ["macos", { "darwin-universal": at("u.app.tar.gz"), "darwin-aarch64": at("a.app.tar.gz") }, "u.app.tar.gz"],
    ["macos", { "darwin-aarch64": at("N.app.tar.gz"), "darwin-aarch64-app": at("N.dmg") }, "N.dmg"],
    // As tauri-action writes them, each link under two targets.
    ["macos", withKind({ "darwin-aarch64": at("Coinly_aarch64.app.tar.gz") }, "app"), "Coinly_aarch64.app.tar.gz"],
    ["macos", withKind({ "darwin-aarch64": at("Fleur.app.tar.gz") }, "app"), "Fleur.app.tar.gz"],
    ["windows", withKind({ "windows-x86_64": at("N_x64_en-US.msi") }, "msi"), "N_x64_en-US.msi"],
    // A second build has overwritten a target of the first.
    [
      "macos",
      {
        "darwin-aarch64": at("Coinly_x64.app.tar.gz"),
        "darwin-x86_64": at("Coinly_x64.app.tar.gz"),
        "darwin-aarch64-app": at("Coinly_aarch64.app.tar.gz"),
      },
      "Coinly_aarch64.app.tar.gz",
    ],
    [
      "macos",
      { "darwin-aarch64": at("all.app.tar.gz"), "darwin-x86_64": at("all.app.tar.gz") },
      "all.app.tar.gz",
      { arch: "x64" },
    ],
  ])("%s takes from %j: %s", async ([platform, platforms, wanted, settings = {}]) => {
    const { explain } = await start(json({ ...DOCUMENT, platforms }), settings);
    expect((await explain(platform)).payload).toMatchObject({ latest: { downloadURL: at(wanted).url } });
  });
});

test("no release is published only if all targets are plainly for other platforms", async () => {
  const universal = { "darwin-universal": at("N_universal.app.tar.gz"), "linux-x86_64": at("N.AppImage") };
  const { run, upstream } = await start(json({ ...DOCUMENT, platforms: universal }));
  expect(payloadOrReason((await run()).windows)).toEqual({ hasUpdate: false });
  upstream.set("/latest.json", json({ ...DOCUMENT, platforms: { ...universal, "my-target\u001b": at("N.bin") } }));
  expect(payloadOrReason((await run()).windows)).toMatch(/no file in the feed is known to be an installer for windows/);
});

test("a server's response for one target needs a source for one platform", async () => {
  const answer = { version: "2.10", url: "N_aarch64.app.tar.gz", signature: "xyzzy" };
  const paths = { "/mac": json(answer), "/win": status(204) };
  const each = await startReleaseCollector(
    ({ url }) => ({ macos: { from: "tauri", url: url("/mac") }, windows: { from: "tauri", url: url("/win") } }),
    { paths },
  );
  const { macos, windows } = await each.run();
  expect(publishedRelease(macos)).toMatchObject({
    version: "2.10",
    changelog: "",
    date: "",
    downloadURL: each.upstream.url("/N_aarch64.app.tar.gz"),
  });
  expect(payloadOrReason(windows)).toBe("answered 204");
  const both = await start(json(answer));
  expect(payloadOrReason((await both.run()).macos)).toMatch(/configure a source per platform/);
});

describe("is refused:", () => {
  test.for<[string, Behaviour, RegExp]>([
    ["a version that is a number", json({ ...DOCUMENT, version: 2.1 }), /^not a Tauri update feed: version: /],
    [
      "a target without a link",
      json({ ...DOCUMENT, platforms: { xyzzy: {} } }),
      /^not a Tauri update feed: platforms\.\*\.url: /,
    ],
    [
      "too many targets",
      json({ ...DOCUMENT, platforms: Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`x${i}`, at("a")])) }),
      /platforms: must have at most 200 entries/,
    ],
    ["no target and no link", json({ version: "1.0", platforms: {} }), /^the feed has no link for any target$/],
    ["a prototype", body(JSON.stringify(DOCUMENT).replace('"platforms"', '"__proto__"')), /no link for any target/],
  ])("%s", async ([, behaviour, reason]) => {
    const { macos, windows, all } = await (await start(behaviour)).run();
    expect(payloadOrReason(macos)).toMatch(reason);
    expect(payloadOrReason(windows)).toMatch(reason);
    expect(all).not.toContain("xyzzy");
  });
});

test("an updater archive under a target for macOS is an installer, whatever its ending", async () => {
  const { run } = await start(json({ ...DOCUMENT, platforms: { "darwin-universal": at("Notes.tar.gz") } }));
  expect(publishedRelease((await run()).macos).downloadURL).toMatch(/Notes\.tar\.gz$/);
});

test("links to the API of GitHub are refused with the source that helps", async () => {
  const url = "https://api.github.com/repos/acme/notes/releases/assets/1";
  const { run } = await start(json({ ...DOCUMENT, platforms: { "darwin-aarch64": { url } } }));
  expect(payloadOrReason((await run()).macos)).toMatch(/GitHub.*: use "from": "github"$/);
});
