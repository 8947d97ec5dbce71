// Releases from the documents of electron-builder, AutoUpdater.NET and Tauri, as they write them and in hostile variants.
import { describe, expect, test } from "vitest";
import { payloadOf, readSource } from "../../support/collecting/read-source.ts";
import {
  payloadOrReason,
  publishedRelease,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { body, json, status } from "../../support/collecting/upstream.ts";

const forWindows =
  (from: string) =>
  (text: string, settings: object = {}) =>
    readSource({ from, ...settings }, body(text), { name: "release-windows" });

describe("electron-builder (collector/features/kinds/feeds/electron-builder.ts)", () => {
  const read = forWindows("electron-builder");
  const MAC = `version: 2.10
files:
  - url: Acme%20Notes-2.10-arm64-mac.zip
    sha512: xyzzy==
    size: 95120034
  - url: Acme%20Notes-2.10-mac.zip
    size: 101120034
    blockMapSize: 104221
  - url: Acme Notes-2.10.dmg
    size: 104211334
path: Acme%20Notes-2.10-arm64-mac.zip
releaseName: 'It''s here: 2.10'
releaseNotes: |-
  ## What's new

  * Faster: search # not a comment
    - nested
releaseDate: '2026-11-02T10:01:02.345Z'
stagingPercentage: 25
`;
  const windows = (more = "", files = ["Notes-Setup-2.4.1.exe"]) =>
    `version: 2.4.1\nfiles:\n${files.map((url) => `  - url: ${url}\n    size: 88123456\n`).join("")}${more}`;

  test("installers are preferred to bundles for the updater", async () => {
    const { payload, picked, skipped, origin } = await readSource({ from: "electron-builder" }, body(MAC));
    const changelog = "What's new\n\n- Faster: search # not a comment\n  - nested";
    const more = { changelog, size: "104211334", date: "2026-11-02T10:01:02.345Z" };
    expect(payload).toEqual(payloadOf("macos", "2.10", `${origin}/app/Acme%20Notes-2.10.dmg`, more));
    expect(picked).toBe("Acme Notes-2.10.dmg of 2.10");
    expect(skipped).toContain("Acme%20Notes-2.10-mac.zip: a lesser choice");
    expect(skipped).toContain("2.10: for 25 % of the users");
  });

  test("a document of another program, which names no file, is refused", async () => {
    await expect(read('{ "version": "2.4.1", "platforms": {} }')).rejects.toThrow("the feed names no file");
  });

  test.for<[staged: string, told: string[]]>([
    ["99.5", ["2.4.1: for 99 % of the users"]],
    ["'5'", ["2.4.1: for 5 % of the users"]],
    ...["100", "150", "", "null", "all"].map((staged): [string, string[]] => [staged, []]),
  ])("a rollout of %j is told", async ([staged, told]) => {
    const { latest, skipped } = await read(windows(`stagingPercentage: ${staged}\n`));
    expect(latest).toMatchObject({ version: "2.4.1" });
    expect(skipped).toEqual(told);
  });

  test.for(["0", "'0'", "0.5", "-10"])("a release that was stopped with %j is refused", async (staged) => {
    await expect(read(windows(`stagingPercentage: ${staged}\n`))).rejects.toThrow(
      "2.4.1 is for 0 % of the users (stagingPercentage): raise it, or put the last good version into the feed",
    );
  });

  const NOTES = "  - version: 2.4.0\n    note: null\n  - version: 2.4.1\n    note: |\n      Fixed A\n      Fixed B\n";
  test.for<[what: string, text: string, fields: object, settings?: object]>([
    [
      "Windows line ends and a byte order mark",
      `\uFEFF${windows("releaseNotes: a\n").replaceAll("\n", "\r\n")}`,
      { changelog: "a" },
    ],
    ["notes for several versions", windows(`releaseNotes:\n${NOTES}`), { changelog: "Fixed A\nFixed B" }],
    ["a size of 0", "version: 2.4.1\nfiles: [{url: N.exe, size: 0}]\n", { size: "" }],
    ["old documents, which only have a path", "version: 2.4.1\npath: N.exe\nsha512: xyzzy\n", { size: "" }],
    ["a version that looks like a number, with its last zero", windows().replace("2.4.1", "1.20"), { version: "1.20" }],
    ["a version that looks like a date", windows().replace("2.4.1", "2026-01-02"), { version: "2026-01-02" }],
    ["a version with a v", windows().replace("2.4.1", "v2.4.1"), { version: "2.4.1" }],
  ])("is read: %s", async ([, text, fields, settings]) => {
    expect((await read(text, settings)).latest).toMatchObject(fields);
  });

  test.for<[what: string, text: string, reason: RegExp]>([
    ["an empty file", "", /^not (YAML|an electron-builder update feed): /],
    ["the document of the other platform", MAC, /no file in the feed is known to be an installer for windows/],
    ["two documents", `${windows()}---\n${windows()}`, /^not YAML: /],
    ["a key twice", `${windows()}version: 9.9.9\n`, /^not YAML: /],
    ["an anchor and its alias", `${windows()}a: &a xyzzy\nb: *a\n`, /^YAML with an alias, which is refused$/],
    ["a tag", `${windows()}x: !!js/function 'xyzzy'\n`, /^YAML with a tag, which is refused$/],
    [
      "a prototype",
      "__proto__:\n  version: 2.4.1\n  files: [{url: N.exe}]\n",
      /^not an electron-builder update feed: version: /,
    ],
  ])("is refused: %s", async ([, text, reason]) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

describe("AutoUpdater.NET (collector/features/kinds/feeds/autoupdater.ts)", () => {
  const read = forWindows("autoupdater");
  const item = (more = "", { version = "2.4.1.0", url = "https://dl.example.com/NotesSetup.exe" } = {}) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<item><version>${version}</version><url>${url}</url>${more}</item>`;

  test("version, link and mandatory are published; the linked changelog, arguments and checksum are not", async () => {
    const { payload, picked, skipped } = await read(
      item(`<changelog>https://dl.example.com/xyzzy</changelog><mandatory mode="2">true</mandatory>
      <executable>bin\\xyzzy.exe</executable><args>/quiet xyzzy</args><checksum algorithm="MD5">xyzzy</checksum>`),
    );
    const release = payloadOf("windows", "2.4.1.0", "https://dl.example.com/NotesSetup.exe");
    expect(payload).toEqual({ ...release, forceUpdate: true });
    expect(picked).toBe("NotesSetup.exe of 2.4.1.0");
    expect(skipped).toEqual(["2.4.1.0: its changelog is behind a link, which is not followed"]);
  });

  test.for<[mark: string, isForced: boolean, settings?: object]>([
    ["", false],
    ["<mandatory/>", false],
    ["<mandatory> True </mandatory>", true],
    ["<mandatory>1</mandatory>", true],
    ['<mandatory mode="2">false</mandatory>', false],
    ['<mandatory minVersion="1.2.0.0">true</mandatory>', false],
    ['<mandatory minVersion="2.4.1.0">true</mandatory>', true],
    ['<mandatory minVersion="1.2.0.0">true</mandatory>', true, { forceUpdate: true }],
  ])("an update is forced by %j: %s", async ([mandatory, forceUpdate, settings]) => {
    const { payload, skipped } = await read(item(mandatory), settings);
    expect(payload).toMatchObject({ forceUpdate });
    const told = mandatory.includes("1.2.0.0") ? ["2.4.1.0: mandatory only below 1.2.0.0; not forced"] : [];
    expect(skipped).toEqual(told);
  });

  test.for<[url: string, wanted: string, settings?: object]>([
    ["/Notes-arm64.exe?a=1&amp;b=2", "/Notes-arm64.exe?a=1&b=2"],
    ["https://dl.example.com/uc?export=download&amp;id=1eXN", "/uc?export=download&id=1eXN"],
    ["https://acme.com/download", "/app/Notes-2.4.1.0.exe", { installer: "Notes-{version}.exe" }],
  ])("the link is %s: %s", async ([url, wanted, settings]) => {
    const { latest } = await read(item("", { url }), settings);
    expect(latest?.downloadURL.replace(/^https?:\/\/[^/]+/, "")).toBe(wanted);
  });

  test.for<[what: string, text: string, reason: RegExp]>([
    ["a DOCTYPE", `<!DOCTYPE item>${item()}`, /^XML with a DOCTYPE, which is refused/],
    ["no version", "<item><url>N.exe</url></item>", /version: must not be empty$/],
    ["two versions", item("<version>9.9</version>"), /version: must occur once/],
    ["two marks", item("<mandatory>true</mandatory><mandatory/>"), /mandatory: must occur once$/],
    [
      "a page instead of a file",
      item("", { url: "https://acme.com/download.html" }),
      /^no file in the document is known to be an installer for windows \(download\.html: not an installer\)$/,
    ],
  ])("is refused: %s", async ([, text, reason]) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

describe("Tauri (collector/features/kinds/feeds/tauri.ts)", () => {
  const at = (name: string) => ({ internal: "xyzzy", url: `https://dl.example.com/v2.4.1/${name}` });
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
  const read = (platform: "macos" | "windows", document: object, settings: object = {}) =>
    readSource({ from: "tauri", ...settings }, json(document), { name: `release-${platform}` });

  test("one fetch serves both platforms", async () => {
    const { run, upstream } = await startReleaseCollector(({ url }) => ({ from: "tauri", url: url("/latest.json") }), {
      paths: { "/latest.json": json(DOCUMENT) },
    });
    const { macos, windows, all } = await run();
    const more = { changelog: "See the assets.\n\n- Fixed A", date: "2026-11-02T10:01:02Z" };
    expect(payloadOrReason(macos)).toEqual(payloadOf("macos", "2.4.1", at("Notes_aarch64.app.tar.gz").url, more));
    expect(publishedRelease(windows).downloadURL).toMatch(/x64-setup\.nsis\.zip$/);
    expect(upstream.requests.filter(({ path }) => path === "/latest.json")).toHaveLength(1);
    expect(all).not.toContain("xyzzy");
    const { picked, skipped } = await read("windows", DOCUMENT);
    expect(picked).toBe("windows-x86_64/Notes_2.4.1_x64-setup.nsis.zip of v2.4.1");
    expect(skipped).toContain("darwin-x86_64: for another platform");
  });

  /** Every target a second time, under its name with the kind of installer, as tauri-action writes them. */
  const withKind = (targets: Record<string, string>, kind: string) => ({
    ...targets,
    ...Object.fromEntries(Object.entries(targets).map(([target, file]) => [`${target}-${kind}`, file])),
  });
  const overwritten = { "darwin-aarch64": "C_x64.app.tar.gz", "darwin-x86_64": "C_x64.app.tar.gz" };

  test.for<["macos" | "windows", targets: Record<string, string>, wanted: string, settings?: object]>([
    [
      "windows",
      { "windows-x86_64-nsis": "N-setup.exe", "windows-x86_64-msi": "N.msi", "windows-x86_64": "N.zip" },
      "N-setup.exe",
    ],
    ["windows", { "windows-aarch64": "N_arm64-setup.exe", "windows-x86_64": "N_x64.msi" }, "N_x64.msi"],
    ["windows", { "windows-aarch64": "a-setup.exe", "windows-x86_64": "x.msi" }, "a-setup.exe", { arch: "arm64" }],
    ["macos", { "darwin-universal": "u.app.tar.gz", "darwin-aarch64": "a.app.tar.gz" }, "u.app.tar.gz"],
    ["macos", { "darwin-aarch64": "N.app.tar.gz", "darwin-aarch64-app": "N.dmg" }, "N.dmg"],
    ["macos", withKind({ "darwin-aarch64": "Coinly_aarch64.app.tar.gz" }, "app"), "Coinly_aarch64.app.tar.gz"],
    // A second build has overwritten a target of the first.
    ["macos", { ...overwritten, "darwin-aarch64-app": "C_aarch64.app.tar.gz" }, "C_aarch64.app.tar.gz"],
    ["macos", { "darwin-aarch64": "all.tar.gz", "darwin-x86_64": "all.tar.gz" }, "all.tar.gz", { arch: "x64" }],
  ])("%s takes from %j: %s", async ([platform, targets, wanted, settings]) => {
    const platforms = Object.fromEntries(Object.entries(targets).map(([target, file]) => [target, at(file)]));
    const { latest } = await read(platform, { ...DOCUMENT, platforms }, settings);
    expect(latest?.downloadURL).toBe(at(wanted).url);
  });

  test.for<[name: string, isRefused: boolean]>([
    ["v0.1.14/Notes_0.1.14_x64.msi.zip", true],
    ["notes-0.1.14/windows/Notes_0.1.14_x64.msi.zip", true],
    // The folder is the version's, or of none; the name goes on with the version, or begins it.
    ["v2.4.1/Notes_2.4.0_x64.msi.zip", false],
    ["latest/Notes_2.4.0_x64.msi.zip", false],
    ["v2.4.1/2.4.0/Notes_2.4.0_x64.msi.zip", false],
    ["v2.4/Notes_2.4_x64.msi.zip", false],
    ["v2.4.1.7/Notes_2.4.1.7_x64.msi.zip", false],
    ["v0.1.14/Notes_x64.msi.zip", false],
  ])("a link to a file of another release, by folder and name, is refused: %s", async ([name, isRefused]) => {
    const url = `https://dl.example.com/${name}`;
    const reading = read("windows", { ...DOCUMENT, platforms: { "windows-x86_64": { url } } });
    const told = "the release is v2.4.1, and the link that of 0.1.14: correct one of them in the feed";
    if (isRefused) await expect(reading).rejects.toThrow(told);
    else expect((await reading).latest?.downloadURL).toBe(url);
  });

  test("a feed without a target of the platform says nothing of it: the build may not have ended", async () => {
    const platforms = { "darwin-universal": at("N_universal.app.tar.gz"), "linux-x86_64": at("N.AppImage") };
    await expect(read("windows", { ...DOCUMENT, platforms })).rejects.toThrow(
      'the feed has no target for windows: write "windows": "none" if the app is not for it',
    );
    const unknown = { ...platforms, "my-target\u001b": at("N.bin") };
    await expect(read("windows", { ...DOCUMENT, platforms: unknown })).rejects.toThrow(
      /no file in the feed is known to be an installer for windows/,
    );
  });

  test("a server's response for one target needs a source for one platform", async () => {
    const answer = { version: "2.10", url: "N_aarch64.app.tar.gz", signature: "xyzzy" };
    const { latest, origin } = await read("macos", answer);
    const downloadURL = `${origin}/app/N_aarch64.app.tar.gz`;
    expect(latest).toMatchObject({ version: "2.10", changelog: "", date: "", downloadURL });
    await expect(readSource({ from: "tauri" }, status(204))).rejects.toThrow(
      "answered 204: nothing is newer than the version in the address; write 0.0.0 there",
    );
    const both = await startReleaseCollector(({ url }) => ({ from: "tauri", url: url("/latest.json") }), {
      paths: { "/latest.json": json(answer) },
    });
    expect(payloadOrReason((await both.run()).macos)).toMatch(/configure a source per platform/);
  });

  test("the placeholders of Tauri's settings are filled in, as by the oldest app of the platform", async () => {
    const from = (url: string, more: object = {}) => ({ from: "tauri", url, ...more });
    const answer = { version: "2.10", signature: "xyzzy" };
    const { run, upstream } = await startReleaseCollector(
      ({ url }) => ({
        macos: from(url("/{{target}}-{{arch}}/{{current_version}}")),
        windows: from(url("/%7B%7Btarget%7D%7D-{{arch}}/{{current_version}}"), { arch: "ia32" }),
      }),
      {
        paths: {
          "/darwin-aarch64/0.0.0": json({ ...answer, url: at("N_aarch64.app.tar.gz").url }),
          "/windows-i686/0.0.0": json({ ...answer, url: "N_x86-setup.exe" }),
        },
      },
    );
    const { macos, windows } = await run();
    expect(publishedRelease(macos)).toMatchObject({ downloadURL: at("N_aarch64.app.tar.gz").url });
    expect(publishedRelease(windows)).toMatchObject({ downloadURL: upstream.url("/windows-i686/N_x86-setup.exe") });
  });

  test.for([
    [
      "a source for both platforms",
      "/{{target}}/latest.json",
      (tauri: object) => tauri,
      /url has \{\{target\}\}: use \{ "macos"/,
    ],
    [
      "a placeholder that is not Tauri's",
      "/{{bundle}}/latest.json",
      (tauri: object) => ({ macos: tauri, windows: "none" }),
      /none of \{\{target\}\}, \{\{arch\}\} and \{\{current_version\}\}: fill it in/,
    ],
  ] as const)("%s cannot have an address to fill in", async ([, path, releases, reason]) => {
    const started = startReleaseCollector(({ url }) => releases({ from: "tauri", url: url(path) }));
    await expect(started).rejects.toThrow(reason);
  });

  test("one address for every platform may ask for the version alone", async () => {
    const settings = ({ url }: { url: (path: string) => string }) => ({
      from: "tauri",
      url: url("/{{current_version}}"),
    });
    const { run } = await startReleaseCollector(settings, { paths: { "/0.0.0": json(DOCUMENT) } });
    expect(publishedRelease((await run()).windows).version).toBe("2.4.1");
  });

  const API = { "darwin-aarch64": { url: "https://api.github.com/repos/acme/notes/releases/assets/1" } };
  const many = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`x${index}`, at("a")]));
  test.for<[what: string, change: object, reason: RegExp]>([
    ["a version that is a number", { version: 2.1 }, /^not a Tauri update feed: version: /],
    ["a target without a link", { platforms: { xyzzy: {} } }, /^not a Tauri update feed: platforms\.\*\.url: [^x]*$/],
    ["too many targets", { platforms: many }, /platforms: must have at most 200 entries/],
    ["no target and no link", { platforms: {} }, /^the feed has no link for any target$/],
    ["links to the API of GitHub", { platforms: API }, /GitHub.*: use "from": "github"$/],
  ])("is refused: %s", async ([, change, reason]) => {
    await expect(read("macos", { ...DOCUMENT, ...change })).rejects.toThrow(reason);
  });
});

describe.each([
  ["sparkle", "well-formed XML"],
  ["autoupdater", "well-formed XML"],
  ["electron-builder", "YAML"],
])("in place of a document for %s (collector/features/kinds/shape.ts),", (from, format) => {
  test.for<[what: string, text: string, reason: string]>([
    [
      "a web page",
      "<h1>Log in<p>Please",
      `not ${format}: text/html, 19 bytes, a web page: the address is another one, or`,
    ],
    [
      "one with a doctype",
      "<!doctype html><title>Log in</title>",
      ", a web page: the address is another one, or needs a",
    ],
    ["nothing", " ", `not ${format}: the answer is empty`],
  ])("%s is named", async ([, text, reason]) => {
    const answer = body(text, { "content-type": "text/html" });
    await expect(readSource({ from }, answer, { name: "release-windows" })).rejects.toThrow(reason);
  });
});
