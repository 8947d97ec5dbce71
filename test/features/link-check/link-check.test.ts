// The download link of a release is asked before it is published, and daily: no reader gets a link that is not for everyone.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../../../collector/outcome.ts";
import { readReport } from "../../../snapshots/records.ts";
import { statusOfStore } from "../../../snapshots/fact-state.ts";
import { startCollector, type RunChanges } from "../../support/collecting/collector.ts";
import { flooding, jsonWithEtag, json, raw, redirect, reset, status } from "../../support/collecting/upstream.ts";
import type { Behaviour } from "../../support/collecting/upstream.ts";
import { vendorReleases } from "../../support/collecting/vendor.ts";
import { isIn } from "../../support/program/feature.ts";
import { factsIn } from "../../support/snapshot.ts";

const MACOS = "/studio-macos.zip";
const WINDOWS = "/studio-windows.zip";
const HOST = "https://get.example.com";
const SIZE = Number(vendorReleases().macos.latest.size);
const HOUR = 60 * 60_000;
const HTML = { "content-type": "text/html; charset=utf-8" };

/** Answers a range as a file of this size does. */
function file(size: number): Behaviour {
  return (request, response) => {
    const isRange = request.headers.range === "bytes=0-0";
    const headers = isRange
      ? { "content-range": `bytes 0-0/${size}`, "content-length": 1 }
      : { "content-length": size };
    response.writeHead(isRange ? 206 : 200, headers).end("x");
  };
}

/** A vendor whose links lead to the upstream. `at`: hours since the first run. */
async function startVendor() {
  const vendor = await startCollector();
  const { upstream } = vendor;
  for (const path of [MACOS, WINDOWS]) upstream.set(path, file(SIZE));
  const began = Date.now() - 200 * HOUR;
  return {
    ...vendor,
    run: async (at = 0, changes: RunChanges = {}) => {
      const now = () => began + at * HOUR;
      const links = { standIns: { [HOST]: upstream.origin } };
      const outcomes = await vendor.run({ links, staleAfter: 90 * HOUR, now, ...changes });
      return outcomes["release-macos"];
    },
    asked: (path = MACOS) => upstream.requests.filter((request) => request.path === path).length,
    /** Publishes a newer release under another link. */
    release(changes: object = {}, path = "/studio-4.zip") {
      const { macos, windows } = vendorReleases();
      const latest = { ...macos.latest, version: "4.0.0", downloadURL: HOST + path, ...changes };
      upstream.set("/releases", json({ macos: { ...macos, latest }, windows }));
      return path;
    },
  };
}

const reasonOf = (outcome: Outcome) => ("reason" in outcome ? outcome.reason : undefined);
const notesOf = (outcome: Outcome) => ("notes" in outcome ? outcome.notes : undefined);

describe("a new link (collector/features/link-check/link-check.ts)", () => {
  test("is asked once for one byte, without any header of the source, and published", async () => {
    const { upstream, run, asked, store } = await startVendor();
    expect(await run()).toMatchObject({ result: "changed", notes: [] });
    expect([asked(), asked(WINDOWS)]).toEqual([1, 1]);
    const { headers } = upstream.requests.find(({ path }) => path === MACOS)!;
    expect(headers).toEqual({
      host: expect.anything(),
      connection: expect.anything(),
      "user-agent": "vitrine",
      range: "bytes=0-0",
      "accept-encoding": "identity",
    });
    expect((await readReport(factsIn(store)))?.outcomes.find(({ name }) => name === "release-macos")?.link?.state).toBe(
      "public",
    );
  });

  test("of both platforms is asked once", async () => {
    const { upstream, run, asked } = await startVendor();
    const { macos, windows } = vendorReleases();
    const { downloadURL } = macos.latest;
    upstream.set("/releases", json({ macos, windows: { ...windows, latest: { ...windows.latest, downloadURL } } }));
    await run();
    expect([asked(), asked(WINDOWS)]).toEqual([1, 0]);
  });

  test.for([401, 403, 404, 410])("that answers %i is not published, with or without an older fact", async (code) => {
    const { upstream, run, release, files, stored } = await startVendor();
    upstream.set(WINDOWS, status(code));
    await run();
    expect(Object.keys(await files())).toEqual(["plans.json", "release-macos.json"]);
    const before = await stored("release-macos");
    upstream.set(release(), status(code, HTML, "<h1>Sorry</h1>"));
    const outcome = await run(1);
    expect(outcome).toMatchObject({ result: "failed", isKept: true });
    expect(reasonOf(outcome)).toBe(
      `the link is not public: get.example.com, studio-4.zip: answered ${code} without credentials; make it public (files of a private repository are not), or set "checkLink": false if readers can open it`,
    );
    expect(await stored("release-macos")).toEqual(before);
  });

  test.for<[what: string, behaviour: Behaviour, reason: RegExp]>([
    ["503", status(503), /answered 503\b/],
    ["429", status(429, { "retry-after": "60" }), /answered 429\b/],
    ["nothing", reset(), /the connection failed/],
    ["no HTTP", raw("hello\r\n\r\n"), /the connection failed/],
    ["redirects without end", redirect("/studio-4.zip"), /more than 5 redirects/],
  ])(
    "that answers %s waits while there is a fact, and is published unchecked without one",
    async ([, behaviour, reason]) => {
      const { upstream, run, release, store, stored, asked } = await startVendor();
      await run();
      const path = release();
      upstream.set(path, behaviour);
      const waiting = await run(1);
      expect(waiting).toMatchObject({ result: "failed", isKept: true, reason: expect.stringMatching(reason) });
      expect(reasonOf(waiting)).toMatch(
        /^its link could not be checked: get\.example\.com, studio-4\.zip: .* set "checkLink": false /,
      );
      // The fact is stale.
      const published = await run(100);
      expect(published).toMatchObject({
        result: "changed",
        notes: [
          expect.stringMatching(
            /^its link could not be checked: .*; a later release is refused until its link can be: set /,
          ),
        ],
      });
      const { link } = (await statusOfStore(factsIn(store))).find(({ name }) => name === "release-macos")!;
      expect(link).toMatchObject({ state: "unanswered", reason: expect.stringMatching(reason) });
      const before = asked(path);
      expect(await run(100.1)).toMatchObject({ result: "confirmed" });
      expect(asked(path)).toBeGreaterThan(before);
      expect((await stored("release-macos")).payload).toMatchObject({ latest: { version: "4.0.0" } });
    },
  );

  test.for<[what: string, behaviour: Behaviour]>([
    ["Cloudflare's challenge", status(403, { ...HTML, "cf-mitigated": "challenge" })],
    ["AWS's challenge", status(202, { "x-amzn-waf-action": "challenge" })],
    [
      "Akamai's refusal",
      status(403, HTML, "<h1>Access Denied</h1> Reference&#32;&#35;18&#46;1 https://errors.edgesuite.net/18.1"),
    ],
    ["Imperva's refusal", status(403, HTML, '<iframe src="/_Incapsula_Resource?x=1">Request unsuccessful.</iframe>')],
    ["DataDome's challenge", status(401, { ...HTML, "x-datadome": "protected" })],
    ["a page for browsers while it is busy", status(503, HTML, "<script>window._cf_chl_opt={}</script>")],
    ["a redirect to this computer", redirect("http://127.0.0.1:1/")],
    ["a redirect without encryption", redirect("http://mirror.example.net/studio.zip")],
    ["418", status(418)],
  ])(
    "that answers %s cannot be checked: it is published with a note, and asked again the next day",
    async ([, behaviour]) => {
      const { upstream, run, release, asked } = await startVendor();
      await run();
      const path = release();
      upstream.set(path, behaviour);
      expect(await run(1)).toMatchObject({ result: "changed", link: { state: "unknown" } });
      expect(await run(20)).toMatchObject({ result: "confirmed", notes: [] });
      expect(asked(path)).toBe(1);
      expect(notesOf(await run(26))).toEqual([expect.stringMatching(/^its link could not be checked: /)]);
      expect(asked(path)).toBe(2);
    },
  );

  test("that leads to a page for signing in is not public", async () => {
    const { upstream, run, release } = await startVendor();
    await run();
    upstream.set(release(), redirect("/users/sign_in"));
    upstream.set("/users/sign_in", status(200, HTML, "<form>"));
    expect(reasonOf(await run(1))).toMatch(/^the link is not public: .* redirected to a page to sign in without/);
  });

  test("to a page is published with a note, and its length is no size of a file", async () => {
    const { upstream, run, release } = await startVendor();
    await run();
    upstream.set(release(), status(200, { ...HTML, "content-length": "4" }, "<p>a"));
    const guard = { confirm: 3, over: 0, releaseOver: 0, priceFactor: 5, off: [] };
    expect(await run(1, { guard })).toMatchObject({
      result: "changed",
      notes: ["its link leads to a web page: get.example.com, studio-4.zip"],
    });
  });

  test("is followed to another host, and a body of any length is left unread", async () => {
    const { upstream, run, release } = await startVendor();
    await run();
    upstream.set(release(), redirect(`${HOST}/mirror`));
    upstream.set("/mirror", flooding("HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(65_536)));
    expect(await run(1)).toMatchObject({ result: "changed", notes: [], link: { state: "public" } });
  });

  test.for(["http://127.0.0.1:1/a.zip", "https://dl.example/a.zip", "https://a.test/a.zip"])(
    "%s is not asked",
    async (link) => {
      const { run, release } = await startVendor();
      release({ downloadURL: link });
      expect(await run()).toMatchObject({ result: "changed", notes: [], link: undefined });
    },
  );

  test("is not asked without the setting", async () => {
    const { run, asked } = await startVendor();
    expect(await run(0, { links: undefined })).toMatchObject({ result: "changed", link: undefined });
    expect(asked()).toBe(0);
  });
});

describe("a file of another size", () => {
  const guard = { confirm: 3, over: 0, releaseOver: 0, priceFactor: 5, off: [] };
  const NOTE = `get.example.com, studio-4.zip has 17 bytes, not ${SIZE}`;

  test.runIf(isIn("guard")).for<[what: string, behaviour: Behaviour]>([
    ["by the range", file(17)],
    ["by the length", status(200, { "content-length": "17" }, "x".repeat(17))],
    ["by a range that it does not have", status(416, { "content-range": "bytes */17" })],
  ])("is held, %s, and published when it is accepted or seen again", async ([, behaviour]) => {
    const { upstream, run, release } = await startVendor();
    await run(0, { guard });
    upstream.set(release(), behaviour);
    const held = { result: "held", reason: expect.stringContaining("the file behind the link has another size (") };
    expect(await run(1, { guard })).toMatchObject(held);
    expect(await run(2, { guard })).toMatchObject(held);
    expect(await run(3, { guard })).toMatchObject({ result: "changed", notes: ["was held, and seen 3 times", NOTE] });
  });

  test("is published with a note when the guard or its reason is off, or without an older fact", async () => {
    const { upstream, run, release } = await startVendor();
    upstream.set(release(), file(17));
    expect(await run(0, { guard })).toMatchObject({ result: "changed", notes: expect.arrayContaining([NOTE]) });
    upstream.set(release({ version: "5.0.0" }, "/studio-5.zip"), file(17));
    expect(await run(1, { guard: { ...guard, off: ["size"] } })).toMatchObject({
      result: "changed",
      notes: [expect.stringContaining("has 17 bytes")],
    });
    upstream.set(release({ version: "6.0.0" }, "/studio-6.zip"), file(17));
    expect(await run(2, { guard: false })).toMatchObject({
      result: "changed",
      notes: [expect.stringContaining("has 17 bytes")],
    });
  });

  test("is not known of a compressed answer, nor without a size in the fact", async () => {
    const { upstream, run, release } = await startVendor();
    await run(0, { guard });
    upstream.set(release(), status(200, { "content-length": "17", "content-encoding": "gzip" }, "x".repeat(17)));
    expect(await run(1, { guard })).toMatchObject({ result: "changed", notes: [] });
    upstream.set(release({ size: "", version: "5.0.0" }, "/studio-5.zip"), file(17));
    expect(await run(2, { guard })).toMatchObject({ result: "changed", notes: [] });
  });

  test.runIf(isIn("guard"))("under the same link is noticed when the fact's size changes", async () => {
    const { run, release } = await startVendor();
    await run(0, { guard });
    release({ size: String(SIZE + 1) }, MACOS);
    expect(await run(1, { guard })).toMatchObject({ result: "held" });
  });
});

describe("a published link", () => {
  test("is asked daily, also if the source answers that nothing has changed", async () => {
    const { upstream, run, asked } = await startVendor();
    upstream.set("/releases", jsonWithEtag('"1"', vendorReleases()));
    await run();
    await run(23);
    expect(asked()).toBe(1);
    await run(25);
    expect(asked()).toBe(2);
    await run(48);
    expect(asked()).toBe(2);
  });

  test("that has died is no longer confirmed, is asked in each run, and confirmed again when it is back", async () => {
    const { upstream, run, asked, stored, store } = await startVendor();
    upstream.set("/releases", jsonWithEtag('"1"', vendorReleases()));
    await run();
    const { freshUntil } = await stored("release-macos");
    upstream.set(MACOS, status(404));
    expect(await run(25)).toMatchObject({ result: "failed", isKept: true });
    expect(await run(26)).toMatchObject({ result: "failed", isKept: true });
    expect(asked()).toBe(3);
    expect(await stored("release-macos")).toMatchObject({ freshUntil });
    const { link } = (await statusOfStore(factsIn(store))).find(({ name }) => name === "release-macos")!;
    expect(link?.state).toBe("dead");
    expect(
      Date.parse((await readReport(factsIn(store)))!.outcomes.find((one) => one.link?.state === "dead")!.link!.askedAt),
    ).toBe(Date.parse(link!.since) + HOUR);
    upstream.set(MACOS, file(SIZE));
    expect(await run(27)).toMatchObject({ result: "confirmed", notes: [] });
    expect((await statusOfStore(factsIn(store))).find(({ name }) => name === "release-macos")?.link).toBeUndefined();
  });

  test.for<[what: string, behaviour: Behaviour]>([
    ["cannot be reached", reset()],
    ["has a file of another size", file(17)],
  ])("that %s is confirmed with a note", async ([, behaviour]) => {
    const { upstream, run } = await startVendor();
    await run();
    upstream.set(MACOS, behaviour);
    expect(await run(25)).toMatchObject({ result: "confirmed", notes: [expect.stringContaining("studio-macos.zip")] });
  });

  test("is still known to be dead after a run without an answer of the source", async () => {
    const { upstream, run, directory } = await startVendor();
    await run();
    upstream.set(MACOS, status(404));
    await run(25);
    upstream.set("/releases", status(404));
    await run(26);
    expect(await readFile(join(directory, "last-run.json"), "utf8")).toContain('"state":"dead"');
  });
});
