// Releases from GitHub, from a loopback server that answers as its API does: correctly, incorrectly and maliciously.
import { describe, expect, test } from "vitest";
import {
  publishedRelease,
  payloadOrReason,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { body, inTurn, json, status, jsonWithEtag, type Behaviour } from "../../support/collecting/upstream.ts";

const PATH = "/repos/acme/notes/releases?per_page=100&page=";
const NONE = { hasUpdate: false };

interface Asset {
  name: string;
  state?: string;
  size?: unknown;
  created_at?: string;
}

const asset = (given: string | Asset) => {
  const { name, state = "uploaded", size = 1_000, ...more } = typeof given === "string" ? { name: given } : given;
  const browser_download_url = `https://github.com/acme/notes/releases/download/x/${name}`;
  return { id: 1, uploader: { login: "xyzzy" }, name, state, size, ...more, browser_download_url };
};
const release = (tag_name: string, assets: (string | Asset)[], more: object = {}) => ({
  tag_name,
  draft: false,
  prerelease: false,
  published_at: "2026-11-02T10:01:02Z",
  body: `Notes of ${tag_name}`,
  author: { login: "xyzzy" },
  ...more,
  assets: assets.map(asset),
});
const both = (version: string) => [
  `Notes-${version}-arm64.dmg`,
  `Notes-${version}-arm64.dmg.blockmap`,
  `Notes-${version}-x64.dmg`,
  `Notes-Setup-${version}.exe`,
  "latest.yml",
];

const start = (pages: Behaviour | Behaviour[], settings: object = {}, environment: Record<string, string> = {}) => {
  const paths = Object.fromEntries([pages].flat().map((page, index) => [`${PATH}${index + 1}`, page]));
  const releases = ({ origin }: { origin: string }) => ({
    from: "github",
    repo: "acme/notes",
    api: origin,
    ...settings,
  });
  return startReleaseCollector(releases, { paths, environment });
};

test("one fetch serves both platforms, with the fields of a release and no others", async () => {
  const { run, upstream } = await start(json([release("v2.4.1", both("2.4.1"), { body: "a\r\n* b" })]));
  const { macos, windows, all } = await run();
  expect(payloadOrReason(macos)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "2.4.1",
      changelog: "a\n- b",
      downloadURL: "https://github.com/acme/notes/releases/download/x/Notes-2.4.1-arm64.dmg",
      size: "1000",
      date: "2026-11-02T10:01:02Z",
    },
  });
  expect(publishedRelease(windows).downloadURL).toMatch(/Notes-Setup-2\.4\.1\.exe$/);
  expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(1);
  expect(all).not.toContain("xyzzy");
});

describe("the highest version wins", () => {
  test.for<[string, ReturnType<typeof release>[], string]>([
    ["though a backport is newer", [release("v1.9.9", both("1.9.9")), release("v2.4.1", both("2.4.1"))], "2.4.1"],
    ["though it is listed last", [release("v2.9.0", both("2.9.0")), release("v2.10.0", both("2.10.0"))], "2.10.0"],
    [
      "but no draft",
      [release("v3.0.0", both("3"), { draft: true, published_at: null }), release("v2", both("2"))],
      "2",
    ],
    ["but no prerelease", [release("v3.0.0", both("3"), { prerelease: true }), release("v2", both("2"))], "2"],
    ["but none that its tag calls a beta", [release("v3.0.0-beta.2", both("3")), release("v2.0", both("2"))], "2.0"],
    ["but none of another app", [release("cli-v9.1.0", both("9")), release("2.10", both("2"))], "2.10"],
    ["but none without files", [release("v3.0.0", []), release("v2.0.0", both("2"))], "2.0.0"],
  ])("%s", async ([, releases, version]) => {
    const { run } = await start(json(releases));
    const { macos, windows } = await run();
    expect(publishedRelease(macos).version).toBe(version);
    expect(publishedRelease(windows).version).toBe(version);
  });

  test("that has an installer, separately for each platform", async () => {
    const waiting = { name: "Notes-3.0.0.exe", state: "starter" };
    const { run, explain } = await start(
      json([release("v3.0.0", ["Notes-3.0.0.dmg", waiting]), release("v2.0.0", both("2.0.0"))]),
    );
    const { macos, windows } = await run();
    expect([publishedRelease(macos).version, publishedRelease(windows).version]).toEqual(["3.0.0", "2.0.0"]);
    const { picked, skipped } = await explain("windows");
    expect(picked).toBe("Notes-Setup-2.0.0.exe of v2.0.0");
    expect(skipped).toContain("Notes-3.0.0.exe of v3.0.0: still uploading");
    expect(skipped).toContain("Notes-3.0.0.dmg of v3.0.0: for another platform");
    expect(skipped).toContain("v3.0.0: no installer for windows");
  });
});

test("a release is not published before its installer for most computers is there", async () => {
  const early = release("v3.0.0", ["Notes-3.0.0-arm64.exe"]);
  const { run, explain } = await start(json([early, release("v2.0.0", both("2.0.0"))]));
  expect(publishedRelease((await run()).windows).version).toBe("2.0.0");
  expect((await explain("windows")).skipped).toContain("Notes-3.0.0-arm64.exe of v3.0.0: for another architecture");
});

describe("of the files of a release", () => {
  test.for<["macos" | "windows", string[], string, object?]>([
    ["macos", ["N-arm64-mac.zip", "N-arm64.pkg", "N-x64.dmg", "N-arm64.dmg"], "N-arm64.dmg"],
    ["macos", ["N-arm64.dmg", "N-universal.dmg", "N.dmg"], "N-universal.dmg"],
    ["macos", ["N.dmg", "N-arm64.dmg"], "N-arm64.dmg"],
    ["macos", ["N-x64.dmg", "N.dmg"], "N.dmg"],
    ["macos", ["N_x86_64.dmg", "N_aarch64.dmg"], "N_x86_64.dmg", { arch: "x64" }],
    ["macos", ["N_aarch64.app.tar.gz", "N_aarch64.dmg"], "N_aarch64.dmg"],
    ["macos", ["N-darwin-arm64.zip", "N-win32-x64.zip", "N-dSYM-mac.zip"], "N-darwin-arm64.zip"],
    ["windows", ["N-arm64.exe", "N-x64.exe", "N-ia32.exe"], "N-x64.exe"],
    ["windows", ["N-arm64.exe", "N-x64.msi"], "N-x64.msi"],
    ["windows", ["N.msix", "N.msi", "N.exe", "N-win.zip"], "N.exe"],
    ["windows", ["N-portable.exe", "N-setup.msi"], "N-setup.msi"],
    ["windows", ["N-setup.exe", "N-x64.msi", "N-arm64.msi"], "N-x64.msi", { asset: "*-x64.msi" }],
    ["windows", ["N-x64.exe", "N-arm64.exe"], "N-arm64.exe", { arch: "arm64" }],
    ["windows", ["N-cli-x64.exe", "vc_redist.x64.exe", "N-uninstaller.exe", "N-setup.exe"], "N-setup.exe"],
    ["windows", ["N-server-x64.exe"], "N-server-x64.exe"],
    ["macos", ["N-cli.dmg", "N-freebsd.pkg", "N-mac.zip"], "N-mac.zip"],
    ["windows", ["N-setup.exe.blockmap", "N.exe.sig", "N-x64_en-US.msi", "N-x64.nsis.zip"], "N-x64_en-US.msi"],
  ])("%s takes from %j: %s", async ([platform, names, wanted, settings = {}]) => {
    const { explain } = await start(json([release("v1.0.0", names)]), settings);
    expect((await explain(platform)).picked).toBe(`${wanted} of v1.0.0`);
  });

  test("a zip without a platform in its name is picked if the settings select it", async () => {
    const upstream = json([release("desktop@1.0", ["Notes-1.0.zip", "cli.zip"]), release("v9", both("9"))]);
    const github = { from: "github", repo: "acme/notes", tag: "desktop@*", asset: "Notes-*.zip" };
    const { run } = await startReleaseCollector(
      ({ origin }) => ({ macos: { ...github, api: origin }, windows: { ...github, api: origin } }),
      { paths: { [`${PATH}1`]: upstream } },
    );
    expect(publishedRelease((await run()).macos)).toMatchObject({
      version: "1.0",
      downloadURL: expect.stringMatching(/Notes-1.0.zip$/),
    });
  });
});

describe("with a pattern for tags, the version is what follows the app's name", () => {
  test.for<[string, string[], string]>([
    ["app-2-v*", ["app-2-v9.0.0", "app-2-v10.0.0"], "10.0.0"],
    ["app-2-*", ["app-2-1.9", "app-2-1.10"], "1.10"],
    ["desktop@4.*", ["desktop@4.9.1", "desktop@4.10.0", "desktop@5.0.0"], "4.10.0"],
    ["v1*", ["v1.2.0", "v1.10.0"], "1.10.0"],
    ["notes2*", ["notes2-1.9", "notes2-1.10"], "1.10"],
    ["*@*", ["desktop@1.9", "desktop@1.10"], "1.10"],
  ])("%s of %j: %s", async ([tag, tags, version]) => {
    const { run } = await start(json(tags.map((name) => release(name, both(name)))), { tag });
    expect(publishedRelease((await run()).macos).version).toBe(version);
  });
});

describe("no release is a fact", () => {
  test.for<[string, unknown[], string]>([
    ["of a repository that lists none", [], "both"],
    [
      "when there are drafts and prereleases only",
      [release("v1", both("1"), { draft: true }), release("v2-rc1", both("2"), { prerelease: true })],
      "both",
    ],
    [
      "for Windows when all files are for others",
      [release("v1.0", ["N.dmg", "N.AppImage", "N.dmg.sig", "N-linux.zip"])],
      "windows",
    ],
  ])("%s", async ([, releases, whose]) => {
    const { run } = await start(json(releases));
    const { macos, windows } = await run();
    expect(payloadOrReason(windows)).toEqual(NONE);
    if (whose === "both") expect(payloadOrReason(macos)).toEqual(NONE);
    else expect(publishedRelease(macos).version).toBe("1.0");
  });

  test.for<[string, unknown[], RegExp, object?]>([
    [
      "while a file is being uploaded",
      [release("v1", [{ name: "N.exe", state: "starter" }])],
      /no file .* still uploading/,
    ],
    ["when a file could be for any platform", [release("v1", ["Notes.zip", "N.dmg"])], /no file .* "asset": .* takes /],
    [
      "when the pattern for files matches none",
      [release("v1", ["N.exe"])],
      /no file .* "asset": .* takes /,
      { asset: "*.msi" },
    ],
    [
      "when the architecture is not there",
      [release("v1", ["N-x64.exe"])],
      /choose it with "arch" or "asset"/,
      { arch: "arm64" },
    ],
    [
      "when most computers could not run what is there",
      [release("v1", ["N-arm64.exe"])],
      /choose it with "arch" or "asset"/,
    ],
    [
      "when the pattern for tags matches none",
      [release("v1", ["N.exe"])],
      /^no release has a tag of the app \(v1\): correct "tag": "desktop@\*"$/,
      { tag: "desktop@*" },
    ],
    [
      "when the tags are no versions",
      [release("latest", ["N.exe"])],
      /has a version in its tag \(latest\): .*release the app under a tag with a version$/,
    ],
  ])("not known %s", async ([, releases, reason, settings]) => {
    const { run } = await start(json(releases), settings);
    expect(payloadOrReason((await run()).windows)).toMatch(reason);
  });
});

describe("of several pages", () => {
  const page = (from: number, count: number, name = "N.txt") =>
    Array.from({ length: count }, (_, index) => release(`v0.${from + index}`, [name]));

  test("the highest version may be on the third", async () => {
    const { run, upstream } = await start([
      json(page(0, 100)),
      json(page(100, 100)),
      json([release("v1.0", both("1"))]),
    ]);
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
    expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(3);
  });

  test("a short page is followed if it links to a next one", async () => {
    const link = {
      link: '<https://api.example.com/x?page=2>; rel="next", <https://api.example.com/x?page=9>; rel="last"',
    };
    const { run } = await start([json([release("v0.1", both("0"))], link), json([release("v1.0", both("1"))])]);
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
  });

  test("at most three are read, which is not enough to conclude that there is no release", async () => {
    const drafts = (number: number) => page(number * 100, 100).map((one) => ({ ...one, draft: true }));
    const pages = [0, 1, 2].map((number) => json(drafts(number)));
    const { run, upstream } = await start([...pages, json([release("v9", both("9"))])]);
    expect(payloadOrReason((await run()).macos)).toMatch(
      /^no installer for macos among the newest 300 releases: .*"macos": "none"$/,
    );
    expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(3);
  });

  test("a failed page fails the source", async () => {
    const { run } = await start([json(page(0, 100, "N.exe")), status(404)]);
    expect(payloadOrReason((await run()).windows)).toMatch(/^answered 404: .* private and needs a "token"/);
  });

  test("only a single page is requested conditionally", async () => {
    const conditions = async (pages: Behaviour[]) => {
      const { run, upstream } = await start(pages);
      await run();
      await run();
      return upstream.requests.flatMap(({ path, headers }) =>
        path.includes("page=") ? [headers["if-none-match"] ?? "-"] : [],
      );
    };
    expect(await conditions([jsonWithEtag('"a"', [release("v1", both("1"))])])).toEqual(["-", '"a"']);
    const long = [jsonWithEtag('"a"', page(0, 100)), jsonWithEtag('"b"', [release("v1", both("1"))])];
    expect(await conditions(long)).toEqual(["-", "-", "-", "-"]);
  });
});

describe("the latest release by the vendor's own mark", () => {
  const LATEST = "/repos/acme/notes/releases/latest";
  const dated = (tag: string, day: string) => release(tag, both(tag), { published_at: `2026-11-${day}T10:00:00Z` });
  const slip = [dated("v04.6", "03"), dated("v0.4.5", "02"), dated("v0.4.4", "01")];

  test("is asked for, and a contradiction names both releases and what takes which", async () => {
    const { run, upstream } = await start(json(slip));
    upstream.set(LATEST, json({ tag_name: "v0.4.5" }));
    const { macos, windows } = await run();
    for (const outcome of [macos, windows]) {
      expect(payloadOrReason(outcome)).toMatch(
        /^v0\.4\.5 is the latest release by .*v04\.6 has the highest version: "tag": "v0\.\*" takes v0\.4\.5; .* takes v04\.6; or correct the mark$/,
      );
    }
  });

  test("confirms the highest version", async () => {
    const { run, upstream } = await start(json(slip));
    upstream.set(LATEST, json({ tag_name: "v04.6" }));
    expect(publishedRelease((await run()).macos).version).toBe("04.6");
  });

  test("is asked for conditionally, and a mark that moves is noticed though the list has not changed", async () => {
    const { run, upstream } = await start(jsonWithEtag('"list"', slip));
    upstream.set(LATEST, jsonWithEtag('"latest"', { tag_name: "v04.6" }));
    await run();
    expect((await run()).macos).toMatchObject({ result: "confirmed" });
    const conditions = upstream.requests.map(({ headers }) => headers["if-none-match"]).filter(Boolean);
    expect(conditions).toEqual(['"list"', '"latest"']);
    upstream.set(LATEST, jsonWithEtag('"moved"', { tag_name: "v0.4.5" }));
    expect(payloadOrReason((await run()).macos)).toMatch(/^v0\.4\.5 is the latest release by/);
    upstream.set(LATEST, status(404));
    expect(publishedRelease((await run()).macos).version).toBe("04.6");
  });

  test("fails the source if it cannot be asked for", async () => {
    const { run, upstream } = await start(json(slip));
    upstream.set(LATEST, status(403));
    expect(payloadOrReason((await run()).macos)).toBe("the latest release: answered 403");
  });
});

test("a better file that is being uploaded keeps the last answer, for at most an hour", async () => {
  const uploading = (created_at: string) => [
    "Notes-2.0-x64.dmg",
    { name: "Notes-2.0-arm64.dmg", state: "starter", size: 0, created_at },
  ];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const young = await start(json([release("v2.0", uploading(minutesAgo(10))), release("v1.0", both("1.0"))]));
  expect(payloadOrReason((await young.run()).macos)).toBe("Notes-2.0-arm64.dmg of v2.0 is still being uploaded");
  const old = await start(json([release("v2.0", uploading(minutesAgo(61))), release("v1.0", both("1.0"))]));
  expect(publishedRelease((await old.run()).macos).version).toBe("2.0");
});

describe("the token", () => {
  const TOKEN = "xyzzy-token";
  const settings = { token: "$GITHUB_TOKEN" };

  test("is sent, and appears nowhere else", async () => {
    const { run, upstream } = await start(json([release("v1", both("1"))]), settings, { GITHUB_TOKEN: TOKEN });
    expect((await run()).all).not.toContain("xyzzy");
    const { headers } = upstream.requests.find(({ path }) => path.includes("page="))!;
    expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, accept: "application/vnd.github+json" });
  });

  test("is optional, but a configured variable must be set", async () => {
    const { run, upstream } = await start(json([]));
    await run();
    expect(upstream.requests.some(({ headers }) => "authorization" in headers)).toBe(false);
    await expect(start(json([]), settings)).rejects.toThrow("the environment variable GITHUB_TOKEN is not set");
    await expect(start(json([]), { token: TOKEN })).rejects.toThrow("$NAME");
  });
});

describe("a rate limit", () => {
  const used = { "x-ratelimit-remaining": "0" };
  const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3_540);

  test.for<[string, number, () => Record<string, string>, RegExp]>([
    [
      "that is exhausted",
      403,
      () => ({ ...used, "x-ratelimit-reset": inAnHour() }),
      /^answered 403: too many requests, try again in (59|60) min$/,
    ],
    [
      "with status 429",
      429,
      () => ({ ...used, "x-ratelimit-reset": inAnHour() }),
      /^answered 429: too many requests, try again in (59|60) min$/,
    ],
    [
      "of the secondary kind",
      403,
      () => ({ "retry-after": "60" }),
      /^answered 403: too many requests, try again in 60 s$/,
    ],
    [
      "with an implausible reset",
      403,
      () => ({ ...used, "x-ratelimit-reset": "999999999999" }),
      /try again in 1440 min$/,
    ],
  ])("%s is reported with its end, and not retried before", async ([, code, headers, reason]) => {
    const { run, upstream } = await start(status(code, headers(), "xyzzy"));
    expect(payloadOrReason((await run()).macos)).toMatch(reason);
    expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(1);
  });

  test("that ends at once is waited for", async () => {
    const limited = status(403, { ...used, "x-ratelimit-reset": "1700000000" });
    const { run } = await start(inTurn(limited, json([release("v1", both("1"))])));
    expect(publishedRelease((await run()).macos).version).toBe("1");
  });

  test("is not assumed for every 403", async () => {
    const { run, upstream } = await start(
      status(403, { "x-ratelimit-remaining": "59", "x-ratelimit-reset": inAnHour() }),
    );
    expect(payloadOrReason((await run()).macos)).toBe("answered 403");
    expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(1);
  });
});

describe("is refused:", () => {
  const good = release("v1", both("1"));
  test.for<[string, Behaviour, RegExp]>([
    ["a list of other things", json([{ id: 1 }]), /^not a list of releases: \[0\]\.tag_name: /],
    ["a release without draft", json([{ ...good, draft: undefined }]), /^not a list of releases: \[0\]\.draft: /],
    ["a release without its files", json([{ ...good, assets: null }]), /\[0\]\.assets: /],
    ["thousands on one page", json(Array.from({ length: 1_001 }, () => ({}))), /must have at most 1000 entries/],
  ])("%s", async ([, behaviour, reason]) => {
    const { run } = await start(behaviour);
    const { macos, windows, all } = await run();
    expect(payloadOrReason(macos)).toMatch(reason);
    expect(payloadOrReason(windows)).toMatch(reason);
    expect(all).not.toContain("xyzzy");
  });
});

test("odd notes, names, sizes and dates do no harm", async () => {
  const nasty = release("v1.0\u001b[31m", both("9"), { published_at: null });
  const names = [{ name: "Größe-1.0-arm64.dmg", size: null }, `${"N".repeat(250)}\u202e.txt`];
  const found = release("v1.0", names, { body: `${"ü\r\n".repeat(200_000)}`, published_at: null });
  const { run, explain } = await start(body(`\uFEFF${JSON.stringify([nasty, found])}`));
  const { changelog, ...rest } = publishedRelease((await run()).macos);
  expect(rest).toMatchObject({
    version: "1.0",
    size: "",
    date: "",
    downloadURL: expect.stringContaining("/Gr%C3%B6%C3%9Fe-"),
  });
  expect(changelog).toMatch(/ü\n\[cut\]$/);
  const { skipped } = await explain("macos");
  expect(skipped).toContain("v1.0[31m: a tag without a version");
  expect(skipped).toContain(`${"N".repeat(80)} of v1.0: not an installer`);
});

test("forceUpdate comes from the settings only", async () => {
  const { run } = await start(json([release("v1", both("1"), { forceUpdate: true })]), { forceUpdate: true });
  expect(payloadOrReason((await run()).macos)).toMatchObject({ forceUpdate: true });
});

test('"none" needs no upstream, for one platform or for both', async () => {
  const github = { from: "github", repo: "acme/notes" };
  const { run } = await startReleaseCollector(
    ({ origin }) => ({ macos: "none", windows: { ...github, api: origin } }),
    {
      paths: { [`${PATH}1`]: json([release("v1.0", both("1.0"))]) },
    },
  );
  const { macos, windows } = await run();
  expect(payloadOrReason(macos)).toEqual(NONE);
  expect(publishedRelease(windows).version).toBe("1.0");
  const neither = await startReleaseCollector(() => "none" as unknown as object);
  expect(payloadOrReason((await neither.run()).windows)).toEqual(NONE);
});
