// Releases from Codeberg, Forgejo and Gitea, from a loopback server that answers as their API does.
import { describe, expect, test } from "vitest";
import {
  publishedRelease,
  payloadOrReason,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { inTurn, json, status, type Behaviour } from "../../support/collecting/upstream.ts";

const PATH = "/api/v1/repos/acme/notes/releases?limit=50&page=";
const NONE = { hasUpdate: false };

const attachment = (name: string, more: object = {}) => ({
  id: 7,
  name,
  size: 1_000,
  download_count: 3,
  created_at: "2026-11-02T10:01:02+01:00",
  uuid: "xyzzy-uuid",
  browser_download_url: `https://codeberg.org/acme/notes/releases/download/x/${encodeURIComponent(name)}`,
  type: "attachment",
  ...more,
});
const external = (name: string, browser_download_url: string) =>
  attachment(name, { browser_download_url, size: 0, type: "external" });
const release = (tag_name: string, assets: object[], more: object = {}) => ({
  id: 1,
  tag_name,
  target_commitish: "main",
  name: `Notes ${tag_name}`,
  body: `Notes of ${tag_name}`,
  url: "https://codeberg.org/xyzzy",
  draft: false,
  prerelease: false,
  created_at: "2026-11-02T10:01:02+01:00",
  published_at: "2026-11-02T10:01:02+01:00",
  author: { login: "xyzzy", email: "xyzzy@example.com" },
  ...more,
  assets,
});
const both = (version: string) => [
  attachment(`Notes-${version}.dmg`),
  attachment(`Notes-Setup-${version}.exe`),
  attachment(`Notes-${version}.AppImage`),
];

const start = (pages: Behaviour | Behaviour[], settings: object = {}, environment: Record<string, string> = {}) => {
  const paths = Object.fromEntries([pages].flat().map((page, index) => [`${PATH}${index + 1}`, page]));
  return startReleaseCollector(
    ({ origin }) => ({ from: "gitea", repo: "acme/notes", url: `${origin}/`, ...settings }),
    { paths, environment },
  );
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
      downloadURL: "https://codeberg.org/acme/notes/releases/download/x/Notes-2.4.1.dmg",
      size: "1000",
      date: "2026-11-02T10:01:02+01:00",
    },
  });
  expect(publishedRelease(windows).downloadURL).toMatch(/Notes-Setup-2\.4\.1\.exe$/);
  const [request, ...more] = upstream.requests.filter(({ path }) => path.includes("page="));
  expect(request).toMatchObject({ path: `${PATH}1`, headers: { accept: "application/json" } });
  expect(more).toEqual([]);
  expect(all).not.toContain("xyzzy");
});

test("drafts and prereleases are passed over", async () => {
  const { run, explain } = await start(
    json([
      release("v4.0.0", both("4"), { draft: true, published_at: null }),
      release("v3.0.0", both("3"), { prerelease: true }),
      release("v2.0.0", both("2")),
    ]),
  );
  expect(publishedRelease((await run()).macos).version).toBe("2.0.0");
  expect((await explain("macos")).skipped).toEqual(
    expect.arrayContaining(["v4.0.0: not published yet", "v3.0.0: a prerelease"]),
  );
});

test("an external file is known by the end of its link, and its size of 0 is not published", async () => {
  const links = [
    external("macOS (Intel)", "https://dl.acme.com/2.0/x64/Notes.dmg"),
    external("macOS (arm64)", "https://dl.acme.com/2.0/arm64/Notes.dmg?from=codeberg"),
    external("Notes-Setup.exe", "https://dl.acme.com/latest/windows"),
  ];
  for (const assets of [links, links.toReversed()]) {
    const { run, explain } = await start(json([release("v2.0.0", assets)]));
    const { macos, windows } = await run();
    expect(publishedRelease(macos)).toMatchObject({ size: "", downloadURL: links[1]!.browser_download_url });
    expect(publishedRelease(windows).downloadURL).toBe(links[2]!.browser_download_url);
    expect((await explain("macos")).picked).toBe("macOS (arm64) Notes.dmg of v2.0.0");
  }
});

describe("no release is a fact", () => {
  test.for<[string, object[]]>([
    ["of a repository that lists none", []],
    ["when there are only drafts", [release("v1", both("1"), { draft: true })]],
    ["for Windows when all files are for others", [release("v1.0", [attachment("N.dmg"), attachment("N.AppImage")])]],
  ])("%s", async ([, releases]) => {
    const { run } = await start(json(releases));
    expect(payloadOrReason((await run()).windows)).toEqual(NONE);
  });

  test("not known while a file could be an installer", async () => {
    const { run } = await start(json([release("v1.0", [external("Download", "https://acme.com/download")])]));
    expect(payloadOrReason((await run()).windows)).toMatch(/no file .*Download of v1\.0.* "asset": .* takes /);
  });
});

describe("of several pages", () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => release(`v0.${from + index}`, [attachment("N.txt")]));
  const next = { link: '<https://codeberg.org/x?page=2>; rel="next",<https://codeberg.org/x?page=9>; rel="last"' };
  const pagesOf = ({ requests }: { requests: { path: string }[] }) =>
    requests.filter(({ path }) => path.includes("page=")).length;

  test.for<[string, Behaviour]>([
    ["a full page", json(page(0, 50))],
    ["a page that an instance with a lower limit cuts short, with a link to the next,", json(page(0, 10), next)],
  ])("%s is followed by another", async ([, first]) => {
    const { run, upstream } = await start([first, json([release("v1.0", both("1"))])]);
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
    expect(pagesOf(upstream)).toBe(2);
  });

  test("at most three are read, which is not enough to conclude that there is no release", async () => {
    const drafts = Array.from({ length: 50 }, (_, index) => release(`v0.${index}`, both("0"), { draft: true }));
    const { run, upstream } = await start([json(drafts), json(drafts), json(drafts), json([])]);
    expect(payloadOrReason((await run()).macos)).toMatch(
      /^no installer for macos among the newest 150 releases: .*"macos": "none"$/,
    );
    expect(pagesOf(upstream)).toBe(3);
  });
});

test("a release that the repository calls its latest one, and that is not the highest, is refused", async () => {
  const { run, upstream } = await start(json([release("v04.6", both("04.6")), release("v0.4.5", both("0.4.5"))]));
  upstream.set("/api/v1/repos/acme/notes/releases/latest", json(release("v0.4.5", [])));
  expect(payloadOrReason((await run()).macos)).toMatch(/^v0\.4\.5 is the latest release by .*"tag": "v0\.\*" takes/);
});

test("the token is optional, and sent as Gitea wants it", async () => {
  const given = [release("v1", both("1"))];
  const { run, upstream } = await start(json(given), { token: "$TOKEN" }, { TOKEN: "xyzzy-token" });
  expect((await run()).all).not.toContain("xyzzy");
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toContain("token xyzzy-token");
  const without = await start(json(given));
  await without.run();
  expect(without.upstream.requests.some(({ headers }) => "authorization" in headers)).toBe(false);
  await expect(start(json(given), { token: "$TOKEN" })).rejects.toThrow("the environment variable TOKEN is not set");
});

describe("is refused:", () => {
  const good = release("v1", both("1"));
  test.for<[string, Behaviour, RegExp]>([
    ["a release without draft", json([{ ...good, draft: undefined }]), /^not a list of releases: \[0\]\.draft: /],
    ["a release without its files", json([{ ...good, assets: null }]), /\[0\]\.assets: /],
  ])("%s", async ([, behaviour, reason]) => {
    const { run } = await start(behaviour);
    const { macos, windows, all } = await run();
    expect(payloadOrReason(macos)).toMatch(reason);
    expect(payloadOrReason(windows)).toMatch(reason);
    expect(all).not.toContain("xyzzy");
  });

  test("nothing for a short pause, which is waited for", async () => {
    const { run } = await start(inTurn(status(429, { "retry-after": "0" }), json([good])));
    expect(publishedRelease((await run()).macos).version).toBe("1");
  });
});
