// `vitrine collect` as an operator or a scheduler runs it: exit codes, a line for each source, no secret anywhere.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { launch, vitrine } from "./_run.ts";
import { settingsDirectory } from "./_settings.ts";
import { body, json, redirect, stalledAfter, startUpstream, status, type Upstream } from "./_upstream.ts";
import { vendorPlans, vendorReleases } from "./_vendor.ts";

const stalled = stalledAfter("");

/** An upstream where all is well, and the settings that collect from it. */
async function startVendor(source: object = {}) {
  const upstream = await startUpstream();
  upstream.set("/plans", json(vendorPlans()));
  upstream.set("/releases", json(vendorReleases()));
  const from = (path: string) => ({ from: "json", url: upstream.url(path), timeout: "20s", ...source });
  const settings = { plans: from("/plans"), releases: from("/releases") };
  const directory = await settingsDirectory(settings);
  return { upstream, settings, directory, facts: join(directory, "facts") };
}

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

test("all sources well: a line for each, exit 0, and again with nothing changed", async () => {
  const { directory, facts } = await startVendor();
  const first = await vitrine(["collect"], { directory });
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(lines(first.stdout).toSorted()).toEqual([
    expect.stringMatching(/^ {2}✔ macos +3\.1\.0 +changed +\d+ ms$/),
    expect.stringMatching(/^ {2}✔ plans +2 plans, 2 cycles +changed +\d+ ms$/),
    expect.stringMatching(/^ {2}✔ windows +3\.1\.0 +changed +\d+ ms$/),
  ]);
  expect(await readdir(facts)).toEqual(expect.arrayContaining(["plans.json", "release-macos.json"]));
  const second = await vitrine(["collect"], { directory });
  expect(second.code).toBe(0);
  expect(lines(second.stdout).filter((line) => line.includes(" confirmed "))).toHaveLength(3);
});

test("one source fails: exit 1, a line that says why, and the others published", async () => {
  const { upstream, directory, facts } = await startVendor();
  upstream.set("/plans", status(403));
  const { code, stdout, stderr } = await vitrine(["collect"], { directory });
  expect(code).toBe(1);
  expect(lines(stdout + stderr)).toHaveLength(3);
  expect(stdout + stderr).toMatch(/^ {2}✖ plans +failed: answered 403; its last snapshot is kept$/m);
  const published = (await readdir(facts)).filter((name) => /^[a-z-]+\.json$/.test(name) && name !== "last-run.json");
  expect(published.toSorted()).toEqual(["release-macos.json", "release-windows.json"]);
});

describe("settings that cannot be used", () => {
  async function refused(settings: object, environment = {}): Promise<string> {
    const directory = await settingsDirectory(settings);
    const { code, stdout, stderr } = await vitrine(["collect"], { directory, environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(await readdir(directory)).toEqual(["vitrine.config.json"]);
    return stderr;
  }

  test("are refused with every problem at once, and what was probably meant", async () => {
    const plans = { from: "json", url: "http://get.example.com/plans", tiemout: "5s" };
    const stderr = await refused({
      plans,
      releases: { from: "file", path: "" },
      staleAfter: "15 minutes",
      schedule: "sometimes",
      shedule: "* * * * *",
    });
    expect(stderr).toMatch(/ has 6 problems$/m);
    expect(stderr).toMatch(/^ {2}shedule +unknown setting; did you mean "schedule"\?$/m);
    expect(stderr).toMatch(/^ {2}plans\.tiemout +unknown setting; did you mean "timeout"\?$/m);
    expect(stderr).toMatch(/^ {2}plans\.url +must be an https URL/m);
    expect(stderr).toMatch(/^ {2}releases\.path +/m);
    expect(stderr).toMatch(/^ {2}staleAfter +.*"15 minutes".*or set STALE_AFTER$/m);
    expect(stderr).toMatch(/^ {2}schedule +/m);
  });

  test("because of variables name each of them, and never what is in them", async () => {
    const settings = (plans: object, releases: object) => ({
      plans: { from: "json", url: "https://a.example/", headers: plans },
      releases: { from: "json", url: "https://a.example/", headers: releases },
    });
    const missing = settings({ "x-one": "$KEY_ONE", "x-two": "$KEY_TWO" }, { authorization: "Bearer $KEY_THREE" });
    const unfit = settings({ "x-one": "$KEY_ONE" }, {});
    const [unset, odd] = await Promise.all([
      refused(missing, { KEY_THREE: "" }),
      refused(unfit, { KEY_ONE: "xyzzy\r\nx-injected: 1" }),
    ]);
    for (const name of ["ONE", "TWO", "THREE"]) {
      expect(unset).toContain(`the environment variable KEY_${name} is not set`);
    }
    expect(odd).toContain("the environment variable KEY_ONE has characters that no header can carry");
    expect(odd).not.toContain("xyzzy");
  });

  test("do not repeat what may be a secret: a password in an address, a header of whatever kind", async () => {
    const odd = [
      { url: "https://me:xyzzy@a.example/" },
      { url: "https://a.example/", headers: { "x-key": ["xyzzy"] } },
      { url: "https://a.example/", headers: { "x-key": "xyzzy\n" } },
      { url: "https://a.example/", headers: "x-key: xyzzy" },
    ];
    const releases = { from: "file", path: "releases.json" };
    const reports = odd.map((source) => refused({ plans: { from: "json", ...source }, releases }));
    for (const report of await Promise.all(reports)) expect(report).not.toContain("xyzzy");
  });
});

test("a run beside a running one does nothing and exits 75; SIGTERM ends the first, which publishes nothing", async () => {
  const { upstream, directory, facts } = await startVendor();
  for (const path of ["/plans", "/releases"]) upstream.set(path, stalled);
  const first = launch("cli/main.ts", ["collect"], { directory });
  await upstream.requested(2);
  const before = await readdir(facts);
  const second = await vitrine(["collect"], { directory });
  expect(second.code).toBe(75);
  expect(lines(second.stdout + second.stderr)).toEqual([expect.stringContaining("another collector is at work")]);
  expect([await readdir(facts), upstream.requests.length]).toEqual([before, 2]);

  const { code, stdout } = await first.stop("SIGTERM");
  expect(code).toBe(1);
  expect(lines(stdout)).toHaveLength(3);
  expect((await readdir(facts)).filter((name) => /^(plans|release)/.test(name))).toEqual([]);
});

describe("collect --watch", () => {
  test("runs at the start and on every slot, and SIGTERM ends it with 0", async () => {
    const { directory } = await startVendor();
    const environment = { SCHEDULE: "* * * * * *" };
    const watching = launch("cli/main.ts", ["collect", "--watch"], { directory, environment });
    await watching.printed(/(.* changed .*\n){3}/);
    await watching.printed(/(.* confirmed .*\n){3}/);
    expect(await watching.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
  });

  test("goes on after a failure, and SIGTERM ends a run under way without a trace", async () => {
    const { upstream, directory, facts } = await startVendor();
    upstream.set("/plans", status(403));
    const environment = { SCHEDULE: "* * * * * *" };
    const watching = launch("cli/main.ts", ["collect", "--watch"], { directory, environment });
    await watching.printed(/plans +failed: answered 403/);
    upstream.set("/plans", json(vendorPlans()));
    await watching.printed(/plans +2 plans.* changed/);
    const hanging = ["/plans", "/releases"].map(
      (path) => new Promise<void>((hang) => upstream.set(path, () => hang())),
    );
    await Promise.all(hanging);
    const snapshot = await readFile(join(facts, "plans.json"), "utf8");
    expect(await watching.stop("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(join(facts, "plans.json"), "utf8")).toBe(snapshot);
  });
});

test("Ctrl+C in the middle of the first run is an orderly end, too", async () => {
  const { upstream, directory } = await startVendor();
  for (const path of ["/plans", "/releases"]) upstream.set(path, stalled);
  const watching = launch("cli/main.ts", ["collect", "--watch"], { directory });
  await upstream.requested(1);
  expect(await watching.stop("SIGINT")).toMatchObject({ code: 0, stderr: "" });
});

describe("an upstream that means harm", () => {
  test("with a link of a million number signs is refused", { timeout: 10_000 }, async () => {
    const { upstream, directory } = await startVendor();
    const { macos, windows } = vendorReleases();
    const downloadURL = `https://get.example.com/${"#".repeat(1_000_000)}`;
    upstream.set("/releases", json({ macos: { ...macos, latest: { ...macos.latest, downloadURL } }, windows }));
    const { code, stdout } = await vitrine(["collect"], { directory });
    expect(code).toBe(1);
    expect(stdout).toMatch(/macos +failed: latest\.downloadURL: .*\n/);
    expect(stdout).toMatch(/windows +3\.1\.0 /);
  });

  test("with hundreds of thousands of empty plans does not take the computer's memory", async () => {
    const { upstream, directory } = await startVendor();
    upstream.set("/plans", body(`{"currency":"EUR","cycles":[],"plans":[${"{},".repeat(300_000)}{}]}`));
    const environment = { NODE_OPTIONS: "--max-old-space-size=256" };
    const { code, stdout } = await vitrine(["collect"], { directory, environment });
    expect(code).toBe(1);
    expect(stdout).toMatch(/plans +failed: .{8,400}; its last snapshot is kept\n/);
    expect(stdout).toMatch(/windows +3\.1\.0 /);
  });
});

describe("secrets and private values", () => {
  const SECRET = "s3cret-xyzzy-value";
  const headers = { "x-api-key": "$UPSTREAM_KEY", authorization: "Bearer $UPSTREAM_KEY" };
  const environment = { UPSTREAM_KEY: SECRET };

  /** Everything that an operator can see after a run that ends so. */
  async function everythingShown({ directory, facts }: { directory: string; facts: string }, exit: number) {
    const command = (...words: string[]) => vitrine(words, { directory, environment });
    const [collected, checked] = await Promise.all([command("collect"), command("check")]);
    expect([collected.code, checked.code]).toEqual([exit, 0]);
    const files = (await readdir(facts)).map((name) => readFile(join(facts, name), "utf8"));
    return {
      ...collected,
      all: JSON.stringify([collected, checked, await Promise.all([command("status", "--json"), ...files])]),
    };
  }

  function expectSent({ requests }: Upstream): void {
    expect(requests).toHaveLength(2);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ "x-api-key": SECRET, authorization: `Bearer ${SECRET}` });
    }
  }

  test("reach the upstream, or stay there, when all is well", async () => {
    const { upstream, ...places } = await startVendor({ headers });
    const { macos, windows } = vendorReleases();
    upstream.set("/plans", json({ ...vendorPlans(), "private-xyzzy": { margin: "xyzzy" } }, { "x-trace": "xyzzy" }));
    upstream.set("/releases", json({ macos: { ...macos, xyzzy: 1 }, windows, other: "xyzzy" }));
    const { stdout, all } = await everythingShown(places, 0);
    expect(stdout).toMatch(/plans .* 1 unlisted field dropped$/m);
    expectSent(upstream);
    expect(all).not.toContain("xyzzy");
  });

  test("are not in the errors of an upstream that refuses, or answers with something else", async () => {
    const { upstream, ...places } = await startVendor({ headers });
    upstream.set("/plans", (request, response) =>
      status(401, { "www-authenticate": "xyzzy" }, JSON.stringify(request.headers))(request, response),
    );
    upstream.set("/releases", body(`{"xyzzy": ${SECRET}`, { "content-type": "application/xyzzy" }));
    const { all } = await everythingShown(places, 1);
    expectSent(upstream);
    expect(all).not.toContain("xyzzy");
  });

  test("are not in the errors of an upstream that says the wrong things, or points elsewhere", async () => {
    const { upstream, ...places } = await startVendor({ headers });
    const { plans, ...rest } = vendorPlans();
    const odd = { id: "xyzzy!", popular: "xyzzy", prices: { "xyzzy ": "xyzzy" }, xyzzy: "xyzzy" };
    upstream.set("/plans", json({ ...rest, currency: "xyzzy\n", plans: [...plans, odd] }));
    upstream.set("/releases", redirect("https://xyzzy:xyzzy@xyzzy.example/xyzzy"));
    const { all } = await everythingShown(places, 1);
    expectSent(upstream);
    expect(all).not.toContain("xyzzy");
  });
});
