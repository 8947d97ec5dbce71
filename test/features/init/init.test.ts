// `init`: settings from a repository that is asked once, and sample facts, whose publication causes a warning.
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRepository } from "../../../cli/features/init/init.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { runInProcess, startInProcess, typeInProcess } from "../../support/program/in-process.ts";
import { json, startUpstream, status, type Behaviour } from "../../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../../support/collecting/vendor.ts";

const RELEASES = "/api/v3/repos/acme/notes/releases";

function release(tag_name: string, names: readonly string[], fields: object = {}): object {
  const assets = names.map((name) => ({
    name,
    state: "uploaded",
    size: 81_000_000,
    browser_download_url: `https://github.example/acme/notes/releases/download/${tag_name}/${name}`,
  }));
  const published = { draft: false, prerelease: false, published_at: "2026-11-02T10:00:00Z", body: "" };
  return { tag_name, ...published, assets, ...fields };
}

/** Runs `init --from github URL` for a GitHub Enterprise Server that answers like this. */
async function initFrom(answer: Behaviour, path = "/acme/notes") {
  const upstream = await startUpstream();
  upstream.set(RELEASES, answer);
  const directory = await temporaryDirectory();
  const result = await runInProcess(["init", "--from", "github", upstream.url(path)], directory);
  const settings = async () => JSON.parse(await readFile(join(directory, "vitrine.config.json"), "utf8")) as object;
  const source = { from: "github", repo: "acme/notes", api: `${upstream.origin}/api/v3` };
  return { ...result, upstream, directory, settings, source };
}

describe("init --from github (cli/features/init/init.ts)", () => {
  test("writes settings that collect the releases, and shows the files that it found", async () => {
    const names = ["Notes-4.2.1-arm64.dmg", "Notes-4.2.1-x64.dmg", "Notes-Setup-4.2.1.exe", "latest.yml"];
    const { code, stdout, stderr, directory, settings, source, upstream } = await initFrom(
      json([release("v4.2.1", names)]),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("✔ macos     4.2.1: Notes-4.2.1-arm64.dmg of v4.2.1\n");
    expect(stdout).toContain('also has x64: Notes-4.2.1-x64.dmg (choose it with "arch")\n');
    expect(stdout).toContain("✔ windows   4.2.1: Notes-Setup-4.2.1.exe of v4.2.1\n");
    expect(await settings()).toMatchObject({ api: { name: "notes" }, releases: source });
    expect(upstream.requests.map(({ path }) => path.replace(/\?.*/, ""))).toEqual([RELEASES, `${RELEASES}/latest`]);
    expect(await readdir(join(directory, "product"))).toEqual(["plans.json"]);
    const collected = await runInProcess(["collect"], directory);
    expect(collected.code).toBe(0);
    expect(collected.stdout).toMatch(/✔ windows +4\.2\.1/);
  });

  test('writes "none" for the platform that certainly has nothing', async () => {
    const { stdout, settings, source, directory } = await initFrom(json([release("v4.2.1", ["Notes-Setup.exe"])]));
    expect(stdout).toContain("✔ macos     nothing is published for it\n");
    expect(await settings()).toMatchObject({ releases: { macos: "none", windows: source } });
    expect((await runInProcess(["collect"], directory)).code).toBe(0);
  });

  test.for([
    ["asset", release("v4.2.1", ["Notes-4.2.1.zip"])],
    ["tag", release("latest", ["Notes.dmg", "Notes.exe"])],
    ["prereleases", release("v1.0.0-beta.3", ["Notes.dmg", "Notes.exe"])],
  ] as const)("shows the setting that helps where the choice is refused: %s", async ([setting, listed]) => {
    const { code, stdout, settings, source } = await initFrom(json([listed]));
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`! macos +.*"?${setting}"?.*\\n +! windows +.*"?${setting}"?`));
    expect(stdout).toContain('Add the missing setting to "releases" in vitrine.config.json');
    expect(await settings()).toMatchObject({ releases: source });
  });

  test("writes a source for each platform when one is refused, with the pattern that it can guess", async () => {
    const names = ["Notes-4.2.1.zip", "Notes-Setup-4.2.1.exe"];
    const { stdout, settings, source, directory } = await initFrom(json([release("v4.2.1", names)]));
    expect(stdout).toContain(
      '! macos     "asset": "Notes-*.zip" is a guess: check it\n  ✔ macos     4.2.1: Notes-4.2.1.zip',
    );
    expect(await settings()).toMatchObject({
      releases: { macos: { ...source, asset: "Notes-*.zip" }, windows: source },
    });
    expect((await runInProcess(["collect"], directory)).stdout).toMatch(/✔ macos +4\.2\.1/);
  });

  test.for([
    ["a missing or private repository", status(404), /answered 404: there is no such repository, or it is private/],
    ["a refusal", status(403), /answered 403: it asks for a "token"; nothing written/],
    ["a rate limit", status(429, { "retry-after": "3600" }), /answered 429: too many requests, try again in \d+/],
    ["an answer that is no list of releases", json({ message: "hunter2" }), /not a list of releases/],
  ] as const)("writes nothing on %s", async ([, answer, message]) => {
    const { code, stdout, stderr, directory, upstream } = await initFrom(answer);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`127.0.0.1:${upstream.port}/acme/notes: `);
    expect(stderr).not.toContain("hunter2");
    expect(await readdir(directory)).toEqual([]);
  });

  test.for(["/acme/notes.git", "/acme/notes/", "/acme/notes/releases/tag/v4.2.1?a=b#c"])(
    "finds the repository in the URL of one of its pages: %s",
    async (path) => {
      const { settings, source } = await initFrom(json([]), path);
      expect(await settings()).toMatchObject({ releases: source });
    },
  );

  test.for([
    ["gitea", "/acme/notes/releases", "/api/v1/repos/acme/notes/releases", { repo: "acme/notes" }],
    [
      "gitlab",
      "/acme/apps/notes/-/releases",
      "/api/v4/projects/acme%2Fapps%2Fnotes/releases",
      { project: "acme/apps/notes" },
    ],
  ] as const)("reads a server of kind %s", async ([kind, page, path, named]) => {
    const [directory, upstream] = [await temporaryDirectory(), await startUpstream()];
    const file = { name: "Notes.dmg", size: 9, url: "https://git.example/Notes.dmg" };
    const common = { tag_name: "v4.2.1", draft: false, prerelease: false, body: "", description: "" };
    const assets = kind === "gitea" ? [{ ...file, browser_download_url: file.url }] : { links: [file] };
    upstream.set(path, json([{ ...common, assets }]));
    const { code, stdout } = await runInProcess(["init", "--from", kind, upstream.url(page)], directory);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("✔ macos     4.2.1: Notes.dmg"),
    });
    const settings = JSON.parse(await readFile(join(directory, "vitrine.config.json"), "utf8"));
    const source = { from: kind, ...named, url: upstream.origin };
    expect(settings).toMatchObject({ api: { name: "notes" }, releases: { macos: source, windows: "none" } });
  });

  test.for([
    [["https://github.com/acme/notes"], { from: "github", repo: "acme/notes" }],
    [["https://codeberg.org/acme/notes.git"], { from: "gitea", url: "https://codeberg.org", repo: "acme/notes" }],
    [["https://gitlab.com/acme/apps/notes/"], { from: "gitlab", project: "acme/apps/notes" }],
    [["github", "acme/notes"], { from: "github", repo: "acme/notes" }],
    [["gitlab", "acme/apps/notes"], { from: "gitlab", project: "acme/apps/notes" }],
    [
      ["gitlab", "https://git.acme.com/acme/notes"],
      { from: "gitlab", project: "acme/notes", url: "https://git.acme.com" },
    ],
  ] as const)("knows the source of %j", ([[from, where], source]) => {
    expect(readRepository(from, where).source).toEqual(source);
  });

  test("asks nothing and changes nothing if there are settings already", async () => {
    const [directory, upstream] = [await temporaryDirectory(), await startUpstream()];
    await writeFile(join(directory, "vitrine.config.json"), "mine");
    const { code, stderr } = await runInProcess(["init", "--from", "github", upstream.url("/acme/notes")], directory);
    expect(code).toBe(2);
    expect(stderr).toContain("vitrine.config.json already exists; not changed");
    expect(await readdir(directory)).toEqual(["vitrine.config.json"]);
    expect(upstream.requests).toEqual([]);
  });

  test.for([
    [["--from", "githup", "acme/notes"], /"githup" is not one of github, gitea, gitlab/],
    [["--from", "github"], /--from github needs OWNER\/REPO or the URL of a repository/],
    [["--from", "gitea", "acme/notes"], /--from gitea needs the URL of a repository/],
    [["--from", "github", "notes"], /--from github needs OWNER\/REPO/],
    [["--from", "github", "acme/no tes"], /github\.com\/acme\/no tes is not the name of a repository/],
    [["--from", "https://git.acme.com/acme/notes"], /git\.acme\.com is not a known host: name its kind/],
    [["--from", "http://github.com/acme/notes"], /the URL must be https/],
    [["--from", "https://me:hunter2@github.com/acme/notes"], /the URL must be https, without user name/],
    [["--from", "github", "github.com/acme/notes"], /--from github needs OWNER\/REPO or the URL of a repository/],
    [["acme/notes"], /"acme\/notes" needs --from, such as --from github acme\/notes/],
    [["https://codeberg.org/acme/notes"], /needs --from, such as --from https:\/\/codeberg.org\/acme\/notes/],
  ] as const)("refuses %j", async ([words, message]) => {
    const directory = await temporaryDirectory();
    await expect(runInProcess(["init", ...words], directory)).rejects.toThrow(message);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("the sample facts of init", () => {
  const WARNING =
    /! still the sample facts of "init": plans, macos, windows, api\.name, api\.description; replace them with your own/;
  const PUBLISHED =
    /! the sample facts of "init" are published as yours: (?<names>.*); replace .*, then: npm run collect$/m;

  test.runIf(isIn("check"))(
    "are warned of by check and as long as they are published, and are replaced by one collection",
    async () => {
      const directory = await temporaryDirectory();
      const write = (name: string, value: object) => writeFile(join(directory, "product", name), JSON.stringify(value));
      await runInProcess(["init"], directory);
      expect(await runInProcess(["check"], directory)).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(WARNING),
      });
      const collect = async () => {
        const { code, stderr } = await runInProcess(["collect"], directory);
        return { code, samples: PUBLISHED.exec(stderr)?.groups?.names };
      };
      expect(await collect()).toEqual({ code: 0, samples: "plans, macos, windows" });
      const server = await startInProcess(["serve"], { directory });
      await expect.poll(server.errors).toMatch(PUBLISHED);
      expect(await server.stop()).toBe(0);

      await write("plans.json", vendorPlans());
      expect((await runInProcess(["check"], directory)).stderr).toContain(
        "macos, windows, api.name, api.description; replace",
      );
      // Not any more in the sources, but still in the store.
      await write("releases.json", { macos: "broken" });
      expect(await collect()).toEqual({ code: 1, samples: "macos, windows" });
      await write("releases.json", vendorReleases());
      expect((await runInProcess(["check"], directory)).stderr).toContain(
        'of "init": api.name, api.description; replace',
      );
      expect(await collect()).toEqual({ code: 0, samples: undefined });
    },
  );

  test.runIf(isIn("check"))("are recognized however they are written, and by the link of an installer", async () => {
    const directory = await temporaryDirectory();
    await runInProcess(["init"], directory);
    const plans = join(directory, "product/plans.json");
    const { currency, ...rest } = JSON.parse(await readFile(plans, "utf8")) as Record<string, unknown>;
    await writeFile(plans, JSON.stringify({ ...rest, note: "dropped", currency }));
    const releases = join(directory, "product/releases.json");
    await writeFile(releases, (await readFile(releases, "utf8")).replaceAll(/"4\.2\.\d"/g, '"1.0.0"'));
    expect((await runInProcess(["check"], directory)).stderr).toMatch(WARNING);
  });

  test("are also the demo's, which causes no warning", async () => {
    const directory = await temporaryDirectory();
    expect((await runInProcess(["collect", "--demo"], directory)).stderr).toBe("");
  });
});

test("init never overwrites", async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, "product"));
  await writeFile(join(directory, "product/plans.json"), "mine");
  expect((await typeInProcess(["init"], { directory })).code).toBe(0);
  expect(await readFile(join(directory, "product/plans.json"), "utf8")).toBe("mine");
});

test.runIf(isIn("redis"))(
  "the name that init writes for everybody names no product: two vendors who keep it cannot share a store",
  async () => {
    const directory = await temporaryDirectory();
    await typeInProcess(["init"], { directory });
    const settings = JSON.parse(await readFile(join(directory, "vitrine.config.json"), "utf8")) as object;
    expect(settings).toMatchObject({ api: { name: "My product" } });
    expect(settings).not.toHaveProperty("product");
    const environment = { SNAPSHOTS: "redis://127.0.0.1:1/0/acme" };
    const { code, stderr } = await typeInProcess(["collect"], { directory, environment });
    expect(code).toBe(2);
    expect(stderr).toContain("product   is missing");
  },
);

test("samples that were looked at first stay nobody's, whatever the product is called later", async () => {
  const directory = await temporaryDirectory();
  await typeInProcess(["init"], { directory });
  expect((await typeInProcess(["collect"], { directory })).code).toBe(0);
  const file = join(directory, "vitrine.config.json");
  const settings = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...settings, api: { name: "Acme Notes" }, product: "notes" }));
  expect((await typeInProcess(["collect"], { directory })).code).toBe(0);
});
