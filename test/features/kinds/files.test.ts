// The installers of a release beside its payload: what upstreams state about them, what is published, and what is left out.
import fc from "fast-check";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { partsOf } from "../../support/collecting/parts.ts";
import { dryRun } from "../../../collector/features/dry-run/dry-run.ts";
import { publishedFiles } from "../../../collector/features/kinds/releases/files.ts";
import { MAX_FILES_BYTES, ReleaseFiles, type LatestReleaseResponse, type Platform } from "../../../snapshots/schema.ts";
import { decodeSnapshot, encodeSnapshot, releaseName } from "../../../snapshots/snapshot.ts";
import { anotherMillisecond, startCollector } from "../../support/collecting/collector.ts";
import { readSource } from "../../support/collecting/read-source.ts";
import { startReleaseCollector } from "../../support/collecting/release-collector.ts";
import { body, json, jsonWithEtag, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorRelease } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { rounds, SEED } from "../../support/random.ts";
import { factsIn, releaseSnapshot } from "../../support/snapshot.ts";

const digest = (algorithm: "sha256" | "sha512", of: string) => createHash(algorithm).update(of).digest();
const SHA256 = digest("sha256", "a").toString("hex");
const OTHER_SHA256 = digest("sha256", "b").toString("hex");
const SHA512 = digest("sha512", "a").toString("hex");
const BASE64 = digest("sha512", "a").toString("base64");
const ED_SIGNATURE = "WVyVJpOx+a5+vNWJVY79TRjFKveNk+VhGJf2iti4CZtJsJewIUGvh/1AKKEAFbH1qUwx+vro1ECuzOsMmumoBA==";
const MINISIGN = Buffer.from("untrusted comment: signature from tauri secret key\nRUTe…\n").toString("base64");
const DL = "https://dl.acme.com";

const appcast = (items: string) =>
  body(`<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>${items}</channel></rss>`);
const item = (url: string, { attributes = "", more = "" } = {}) =>
  `<item><sparkle:version>9</sparkle:version>${more}<enclosure url="${url}" length="7" ${attributes}/></item>`;
const autoUpdater = (checksum: string) =>
  body(`<item><version>1.2</version><url>${DL}/N-x64.exe</url>${checksum}</item>`);

describe("what is published beside the release (collector/features/kinds/releases/files.ts)", () => {
  const CASES: [upstream: string, settings: object, answer: Behaviour, files: object[], platform?: Platform][] = [
    [
      "electron-builder's sums in Base64 and its installers for both processors",
      { from: "electron-builder" },
      body(`version: 1.2.0
files:
  - { url: N-1.2.0-x64.dmg, sha512: ${BASE64}, size: 8 }
  - { url: N-1.2.0-arm64.zip, sha512: ${BASE64}, size: 6 }
  - { url: ${DL}/N-1.2.0-arm64.dmg, sha512: ${BASE64}, size: 7 }
path: N-1.2.0-x64.dmg
sha512: ${digest("sha512", "b").toString("base64")}`),
      [
        { url: `${DL}/N-1.2.0-arm64.dmg`, arch: "arm64", size: 7, sha512: SHA512 },
        { url: "ORIGIN/app/N-1.2.0-x64.dmg", arch: "x64", size: 8, sha512: SHA512 },
      ],
    ],
    [
      "none for another processor that has two which are equally good",
      { from: "electron-builder" },
      body(
        `version: 1.2.0\nfiles: [{ url: N-arm64.dmg }, { url: N-x64-signed.dmg }, { url: N-x64-stable.dmg }, { url: N-ia32.dmg }]`,
      ),
      [
        { url: "ORIGIN/app/N-arm64.dmg", arch: "arm64" },
        { url: "ORIGIN/app/N-ia32.dmg", arch: "ia32" },
      ],
    ],
    [
      "the sum of the only file of an old document",
      { from: "electron-builder" },
      body(`version: 1.2.0\npath: N Setup 1.2.0.exe\nsha512: ${BASE64}`),
      [{ url: "ORIGIN/app/N%20Setup%201.2.0.exe", sha512: SHA512 }],
      "windows",
    ],
    [
      "AutoUpdater.NET's checksum in upper case",
      { from: "autoupdater" },
      autoUpdater(`<checksum algorithm="SHA256"> ${SHA256.toUpperCase()} </checksum>`),
      [{ url: `${DL}/N-x64.exe`, arch: "x64", sha256: SHA256 }],
      "windows",
    ],
    [
      "no checksum of another kind",
      { from: "autoupdater" },
      autoUpdater('<checksum algorithm="MD5">0cc175b9c0f1b6a831c399e269772661</checksum>'),
      [{ url: `${DL}/N-x64.exe`, arch: "x64" }],
      "windows",
    ],
    [
      "no checksum of a file that the settings replace",
      { from: "autoupdater", installer: `${DL}/N-setup.exe` },
      autoUpdater(`<checksum algorithm="SHA512">${SHA512}</checksum>`),
      [{ url: `${DL}/N-setup.exe` }],
      "windows",
    ],
    [
      "Sparkle's signature, length and processor",
      { from: "sparkle" },
      appcast(
        item(`${DL}/N.dmg`, {
          attributes: `sparkle:edSignature="${ED_SIGNATURE}"`,
          more: "<sparkle:hardwareRequirements>arm64</sparkle:hardwareRequirements>",
        }),
      ),
      [{ url: `${DL}/N.dmg`, arch: "arm64", size: 7, signature: ED_SIGNATURE }],
    ],
    [
      "an item for each processor, and an old signature over two lines",
      { from: "sparkle" },
      appcast(
        item("N-x64.dmg", { attributes: `sparkle:dsaSignature="MC0CFQ${"a".repeat(50)}\n  bcd="` }) +
          item("N-arm64.dmg"),
      ),
      [
        { url: "ORIGIN/app/N-arm64.dmg", arch: "arm64", size: 7 },
        { url: "ORIGIN/app/N-x64.dmg", arch: "x64", size: 7, signature: `MC0CFQ${"a".repeat(50)}   bcd=` },
      ],
    ],
    [
      "a file of an unknown kind",
      { from: "sparkle" },
      appcast(item(`${DL}/get?id=1`, { attributes: `sparkle:edSignature="${ED_SIGNATURE}"` })),
      [{ url: `${DL}/get?id=1`, size: 7, signature: ED_SIGNATURE }],
    ],
    [
      "Tauri's signature, and the processor in its target's name",
      { from: "tauri" },
      json({
        version: "1.2.0",
        platforms: {
          "darwin-x86_64": { url: `${DL}/x/N.app.tar.gz`, signature: MINISIGN },
          "darwin-aarch64": { url: `${DL}/a/N.app.tar.gz`, signature: `${MINISIGN}\n` },
          "windows-x86_64": { url: `${DL}/N.exe` },
        },
      }),
      [
        { url: `${DL}/a/N.app.tar.gz`, arch: "arm64", signature: MINISIGN },
        { url: `${DL}/x/N.app.tar.gz`, arch: "x64", signature: MINISIGN },
      ],
    ],
    [
      "the link alone of a feed that states nothing of the file",
      { from: "velopack", installer: `${DL}/N-Setup.exe` },
      json({
        Assets: [
          { Version: "1.2.0", FileName: "N-1.2.0-full.nupkg", SHA256: SHA256, Size: 7 },
          { Version: "1.1.0", FileName: "N-Setup.exe", SHA256: SHA256, Size: 6 },
        ],
      }),
      [{ url: `${DL}/N-Setup.exe` }],
      "windows",
    ],
    [
      "Velopack's SHA-256 and size of the file that the settings name",
      { from: "velopack", installer: "N app-{version}-full.nupkg" },
      json({
        Assets: [
          { Version: "1.2.0", FileName: "N app-1.2.0-delta.nupkg", SHA256: OTHER_SHA256, Size: 1 },
          { Version: "1.2.0", FileName: "N app-1.2.0-full.nupkg", SHA256: SHA256.toUpperCase(), Size: 7 },
        ],
      }),
      [{ url: "ORIGIN/app/N%20app-1.2.0-full.nupkg", size: 7, sha256: SHA256 }],
      "windows",
    ],
    [
      "what a vendor's own JSON says",
      { from: "json" },
      json({
        version: "1.2.0",
        downloadURL: `${DL}/N.dmg`,
        size: 7,
        arch: "universal",
        sha256: SHA256,
        signature: ED_SIGNATURE,
        files: [{ url: `${DL}/N-old-x64.dmg`, size: "8", sha512: `sha512-${BASE64}`, note: "private" }],
      }),
      [
        { url: `${DL}/N.dmg`, arch: "universal", size: 7, sha256: SHA256, signature: ED_SIGNATURE },
        { url: `${DL}/N-old-x64.dmg`, arch: "x64", size: 8, sha512: SHA512 },
      ],
    ],
    [
      "what is at the pointers of the settings",
      {
        from: "json",
        fields: { version: "/v", downloadURL: "/u", arch: "/a", sha256: "/s", sha512: "/t", signature: "/g" },
      },
      json({ v: "1.2.0", u: "N.dmg", a: "x64", s: SHA256, t: BASE64, g: ED_SIGNATURE }),
      [{ url: "ORIGIN/app/N.dmg", arch: "x64", sha256: SHA256, sha512: SHA512, signature: ED_SIGNATURE }],
    ],
  ];

  test.for(CASES)("%s", async ([, settings, answer, expected, platform = "macos"]) => {
    const { files, remarks, dropped, origin } = await readSource(settings, answer, { name: releaseName(platform) });
    expect(JSON.parse(JSON.stringify(files).replaceAll(origin, "ORIGIN"))).toEqual(expected);
    expect([remarks, dropped]).toEqual([[], 0]);
  });

  test("GitHub's digest, and the installer for each processor", async () => {
    const asset = (name: string, more: object = {}) => ({
      name,
      state: "uploaded",
      size: 7,
      browser_download_url: `${DL}/${name}`,
      ...more,
    });
    const assets = [
      asset("N-1.2.0-x64-setup.exe", { digest: `sha256:${SHA256}` }),
      asset("N-1.2.0-arm64-setup.exe", { digest: null }),
      asset("N-1.2.0-universal.dmg", { digest: "sha256:0" }),
      asset("latest.yml", { digest: 5 }),
    ];
    const release = { tag_name: "v1.2.0", draft: false, prerelease: false, published_at: null, body: "", assets };
    const { explain, run } = await startReleaseCollector(
      ({ origin }) => ({ from: "github", repo: "acme/notes", api: origin }),
      { paths: { "/repos/acme/notes/releases": json([release]) } },
    );
    expect((await explain("windows")).architectures).toEqual(["arm64: N-1.2.0-arm64-setup.exe"]);
    const stored = JSON.parse(JSON.parse((await run()).all)[1]["release-windows.json"]);
    expect(stored.files).toEqual([
      { url: `${DL}/N-1.2.0-x64-setup.exe`, arch: "x64", size: 7, sha256: SHA256 },
      { url: `${DL}/N-1.2.0-arm64-setup.exe`, arch: "arm64", size: 7 },
    ]);
    const macos = JSON.parse(JSON.parse((await run()).all)[1]["release-macos.json"]);
    expect(macos.files).toEqual([{ url: `${DL}/N-1.2.0-universal.dmg`, arch: "universal", size: 7 }]);
  });

  test("nothing where no release is published", async () => {
    const { files } = await readSource({ from: "json" }, json({ hasUpdate: false }));
    expect(files).toBeUndefined();
  });
});

describe("what is left out never fails the release, and the operator sees it", () => {
  const own = (release: object) =>
    readSource({ from: "json" }, json({ version: "1.2.0", downloadURL: `${DL}/N.dmg`, ...release }));
  const file = (more: object) => own({ files: [{ url: `${DL}/N-x64.dmg`, ...more }] });

  test.for<[what: string, read: () => ReturnType<typeof own>, remark: string]>([
    [
      "a sum that is too short",
      () => own({ sha256: SHA256.slice(1) }),
      "sha256 of N.dmg: not in its form, 64 hex digits",
    ],
    ["a sum of another kind", () => own({ sha256: SHA512 }), 'sha256 of N.dmg: not in its form: call it "sha512"'],
    [
      "a sum that is no hex",
      () => own({ sha512: `${SHA512.slice(1)}g` }),
      "sha512 of N.dmg: not in its form, 128 hex digits",
    ],
    [
      "a sum in cut Base64",
      () => own({ sha512: BASE64.slice(0, -3) }),
      "sha512 of N.dmg: not in its form, 128 hex digits",
    ],
    ["a placeholder for a signature", () => own({ signature: "$INSERT_IT" }), "signature of N.dmg: not in its form"],
    [
      "an unknown processor",
      () => own({ arch: "mips" }),
      "arch of N.dmg: not in its form, one of universal, arm64, x64, ia32",
    ],
    [
      "a processor that is an object",
      () => own({ arch: { toString: 1 } }),
      "arch of N.dmg: not in its form, one of universal, arm64, x64, ia32",
    ],
  ])("%s", async ([, read, remark]) => {
    const { files, remarks } = await read();
    expect(remarks).toEqual([remark]);
    expect(files).toEqual([{ url: `${DL}/N.dmg` }]);
  });

  test.for([
    "http://dl.acme.com/N-x64.dmg",
    "https://me:secret@dl.acme.com/N-x64.dmg",
    "https://localhost.acme.com:99999/N-x64.dmg",
    `${DL}/{{version}}/N-x64.dmg`,
    `${DL}/${"a".repeat(2_048)}/N-x64.dmg`,
    "javascript:alert(1)//N-x64.dmg",
    "/N-x64.dmg",
  ])("another installer whose link is none for everyone: %s", async (url) => {
    const { files, remarks } = await file({ url });
    expect(files).toEqual([{ url: `${DL}/N.dmg` }]);
    expect(remarks).toEqual(["N-x64.dmg: its link is none that can be published"]);
  });

  test("but never the release's own installer, whatever its link looks like", async () => {
    const downloadURL = `${DL}/YOUR_APP.dmg`;
    const { files, remarks } = await own({ downloadURL, sha256: SHA256, files: [{ url: `${DL}/N-x64.dmg` }] });
    expect(files?.map(({ url, sha256 }) => [url, sha256])).toEqual([
      [downloadURL, SHA256],
      [`${DL}/N-x64.dmg`, undefined],
    ]);
    expect(remarks).toEqual([]);
  });

  test("a second file for one processor", async () => {
    const urls = ["N-x64.dmg", "N-x64.pkg"].map((name) => `${DL}/${name}`);
    const { files, remarks } = await own({ files: urls.map((url) => ({ url })) });
    expect(files?.map(({ url }) => url)).toEqual([`${DL}/N.dmg`, urls[0]]);
    expect(remarks).toEqual(["N-x64.pkg: a second file for x64"]);
  });

  test("files in another form than a list", async () => {
    for (const files of [{}, "N.dmg", [5], [{ link: DL }]]) {
      const found = await own({ files });
      expect(found.files).toEqual([{ url: `${DL}/N.dmg` }]);
      expect(found.warnings.join()).toContain("files is not a list");
    }
  });

  test("more than there is room for: signatures from the last one on, then long sums, then files", async () => {
    const state = (name: string, length: number) => ({
      url: `${DL}/${"a".repeat(length)}/${name}`,
      sha256: SHA256,
      sha512: SHA512,
      signature: "a".repeat(400),
    });
    const others = (length: number) => ["x64", "ia32"].map((arch) => ({ ...state(`N-${arch}.dmg`, length), arch }));
    const fields = (files: readonly object[] = []) => files.map((file) => Object.keys(file).join(" "));
    const both = "sha256 sha512";
    const some = await own({ ...state("N.dmg", 50), files: others(530) });
    expect(fields(some.files)).toEqual([`url ${both} signature`, `url arch ${both}`, `url arch ${both}`]);
    expect(some.remarks).toEqual(["N-ia32.dmg", "N-x64.dmg"].map((name) => `signature of ${name}: no room for it`));
    const downloadURL = state("N.dmg", 2_000).url;
    const { files, remarks } = await own({ ...state("", 0), downloadURL, files: others(150) });
    expect(fields(files)).toEqual(["url sha256", "url arch sha256"]);
    expect(remarks.slice(3)).toEqual(
      ["sha512 of N-ia32.dmg", "sha512 of N-x64.dmg", "sha512 of N.dmg", "N-ia32.dmg"].map(
        (what) => `${what}: no room for it`,
      ),
    );
  });

  test("nothing as long as there is room", async () => {
    const signature = "a".repeat(400);
    const files = ["N", "x64", "ia32"].map((name) => ({
      url: `${DL}/${name}.dmg`,
      ...(name !== "N" && { arch: name }),
      sha256: SHA256,
      sha512: SHA512,
      signature,
    }));
    const rest = MAX_FILES_BYTES - JSON.stringify(files).length;
    for (const more of [0, 1]) {
      const [first, second, last] = files.map((file) => ({ ...file }));
      last!.signature += "a".repeat(rest + more);
      const { remarks } = await own({ ...first, downloadURL: first!.url, files: [second, last] });
      expect(remarks).toEqual(more === 0 ? [] : ["signature of ia32.dmg: no room for it"]);
    }
  });

  test.for([
    [
      "untrusted comment: signature\nRWQf6LRCGA9i\ntrusted comment: é\n",
      "untrusted comment: signature\nRWQf6LRCGA9i\ntrusted comment: é",
    ],
    ["abc123", "abc123"],
    ["a\u0000b", undefined],
    ["a\u202eb", undefined],
    ["a".repeat(1_025), undefined],
  ])("of signatures only what is no text to print, or too long: %j", async ([signature, expected]) => {
    const { files, remarks } = await own({ signature });
    expect(files?.[0]?.signature).toBe(expected);
    expect(remarks).toEqual(expected === undefined ? ["signature of N.dmg: not in its form"] : []);
  });

  test("whatever an upstream states, the files pass their schema, begin with the link of the release, and are stored", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(SHA256, SHA512, BASE64, ED_SIGNATURE, "arm64", "universal", "sha256:", "", "0"),
      fc.webUrl({ validSchemes: ["https", "http"], withFragments: true, withQueryParameters: true }),
      fc.string({ minLength: 1_000, maxLength: 2_500, unit: fc.constantFrom("a", "é", "\u202e", '"') }),
    );
    const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.constant({ toString: null }));
    const stated = fc.record(
      { url: text, arch: value, size: value, sha256: value, sha512: value, signature: value },
      { requiredKeys: ["url"] },
    );
    const { payload } = vendorSnapshot();
    fc.assert(
      fc.property(fc.array(stated, { maxLength: 30 }), fc.boolean(), (others, isStated) => {
        const { downloadURL } = payload.latest;
        const all = isStated ? [...others.slice(0, 1).map((one) => ({ ...one, url: downloadURL })), ...others] : others;
        const { files } = publishedFiles(payload, all);
        expect(files?.[0]?.url).toBe(downloadURL);
        expect(ReleaseFiles.parse(files)).toStrictEqual(files);
        expect(Buffer.byteLength(JSON.stringify(files))).toBeLessThanOrEqual(MAX_FILES_BYTES);
        const snapshot = { ...vendorSnapshot(), files };
        expect(decodeSnapshot(encodeSnapshot(snapshot), "release-macos")).toEqual(snapshot);
      }),
      { seed: SEED, numRuns: rounds(100) },
    );
  });

  function vendorSnapshot() {
    const { payload, ...snapshot } = releaseSnapshot("macos");
    return { ...snapshot, payload: payload as Extract<LatestReleaseResponse, { hasUpdate: true }> };
  }
});

test("a secret in a sum, a signature or another link fails the source", async () => {
  const environment = { TOKEN: "xyzzy-very-secret-token-of-more-than-forty-characters" };
  const settings = { from: "json", headers: { authorization: "Bearer $TOKEN" } };
  const { TOKEN } = environment;
  for (const more of [{ sha256: TOKEN }, { signature: TOKEN }, { files: [{ url: `${DL}/N-x64.dmg?key=${TOKEN}` }] }]) {
    const document = { version: "1.2.0", downloadURL: `${DL}/N.dmg`, ...more };
    await expect(readSource(settings, json(document), { environment })).rejects.toThrow(/contains a secret/);
  }
});

describe("a published release", () => {
  const release = (sums: object, version = "3.1.0") => {
    const { latest, ...rest } = vendorRelease("macos");
    return { ...rest, latest: { ...latest, version, ...sums } };
  };
  const start = async (first: object) => {
    const vendor = await startCollector({ perPlatform: true });
    vendor.upstream.set("/macos", json(release(first)));
    await vendor.run();
    await anotherMillisecond();
    return {
      ...vendor,
      async next(sums: object, version?: string) {
        vendor.upstream.set("/macos", json(release(sums, version)));
        return (await vendor.run())["release-macos"];
      },
    };
  };

  test("gets new files under the same revision, with the same bytes of the fact", async () => {
    const { next, stored } = await start({});
    const before = await stored("release-macos");
    expect(before.files).toEqual([{ url: release({}).latest.downloadURL, size: 88_123_904 }]);
    expect(await next({ sha256: SHA256 })).toMatchObject({ result: "confirmed", notes: [] });
    const { files, revision, changedAt, text, confirmedAt } = await stored("release-macos");
    expect(files?.[0]?.sha256).toBe(SHA256);
    expect([revision, changedAt, text]).toEqual([before.revision, before.changedAt, before.text]);
    expect(Date.parse(confirmedAt)).toBeGreaterThan(Date.parse(before.confirmedAt));
  });

  test.runIf(isIn("upstream-state"))("keeps its files when the upstream says unchanged", async () => {
    const { upstream, run, stored } = await startCollector({ perPlatform: true });
    upstream.set("/macos", jsonWithEtag('"a"', release({ sha256: SHA256 })));
    await run();
    const { files } = await stored("release-macos");
    await anotherMillisecond();
    expect((await run())["release-macos"].result).toBe("confirmed");
    expect(upstream.requests.findLast(({ path }) => path === "/macos")?.headers["if-none-match"]).toBe('"a"');
    expect((await stored("release-macos")).files).toEqual(files);
  });

  test("warns once of a file that was replaced under the same version, and publishes what the upstream says", async () => {
    const { upstream, next, stored, sources, store } = await start({ sha256: SHA256 });
    const warning = "studio-macos.zip was replaced under the same version: its checksum is another one";
    upstream.set("/macos", json(release({ sha256: OTHER_SHA256 })));
    const findings = await dryRun({
      sources,
      facts: factsIn(store),
      ...partsOf({ guard: false }),
      signal: new AbortController().signal,
    });
    expect(findings.find(({ name }) => name === "release-macos")?.warnings).toEqual([warning]);
    expect(await next({ sha256: OTHER_SHA256 })).toMatchObject({ result: "confirmed", notes: [warning] });
    expect((await stored("release-macos")).files?.[0]?.sha256).toBe(OTHER_SHA256);
    expect(await next({ sha256: OTHER_SHA256 })).toMatchObject({ notes: [] });
    expect(await next({ sha256: SHA256 }, "3.2.0")).toMatchObject({ result: "changed", notes: [] });
    expect(await next({ sha512: SHA512 }, "3.2.0")).toMatchObject({ result: "confirmed", notes: [] });
  });
});
