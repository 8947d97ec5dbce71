// Neither refused settings nor secrets that are sent appear in any output.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { typeInProcess } from "../support/program/in-process.ts";
import { vitrine } from "../support/program/run.ts";
import { settingsDirectory, startVendor } from "../support/program/settings.ts";
import { body, json, redirect, status, type Upstream } from "../support/collecting/upstream.ts";
import { vendorPlans, vendorReleases } from "../support/collecting/vendor.ts";

describe("settings that cannot be used", () => {
  async function refused(settings: object, environment = {}): Promise<string> {
    const directory = await settingsDirectory(settings);
    const { code, stdout, stderr } = await typeInProcess(["collect"], { directory, environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(await readdir(directory)).toEqual(["vitrine.config.json"]);
    return stderr;
  }

  test("are refused with every problem at once, and suggestions", async () => {
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

  test("because of environment variables name each of them, never their values", async () => {
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
    expect(odd).toContain("the environment variable KEY_ONE contains characters that a header cannot");
    expect(odd).not.toContain("xyzzy");
  });

  test("do not repeat possible secrets: a password in a URL, any header", async () => {
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

describe("secrets and private values", () => {
  const SECRET = "s3cret-xyzzy-value";
  const headers = { "x-api-key": "$UPSTREAM_KEY", authorization: "Bearer $UPSTREAM_KEY" };
  const environment = { UPSTREAM_KEY: SECRET };

  /** All output of a run that ends this way. */
  async function everythingShown({ directory, facts }: { directory: string; facts: string }, exit: number) {
    const [collected, checked] = await Promise.all([
      vitrine(["collect"], { directory, environment }),
      typeInProcess(["check"], { directory, environment }),
    ]);
    expect([collected.code, checked.code]).toEqual([exit, 0]);
    const names = (await readdir(facts, { recursive: true })).filter((name) => name !== "history");
    const files = names.map((name) => readFile(join(facts, name), "utf8"));
    return {
      ...collected,
      all: JSON.stringify([
        collected,
        checked,
        await Promise.all([typeInProcess(["status", "--json"], { directory, environment }), ...files]),
      ]),
    };
  }

  function expectSent({ requests }: Upstream): void {
    expect(requests).toHaveLength(2);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ "x-api-key": SECRET, authorization: `Bearer ${SECRET}` });
    }
  }

  test("reach only the upstream, or stay there, in a successful run", async () => {
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

  test("are not in the errors of an upstream that answers wrongly or redirects elsewhere", async () => {
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
