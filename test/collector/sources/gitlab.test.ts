// Releases from GitLab, from a loopback server that answers as its API does.
import { describe, expect, test } from "vitest";
import {
  publishedRelease,
  payloadOrReason,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { json, jsonWithEtag, type Behaviour } from "../../support/collecting/upstream.ts";

const pathOf = (project: string) => `/api/v4/projects/${project}/releases?per_page=100&page=`;
const PATH = pathOf("acme%2Fdesktop%2Fnotes");
const NONE = { hasUpdate: false };

/** A link without a permanent one, as a vendor writes it that uses the package registry. */
const link = (name: string, url = `https://gitlab.com/api/v4/projects/7/packages/generic/notes/1/${name}`) => ({
  id: 7,
  name,
  url,
  direct_asset_url: url as string | undefined,
  link_type: "other",
});
const release = (tag_name: string, links: object[], more: object = {}) => ({
  name: `Notes ${tag_name}`,
  tag_name,
  description: `Notes of ${tag_name}`,
  created_at: "2026-11-01T10:01:02.000Z",
  released_at: "2026-11-02T10:01:02.000Z",
  upcoming_release: false,
  author: { id: 1, username: "xyzzy" },
  commit: { id: "xyzzy", author_email: "xyzzy@example.com" },
  _links: { self: "https://gitlab.com/xyzzy" },
  ...more,
  assets: {
    count: links.length + 2,
    sources: ["zip", "tar.gz"].map((format) => ({ format, url: `https://gitlab.com/notes-macos-xyzzy.${format}` })),
    links,
  },
});
const both = (version: string) => [link(`Notes-${version}.dmg`), link(`Notes-Setup-${version}.exe`)];

const start = (pages: Behaviour | Behaviour[], settings: object = {}, environment: Record<string, string> = {}) => {
  const paths = Object.fromEntries([pages].flat().map((page, index) => [`${PATH}${index + 1}`, page]));
  return startReleaseCollector(
    ({ origin }) => ({ from: "gitlab", project: "acme/desktop/notes", url: origin, ...settings }),
    { paths, environment },
  );
};

test("one fetch serves both platforms, with the fields of a release and no others", async () => {
  const { run, upstream } = await start(json([release("v2.4.1", both("2.4.1"), { description: "a\r\n* b" })]));
  const { macos, windows, all } = await run();
  expect(payloadOrReason(macos)).toEqual({
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform: "macos",
      version: "2.4.1",
      changelog: "a\n- b",
      downloadURL: "https://gitlab.com/api/v4/projects/7/packages/generic/notes/1/Notes-2.4.1.dmg",
      size: "",
      date: "2026-11-02T10:01:02.000Z",
    },
  });
  expect(publishedRelease(windows).downloadURL).toMatch(/Notes-Setup-2\.4\.1\.exe$/);
  expect(upstream.requests.filter(({ path }) => path.includes("page="))).toHaveLength(1);
  expect(all).not.toContain("xyzzy");
});

test("a project may be given by its number", async () => {
  const { run, upstream } = await start([], { project: "1234" });
  upstream.set(`${pathOf("1234")}1`, json([release("v1.0", both("1.0"))]));
  expect(publishedRelease((await run()).macos).version).toBe("1.0");
});

test.for(["notes", "acme/", "https://gitlab.com/acme/notes", "acme/notes?x", ""])(
  "%j is not a project",
  async (project) => {
    await expect(start([], { project })).rejects.toThrow("use group/project");
  },
);

test("an upcoming release is not published before its time", async () => {
  const { run, explain } = await start(
    json([release("v3.0.0", both("3"), { upcoming_release: true }), release("v2.0.0", both("2"))]),
  );
  expect(publishedRelease((await run()).windows).version).toBe("2.0.0");
  expect((await explain("windows")).skipped).toContain("v3.0.0: not published yet");
});

describe("a link is known by its name and by the file that it leads to:", () => {
  const at = (name: string, url: string, direct_asset_url?: string) => ({ ...link(name, url), direct_asset_url });
  test.for<[string, "macos" | "windows", object[], picked: string, url: string]>([
    [
      "a name in words, the file in the address",
      "macos",
      [
        at("macOS (Intel)", "https://dl.acme.com/x64/Notes.dmg"),
        at("macOS (arm64)", "https://dl.acme.com/arm64/Notes.dmg"),
      ],
      "macOS (arm64) Notes.dmg",
      "https://dl.acme.com/arm64/Notes.dmg",
    ],
    [
      "a file name, and an address without",
      "windows",
      [at("Notes-1.0.msi", "https://dl.acme.com/v1.0")],
      "Notes-1.0.msi",
      "https://dl.acme.com/v1.0",
    ],
    [
      "a file name, and an address that is a host alone",
      "windows",
      [at("Notes-1.0.msi", "https://dl.acme.com")],
      "Notes-1.0.msi",
      "https://dl.acme.com/",
    ],
    [
      "a permanent link, which is the one that is published",
      "windows",
      [
        at(
          "Windows",
          "https://gitlab.com/acme/notes/-/jobs/688/artifacts/raw/bin/Notes%20Setup.exe",
          "https://gitlab.com/acme/notes/-/releases/v1.0/downloads/windows",
        ),
      ],
      "Windows Notes Setup.exe",
      "https://gitlab.com/acme/notes/-/releases/v1.0/downloads/windows",
    ],
    [
      "a zip that only the name calls one for macOS",
      "macos",
      [at("Linux", "https://dl.acme.com/l/notes.zip"), at("macOS", "https://dl.acme.com/m/notes.zip")],
      "macOS notes.zip",
      "https://dl.acme.com/m/notes.zip",
    ],
  ])("%s", async ([, platform, links, picked, url]) => {
    for (const given of [links, links.toReversed()]) {
      const { run, explain } = await start(json([release("v1.0", given)]));
      expect(publishedRelease((await run())[platform]).downloadURL).toBe(url);
      expect((await explain(platform)).picked).toBe(`${picked} of v1.0`);
    }
  });

  test('one without a file name is published if "asset" names it', async () => {
    const links = [link("Windows build", "https://gitlab.com/acme/notes/-/jobs/artifacts/v1.0/download?job=win")];
    const { run } = await start(json([release("v1.0", links)]));
    const { macos, windows } = await run();
    expect(payloadOrReason(windows)).toMatch(/no file .*Windows build of v1\.0.* "asset": .* takes /);
    expect(payloadOrReason(macos)).toEqual(NONE);
    const chosen = await start(json([release("v1.0", links)]), { asset: "Windows build" });
    expect(publishedRelease((await chosen.run()).windows).downloadURL).toBe(links[0]!.url);
  });
});

describe("no release is a fact", () => {
  test.for<[string, object[]]>([
    ["of a project that lists none", []],
    ["when there are upcoming ones and prereleases only", [release("v1", both("1"), { upcoming_release: true })]],
    ["when the only files are archives of the source code", [release("v1.0", [])]],
    [
      "when all links are for others",
      [release("v1.0", [link("N.AppImage"), link("Linux", "https://a.example/n.zip")])],
    ],
  ])("%s", async ([, releases]) => {
    const { run } = await start(json(releases));
    const { macos, windows } = await run();
    expect([payloadOrReason(macos), payloadOrReason(windows)]).toEqual([NONE, NONE]);
  });
});

describe("of several pages", () => {
  const page = (count: number) =>
    Array.from({ length: count }, (_, index) => release(`v0.${index}`, [link("N.txt")], { upcoming_release: true }));
  const next = { link: '<https://gitlab.com/x?page=2>; rel="next", <https://gitlab.com/x?page=1>; rel="first"' };

  test.for<[string, Behaviour]>([
    ["a full page", json(page(100))],
    ["a short page with a link to the next", json(page(20), next)],
  ])("%s is followed by another", async ([, first]) => {
    const { run } = await start([first, json([release("v1.0", both("1"))])]);
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
  });

  test("at most three are read, which is not enough to conclude that there is no release", async () => {
    const { run } = await start([json(page(100)), json(page(100)), json(page(100)), json([])]);
    expect(payloadOrReason((await run()).macos)).toMatch(
      /^no installer for macos among the newest 300 releases: .*"macos": "none"$/,
    );
  });
});

test("an unchanged list is not sent again", async () => {
  const { run, upstream } = await start(jsonWithEtag('W/"a"', [release("v1.0", both("1.0"))]));
  await run();
  expect((await run()).macos).toMatchObject({ result: "confirmed" });
  expect(upstream.requests.map(({ headers }) => headers["if-none-match"])).toContain('W/"a"');
});

test("the token is optional, and sent as GitLab wants it", async () => {
  const given = [release("v1", both("1"))];
  const { run, upstream } = await start(json(given), { token: "$TOKEN" }, { TOKEN: "xyzzy-token" });
  expect((await run()).all).not.toContain("xyzzy");
  expect(upstream.requests.map(({ headers }) => headers["private-token"])).toContain("xyzzy-token");
  const without = await start(json(given));
  await without.run();
  expect(without.upstream.requests.some(({ headers }) => "private-token" in headers)).toBe(false);
  await expect(start(json(given), { token: "$TOKEN" })).rejects.toThrow("the environment variable TOKEN is not set");
});

describe("is refused:", () => {
  const good = release("v1", both("1"));
  test.for<[string, Behaviour, RegExp]>([
    [
      "a list without tags, as a guest of the project sees it",
      json([{ ...good, tag_name: undefined }]),
      /^not a list of releases: \[0\]\.tag_name: is missing: see "token", which must be allowed to read the code$/,
    ],
    ["a release without its files", json([{ ...good, assets: { sources: [] } }]), /\[0\]\.assets\.links: /],
    ["a link without an address", json([{ ...good, assets: { links: [{ name: "xyzzy" }] } }]), /links\[0\]\.url: /],
  ])("%s", async ([, behaviour, reason]) => {
    const { run } = await start(behaviour);
    const { macos, windows, all } = await run();
    expect(payloadOrReason(macos)).toMatch(reason);
    expect(payloadOrReason(windows)).toMatch(reason);
    expect(all).not.toContain("xyzzy");
  });
});
