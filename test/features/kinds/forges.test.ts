// Releases from GitHub, GitLab, and Gitea or Forgejo, from a loopback server that answers as their APIs do.
import { describe, expect, test } from "vitest";
import type { Platform } from "../../../snapshots/schema.ts";
import { payloadOf } from "../../support/collecting/read-source.ts";
import {
  payloadOrReason,
  publishedRelease,
  startReleaseCollector,
} from "../../support/collecting/release-collector.ts";
import { body, inTurn, json, jsonWithEtag, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";

const NONE = { hasUpdate: false };
const DATE = "2026-11-02T10:01:02+01:00";

interface Forge {
  settings: (origin: string) => object;
  /** Of the list, without the number of the page. */
  path: string;
  latest: string;
  perPage: number;
  /** A file behind a link. */
  file: (name: string, more?: object) => object;
  release: (tag: string, files: readonly object[], more?: object) => object;
  /** Fields of a release that is not published. */
  unpublished: object;
  /** The field with the notes. */
  notes: string;
  size: string;
  refused: [what: string, change: object, reason: RegExp][];
}

const urlOf = (name: string) => `https://dl.example/x/${encodeURIComponent(name)}`;
const GIT_RELEASE = { draft: false, prerelease: false, published_at: DATE, author: { login: "xyzzy" } };
const WITHOUT: Forge["refused"] = [
  ["a list of other things", { tag_name: undefined }, /^not a list of releases: \[0\]\.tag_name: /],
  ["a release without draft", { draft: undefined }, /^not a list of releases: \[0\]\.draft: /],
  ["a release without its files", { assets: null }, /\[0\]\.assets: /],
];

const FORGES = {
  github: {
    settings: (api) => ({ from: "github", repo: "acme/notes", api }),
    path: "/repos/acme/notes/releases?per_page=100&page=",
    latest: "/repos/acme/notes/releases/latest",
    perPage: 100,
    file: (name, more = {}) => ({
      name,
      state: "uploaded",
      size: 1_000,
      browser_download_url: urlOf(name),
      uploader: { login: "xyzzy" },
      ...more,
    }),
    release: (tag_name, assets, more = {}) => ({ ...GIT_RELEASE, tag_name, body: "notes", assets, ...more }),
    unpublished: { draft: true, published_at: null },
    notes: "body",
    size: "1000",
    refused: WITHOUT,
  },
  gitea: {
    settings: (url) => ({ from: "gitea", repo: "acme/notes", url: `${url}/` }),
    path: "/api/v1/repos/acme/notes/releases?limit=50&page=",
    latest: "/api/v1/repos/acme/notes/releases/latest",
    perPage: 50,
    file: (name, more = {}) => ({
      name,
      size: 1_000,
      browser_download_url: urlOf(name),
      uuid: "xyzzy-uuid",
      type: "attachment",
      ...more,
    }),
    release: (tag_name, assets, more = {}) => ({ ...GIT_RELEASE, tag_name, body: "notes", assets, ...more }),
    unpublished: { draft: true },
    notes: "body",
    size: "1000",
    refused: WITHOUT,
  },
  gitlab: {
    settings: (url) => ({ from: "gitlab", project: "acme/desktop/notes", url }),
    path: "/api/v4/projects/acme%2Fdesktop%2Fnotes/releases?per_page=100&page=",
    latest: "/api/v4/projects/acme%2Fdesktop%2Fnotes/releases/permalink/latest",
    perPage: 100,
    // The link is permanent only if the vendor gave it a path.
    file: (name, more = {}) => ({ id: 7, name, url: urlOf(name), direct_asset_url: urlOf(name), ...more }),
    release: (tag_name, links, more = {}) => ({
      tag_name,
      description: "notes",
      released_at: DATE,
      upcoming_release: false,
      commit: { author_email: "xyzzy@example.com" },
      assets: { sources: [{ format: "zip", url: "https://gitlab.com/notes-macos-xyzzy.zip" }], links },
      ...more,
    }),
    unpublished: { upcoming_release: true },
    notes: "description",
    size: "",
    refused: [
      [
        "a list without tags, as a guest of the project sees it",
        { tag_name: undefined },
        /^not a list of releases: \[0\]\.tag_name: is missing: see "token", which must be allowed to read the code$/,
      ],
      ["a release without its files", { assets: { sources: [] } }, /\[0\]\.assets\.links: /],
      ["a link without an address", { assets: { links: [{ name: "xyzzy" }] } }, /links\[0\]\.url: /],
    ],
  },
} satisfies Record<string, Forge>;

async function start(forge: Forge, pages: Behaviour | Behaviour[], settings: object = {}) {
  const paths = Object.fromEntries([pages].flat().map((page, index) => [`${forge.path}${index + 1}`, page]));
  const releases = ({ origin }: { origin: string }) => ({ ...forge.settings(origin), ...settings });
  const { upstream, ...collector } = await startReleaseCollector(releases, { paths });
  const asked = () => upstream.requests.filter(({ path }) => path.includes("page="));
  return { ...collector, upstream, asked };
}

type ReleaseGiven = [tag: string, files: (string | { name: string })[], more?: object];

/** A release of the forge with these files, given by their names or with more fields. */
function releaseOf(forge: Forge, ...[tag, files, more = {}]: ReleaseGiven): object {
  const fileOf = (file: string | { name: string }) =>
    typeof file === "string" ? forge.file(file) : forge.file(file.name, file);
  return forge.release(tag, files.map(fileOf), more);
}

describe.for(Object.entries<Forge>(FORGES))("%s (collector/features/kinds/forges/)", ([, forge]) => {
  const release = (...given: ReleaseGiven) => releaseOf(forge, ...given);
  const both = (version: string) => [`Notes-${version}.dmg`, `Notes-Setup-${version}.exe`, `Notes-${version}.AppImage`];
  const unpublished = (tag: string) => release(tag, both(tag), forge.unpublished);

  test("one fetch serves both platforms, with the fields of a release and no others", async () => {
    const { run, asked } = await start(forge, json([release("v2.4.1", both("2.4.1"), { [forge.notes]: "a\r\n* b" })]));
    const { macos, windows, all } = await run();
    const more = { changelog: "a\n- b", size: forge.size, date: DATE };
    const payload = (platform: Platform, name: string) => payloadOf(platform, "2.4.1", urlOf(name), more);
    expect(payloadOrReason(macos)).toEqual(payload("macos", "Notes-2.4.1.dmg"));
    expect(payloadOrReason(windows)).toEqual(payload("windows", "Notes-Setup-2.4.1.exe"));
    expect(asked()).toHaveLength(1);
    expect(JSON.stringify(asked())).not.toMatch(/authorization|private-token/);
    expect(all).not.toContain("xyzzy");
  });

  test("the highest version is published, unless the vendor has not", async () => {
    const listed = [unpublished("v3"), release("v1.9.9", both("1.9.9")), release("v2.4.1", both("2.4.1"))];
    const { run, explain } = await start(forge, json(listed));
    expect(publishedRelease((await run()).windows).version).toBe("2.4.1");
    expect((await explain("windows")).skipped).toContain("v3: not published yet");
  });

  test.for([
    ["none is listed", [], []],
    ["none is published", ["unpublished"], []],
    ["all files are for others", [], ["N.AppImage", "N-linux.zip", "N.deb"]],
  ] as const)("there is no release if %s", async ([, drafts, files]) => {
    const { run } = await start(
      forge,
      json([...drafts.map(() => unpublished("v1")), ...(files.length ? [release("v1.0", [...files])] : [])]),
    );
    const { macos, windows } = await run();
    expect([payloadOrReason(macos), payloadOrReason(windows)]).toEqual([NONE, NONE]);
  });

  test("whether there is a release is not known while a file could be an installer", async () => {
    const { run } = await start(forge, json([release("v1.0", ["Download", "N.dmg"])]));
    const { macos, windows } = await run();
    expect(publishedRelease(macos).version).toBe("1.0");
    expect(payloadOrReason(windows)).toMatch(/no file .*Download of v1\.0.* "asset": .* takes /);
  });

  const page = (count: number) => Array.from({ length: count }, (_, index) => unpublished(`v0.${index}`));
  const next = { link: '<https://other.example/x?page=2>; rel="next", <https://other.example/x?page=9>; rel="last"' };
  test.for([
    ["a full page", json(page(forge.perPage))],
    ["a short page with a link to the next", json(page(10), next)],
  ] as const)("%s is followed by another", async ([, first]) => {
    const { run, asked } = await start(forge, [first, json([release("v1.0", both("1"))])]);
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
    expect(asked()).toHaveLength(2);
  });

  test("a release that moves to the next page meanwhile is read twice, and is still one", async () => {
    const moved = release("v1.0", both("1.0"));
    const pages = [
      [...page(forge.perPage - 1), moved],
      [moved, release("v0.9", both("0.9"))],
    ];
    const { run, upstream } = await start(
      forge,
      pages.map((page) => json(page)),
    );
    upstream.set(forge.latest, json({ tag_name: "v1.0" }));
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
  });

  test("at most three pages are read, which is not enough to conclude that there is no release", async () => {
    const full = json(page(forge.perPage));
    const { run, asked } = await start(forge, [full, full, full, json([release("v1.0", both("1"))])]);
    const newest = `^no installer for macos among the newest ${3 * forge.perPage} releases: .*"macos": "none"$`;
    expect(payloadOrReason((await run()).macos)).toMatch(new RegExp(newest));
    expect(asked()).toHaveLength(3);
  });

  test("a failed page fails the source", async () => {
    const { run } = await start(forge, [json(page(forge.perPage)), status(404)]);
    expect(payloadOrReason((await run()).windows)).toMatch(/^answered 404: .* private and needs a "token"/);
  });

  test("a release that the vendor marks as the latest, and that is not the highest, is refused", async () => {
    const { run, upstream } = await start(forge, json([release("v04.6", both("4.6")), release("v0.4.5", both("4.5"))]));
    upstream.set(forge.latest, json({ tag_name: "v0.4.5" }));
    const { macos, windows } = await run();
    for (const outcome of [macos, windows]) {
      expect(payloadOrReason(outcome)).toMatch(
        /^v0\.4\.5 is the latest release by .*v04\.6 has the highest version: "tag": "v0\.\*" takes v0\.4\.5; .* takes v04\.6, older than v0\.4\.5; or correct the mark$/,
      );
    }
    upstream.set(forge.latest, status(403));
    expect(payloadOrReason((await run()).macos)).toBe("the latest release: answered 403");
    upstream.set(forge.latest, json({ tag_name: "v04.6" }));
    expect(publishedRelease((await run()).macos).version).toBe("04.6");
  });

  test.for(forge.refused)("refuses %s", async ([, change, reason]) => {
    const { run } = await start(forge, json([release("v1", both("1"), change)]));
    const { macos, windows, all } = await run();
    expect(payloadOrReason(macos)).toMatch(reason);
    expect(payloadOrReason(windows)).toMatch(reason);
    expect(all).not.toContain("xyzzy");
  });
});

describe("GitHub", () => {
  const { github } = FORGES;
  const release = (...given: ReleaseGiven) => releaseOf(github, ...given);
  const both = (version: string) => [`Notes-${version}.dmg`, `Notes-Setup-${version}.exe`];

  test("a prerelease is not published, and the newest installer is, separately for each platform", async () => {
    const waiting = { name: "Notes-3.0.0.exe", state: "starter" };
    const listed = [
      release("v4.0.0", both("4"), { prerelease: true }),
      release("v3.0.0", ["Notes-3.0.0.dmg", waiting]),
      release("v2.0.0", both("2.0.0")),
    ];
    const { run, explain } = await start(github, json(listed));
    const { macos, windows } = await run();
    expect([publishedRelease(macos).version, publishedRelease(windows).version]).toEqual(["3.0.0", "2.0.0"]);
    const { picked, skipped } = await explain("windows");
    expect(picked).toBe("Notes-Setup-2.0.0.exe of v2.0.0");
    expect(skipped).toContain("Notes-3.0.0.exe of v3.0.0: still uploading");
    expect(skipped).toContain("Notes-3.0.0.dmg of v3.0.0: for another platform");
    expect(skipped).toContain("v3.0.0: no installer for windows");
  });

  test("a release is not published before its installer for most computers is there", async () => {
    const listed = [release("v3.0.0", ["Notes-3.0.0-arm64.exe"]), release("v2.0.0", both("2.0.0"))];
    const { run, explain } = await start(github, json(listed));
    expect(publishedRelease((await run()).windows).version).toBe("2.0.0");
    expect((await explain("windows")).skipped).toContain("Notes-3.0.0-arm64.exe of v3.0.0: for another architecture");
  });

  test("a better file that is being uploaded keeps the last answer, for at most an hour", async () => {
    const startedAgo = async (minutes: number) => {
      const created_at = new Date(Date.now() - minutes * 60_000).toISOString();
      const arm = { name: "Notes-2.0-arm64.dmg", state: "starter", size: 0, created_at };
      const listed = [release("v2.0", ["Notes-2.0-x64.dmg", arm]), release("v1.0", both("1.0"))];
      return (await (await start(github, json(listed))).run()).macos;
    };
    expect(payloadOrReason(await startedAgo(10))).toBe("Notes-2.0-arm64.dmg of v2.0 is still being uploaded");
    expect(publishedRelease(await startedAgo(61)).version).toBe("2.0");
  });

  test("a zip without a platform in its name is picked if the settings select it", async () => {
    const listed = json([release("desktop@1.0", ["Notes-1.0.zip", "cli.zip"]), release("v9", both("9"))]);
    const { run } = await startReleaseCollector(
      ({ origin }) => ({
        macos: { ...github.settings(origin), tag: "desktop@*", asset: "Notes-*.zip" },
        windows: "none",
      }),
      { paths: { [`${github.path}1`]: listed } },
    );
    const { macos, windows } = await run();
    expect(publishedRelease(macos)).toMatchObject({ version: "1.0", downloadURL: urlOf("Notes-1.0.zip") });
    expect(payloadOrReason(windows)).toEqual(NONE);
  });

  test.runIf(isIn("upstream-state"))("only a single page is requested conditionally", async () => {
    const conditions = async (pages: Behaviour[]) => {
      const { run, asked } = await start(github, pages);
      await run();
      await run();
      return asked().map(({ headers }) => headers["if-none-match"] ?? "-");
    };
    const last = [release("v1", both("1"))];
    expect(await conditions([jsonWithEtag('"a"', last)])).toEqual(["-", '"a"']);
    const full = Array.from({ length: 100 }, (_, index) => release(`v0.${index}`, []));
    const long = [jsonWithEtag('"a"', full), jsonWithEtag('"b"', last)];
    expect(await conditions(long)).toEqual(["-", "-", "-", "-"]);
  });

  test.runIf(isIn("upstream-state"))("a mark that moves is noticed though the list has not changed", async () => {
    const slip = [release("v04.6", both("4.6")), release("v0.4.5", both("4.5"))];
    const { run, upstream } = await start(github, jsonWithEtag('"list"', slip));
    upstream.set(github.latest, jsonWithEtag('"latest"', { tag_name: "v04.6" }));
    await run();
    expect((await run()).macos).toMatchObject({ result: "confirmed" });
    const conditions = upstream.requests.map(({ headers }) => headers["if-none-match"]).filter(Boolean);
    expect(conditions).toEqual(['"list"', '"latest"']);
    upstream.set(github.latest, jsonWithEtag('"moved"', { tag_name: "v0.4.5" }));
    expect(payloadOrReason((await run()).macos)).toMatch(/^v0\.4\.5 is the latest release by/);
    upstream.set(github.latest, status(404));
    expect(publishedRelease((await run()).macos).version).toBe("04.6");
  });

  test("a rate limit that ends at once is waited for", async () => {
    const limited = status(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000" });
    const { run } = await start(github, inTurn(limited, json([release("v1", both("1"))])));
    expect(publishedRelease((await run()).macos).version).toBe("1");
  });

  test("odd notes, names, sizes and dates do no harm", async () => {
    const nasty = release("v1.0\u001b[31m", both("9"), { published_at: null });
    const names = [{ name: "Größe-1.0-arm64.dmg", size: null }, `${"N".repeat(250)}\u202e.txt`];
    const found = release("v1.0", names, { body: `${"ü\r\n".repeat(200_000)}`, published_at: null });
    const { run, explain } = await start(github, body(`\uFEFF${JSON.stringify([nasty, found])}`));
    const { changelog, ...rest } = publishedRelease((await run()).macos);
    const downloadURL = expect.stringContaining("/Gr%C3%B6%C3%9Fe-");
    expect(rest).toMatchObject({ version: "1.0", size: "", date: "", downloadURL });
    expect(changelog).toMatch(/ü\n\[cut\]$/);
    const { skipped } = await explain("macos");
    expect(skipped).toContain("v1.0[31m: a tag without a version");
    expect(skipped).toContain(`${"N".repeat(80)} of v1.0: not an installer`);
  });

  test("forceUpdate comes from the settings only", async () => {
    const listed = json([release("v1", both("1"), { forceUpdate: true })]);
    const forced = async (settings: object) =>
      payloadOrReason((await (await start(github, listed, settings)).run()).macos);
    expect(await forced({})).toMatchObject({ forceUpdate: false });
    expect(await forced({ forceUpdate: true })).toMatchObject({ forceUpdate: true });
  });
});

test('"none" for both platforms needs no upstream', async () => {
  const { run } = await startReleaseCollector(() => "none" as unknown as object);
  expect(payloadOrReason((await run()).windows)).toEqual(NONE);
});

describe("GitLab", () => {
  const { gitlab } = FORGES;

  test("a project may be given by its number", async () => {
    const { run, upstream } = await start(gitlab, [], { project: "1234" });
    const files = [gitlab.file("N.dmg")];
    upstream.set("/api/v4/projects/1234/releases?per_page=100&page=1", json([gitlab.release("v1.0", files)]));
    expect(publishedRelease((await run()).macos).version).toBe("1.0");
  });

  test('a link without a file name is published if "asset" names it', async () => {
    const url = "https://gitlab.com/acme/notes/-/jobs/artifacts/v1.0/download?job=win";
    const links = [gitlab.file("Windows build", { url, direct_asset_url: url })];
    const listed = json([gitlab.release("v1.0", links)]);
    const { macos, windows } = await (await start(gitlab, listed)).run();
    expect(payloadOrReason(windows)).toMatch(/no file .*Windows build of v1\.0.* "asset": .* takes /);
    expect(payloadOrReason(macos)).toEqual(NONE);
    const chosen = await start(gitlab, listed, { asset: "Windows build" });
    expect(publishedRelease((await chosen.run()).windows).downloadURL).toBe(url);
  });
});

describe("a link is known by its name and by the file that it leads to:", () => {
  const link = (name: string, url: string, direct_asset_url?: string) =>
    FORGES.gitlab.file(name, { url, direct_asset_url });
  const external = (name: string, browser_download_url: string) =>
    FORGES.gitea.file(name, { browser_download_url, size: 0, type: "external" });
  const raw = "https://gitlab.com/acme/notes/-/jobs/688/artifacts/raw/bin/Notes%20Setup.exe";
  const permanent = "https://gitlab.com/acme/notes/-/releases/v1.0/downloads/windows";

  type Row = [string, Forge, "macos" | "windows", object[], picked: string, url: string];
  test.for<Row>([
    ...([FORGES.gitlab, FORGES.gitea] as const).map((forge): Row => [
      "a name in words, the file in the address",
      forge,
      "macos",
      [["Intel", "x"] as const, ["arm64", "a"] as const].map(([arch, folder]) =>
        (forge === FORGES.gitea ? external : link)(`macOS (${arch})`, `https://dl.acme.com/${folder}/N.dmg`),
      ),
      "macOS (arm64) N.dmg",
      "https://dl.acme.com/a/N.dmg",
    ]),
    [
      "a file name, and an address that is a host alone",
      FORGES.gitlab,
      "windows",
      [link("N-1.0.msi", "https://dl.acme.com")],
      "N-1.0.msi",
      "https://dl.acme.com/",
    ],
    [
      "a permanent link, which is the one that is published",
      FORGES.gitlab,
      "windows",
      [link("Windows", raw, permanent)],
      "Windows Notes Setup.exe",
      permanent,
    ],
    [
      "a zip that only the name calls one for macOS",
      FORGES.gitlab,
      "macos",
      [link("Linux", "https://dl.acme.com/l/notes.zip"), link("macOS", "https://dl.acme.com/m/notes.zip")],
      "macOS notes.zip",
      "https://dl.acme.com/m/notes.zip",
    ],
  ])("%s", async ([, forge, platform, links, picked, url]) => {
    for (const given of [links, links.toReversed()]) {
      const { run, explain } = await start(forge, json([forge.release("v1.0", given)]));
      expect(publishedRelease((await run())[platform])).toMatchObject({ downloadURL: url, size: "" });
      expect((await explain(platform)).picked).toBe(`${picked} of v1.0`);
    }
  });
});
