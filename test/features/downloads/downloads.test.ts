// Links to the installers and their checksums: they lead where the fact does, and no longer than it is one.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import type { Platform, ReleaseFile } from "../../../snapshots/schema.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { startCollector } from "../../support/collecting/collector.ts";
import { json } from "../../support/collecting/upstream.ts";
import { vendorRelease } from "../../support/collecting/vendor.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { onPosix } from "../../support/on-posix.ts";
import { freePort } from "../../support/port.ts";
import { call } from "../../support/serving/mcp.ts";
import { visibleText } from "../../support/serving/page.ts";
import { allSnapshots, ask, noRelease, startServer } from "../../support/serving/server.ts";
import { NOW, releaseSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const MACOS = "https://downloads.example.com/notes-macos.zip";
const WINDOWS = "https://downloads.example.com/notes-windows.zip";
const PAGE = "https://facts.example.org/notes/#downloads";
const api = { baseUrl: "https://facts.example.org/notes" };
const server = await startServer({ api, port: await freePort(), onFinished: afterAll });
const withoutWindows = await startServer({
  api,
  port: await freePort(),
  snapshots: [noRelease("windows")],
  onFinished: afterAll,
});

const CHROME_ON_MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const FIREFOX_ON_WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";

describe("the link of a platform (server/features/downloads/downloads.ts)", () => {
  test.for([
    ["/download/macos", MACOS],
    ["/download/windows/?utm_source=mail", WINDOWS],
  ] as const)("leads to the installer, for GET and HEAD, on any condition: %s", async ([path, location]) => {
    for (const method of ["GET", "HEAD"]) {
      for (const headers of [{}, { "if-none-match": "*", "accept-encoding": "br" }]) {
        const answer = await ask(server.port, path, { method, headers });
        expect(answer).toMatchObject({ status: 302, text: "", headers: { location, "content-length": "0" } });
      }
    }
  });

  test("may be cached as long as the fact, and no longer", async () => {
    const own = await startServer();
    const cacheControl = async (path: string) => (await own.get(path)).headers["cache-control"];
    for (const left of [DAY, 30_500, 1_000]) {
      own.clock.pass(NOW + DAY - left - own.clock.wall());
      expect(await cacheControl("/download/macos")).toBe(await cacheControl("/api/v1/releases/latest"));
    }
    expect(await cacheControl("/download/macos")).toMatch(/^public, max-age=0,/);
    own.clock.pass(1_000);
    const { status, headers, text } = await own.get("/download/macos");
    expect([status, headers["cache-control"], headers.location]).toEqual([502, "no-store", undefined]);
    expect(text).toBe((await own.get("/api/v1/releases/latest")).text);
  });

  test("is 404 when no release is published, 502 when that is unknown, and follows the next release", async () => {
    const own = await startServer({ snapshots: [noRelease("windows")] });
    expect(await own.get("/download/windows")).toMatchObject({
      status: 404,
      headers: { "cache-control": "no-store" },
      text: '{"error":"No release is published for Windows."}',
    });
    expect((await own.get("/download/macos")).status).toBe(502);
    await own.publish(releaseSnapshot("windows", { revision: 2, confirmedAt: NOW + 1 }));
    await own.refresh();
    expect((await own.get("/download/windows")).headers.location).toBe(WINDOWS);
  });

  test("is a page for people in a browser when no release is published", async () => {
    const { status, headers, text } = await withoutWindows.get("/download/windows", { accept: "text/html" });
    expect([status, headers.vary, headers["cache-control"]]).toEqual([404, "Accept", "no-store"]);
    expect(visibleText(text)).toContain("404 No release is published for Windows.");
  });
});

test("no other method is answered, and no other platform", async () => {
  for (const path of ["/download", "/download/macos"]) {
    const allow = "GET, HEAD, OPTIONS";
    expect(await ask(server.port, path, { method: "POST" })).toMatchObject({ status: 405, headers: { allow } });
    expect(await ask(server.port, path, { method: "OPTIONS" })).toMatchObject({ status: 204, headers: { allow } });
  }
  expect((await server.get("/download/linux")).status).toBe(404);
});

describe("/download leads to", () => {
  const AGENTS: [client: string, location: string, userAgent: string | undefined][] = [
    ["Chrome on a Mac", MACOS, CHROME_ON_MAC],
    ["Firefox on Windows", WINDOWS, FIREFOX_ON_WINDOWS],
    ["PowerShell", WINDOWS, "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1"],
    ["an iPhone", PAGE, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1"],
    ["an Xbox", PAGE, "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) Edge/44.19041"],
    ["Linux", PAGE, "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
    ["curl", PAGE, "curl/8.11.0"],
    ["a client without a name", PAGE, undefined],
  ];

  test.for(AGENTS)("the installer or the page's downloads, and no cache keeps it: %s", async ([, location, agent]) => {
    for (const path of ["/download", "/download/?x=1"]) {
      const { status, headers } = await server.get(path, agent === undefined ? {} : { "user-agent": agent });
      expect([status, headers.location]).toEqual([302, location]);
      expect(headers).toMatchObject({ vary: "User-Agent", "cache-control": "no-store" });
    }
  });

  test("the page where no release is published; where that is unknown, it is 502", async () => {
    const { get } = withoutWindows;
    expect((await get("/download", { "user-agent": FIREFOX_ON_WINDOWS })).headers.location).toBe(PAGE);
    expect(await get("/download", { "user-agent": CHROME_ON_MAC })).toMatchObject({
      status: 502,
      headers: { vary: "User-Agent, Accept", "cache-control": "no-store", "retry-after": "60" },
    });
  });

  test("what the first 512 characters of a User-Agent name, however long it is", async () => {
    for (const [length, location] of [
      [500, WINDOWS],
      [513, PAGE],
      [15_000, PAGE],
    ] as const) {
      const agent = "Windows NT".padStart(length, "a");
      expect((await server.get("/download", { "user-agent": agent })).headers.location).toBe(location);
    }
  });

  test("a part of the page that exists", async () => {
    expect((await server.get("/")).text).toMatch(/ id="?downloads"?[ >]/);
  });
});

/** A release with these installers beside the one of the snapshot, of which `own` is stated. */
function releaseWith(platform: Platform, own: Partial<ReleaseFile>, others: readonly ReleaseFile[] = []) {
  const url = platform === "macos" ? MACOS : WINDOWS;
  return { ...releaseSnapshot(platform), files: [{ url, ...own }, ...others] };
}

const SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const SHA512 = SHA256.repeat(2);
const INTEL = { url: "https://downloads.example.com/%C3%9Cbung%20x64.dmg", arch: "x64", sha512: SHA512 } as const;

describe("the link of a processor", () => {
  const PATHS = ["macos/arm64", "macos/x64", "windows/x64", "windows/arm64", "windows/ia32"];
  const NONE = [404, 404, 404, 404, 404];
  const CASES: [installers: string, snapshots: Snapshot[], locations: unknown[]][] = [
    [
      "one for each",
      [
        releaseWith("macos", { arch: "arm64" }, [INTEL]),
        releaseWith("windows", { arch: "x64" }, [{ url: `${WINDOWS}?arm`, arch: "arm64" }]),
      ],
      [MACOS, INTEL.url, WINDOWS, `${WINDOWS}?arm`, 404],
    ],
    [
      "one for all",
      [releaseWith("macos", { arch: "universal" }), releaseWith("windows", { arch: "universal" })],
      [MACOS, MACOS, WINDOWS, WINDOWS, WINDOWS],
    ],
    ["one for all and a better one", [releaseWith("macos", { arch: "universal" }, [INTEL])], [MACOS, INTEL.url, 502]],
    ["one whose processor nobody knows", [releaseWith("macos", {}), releaseWith("windows", {})], NONE],
    ["a snapshot of an earlier version", [releaseSnapshot("macos"), releaseSnapshot("windows")], NONE],
  ];

  test.for(CASES)("leads to %s", async ([, snapshots, locations]) => {
    const { get } = await startServer({ api, port: await freePort(), snapshots });
    for (const [index, expected] of locations.entries()) {
      const { status, headers, text } = await get(`/download/${PATHS[index]}`);
      expect(headers.location ?? status, PATHS[index]).toBe(expected);
      if (status !== 404) continue;
      const [platform = ""] = PATHS[index]?.split("/") ?? [];
      expect(text).toContain(`https://facts.example.org/notes/download/${platform}"`);
      expect((await get(`/download/${platform}`)).status).toBe(302);
    }
  });

  test("does what the link of a platform does: HEAD, no other method, pages for people, 502, and no release", async () => {
    const snapshots = [releaseWith("macos", { arch: "arm64" }), noRelease("windows")];
    const own = await startServer({ api, port: await freePort(), snapshots });
    const arm = "/download/macos/arm64";
    expect(await ask(own.port, arm, { method: "HEAD" })).toMatchObject({ status: 302, headers: { location: MACOS } });
    expect(await ask(own.port, arm, { method: "POST" })).toMatchObject({ status: 405 });
    expect((await own.get(arm)).headers["cache-control"]).toBe(
      (await own.get("/download/macos")).headers["cache-control"],
    );
    const page = await own.get("/download/macos/x64", { accept: "text/html" });
    expect([page.status, page.headers["cache-control"]]).toEqual([404, "no-store"]);
    expect(visibleText(page.text)).toContain("No installer for macOS is known to be for x64.");
    expect((await own.get("/download/windows/ia32")).text).toContain("No release is published for Windows.");
    expect((await own.get("/download/macos/ia32")).text).toContain("There is nothing at this address");
    own.clock.pass(DAY);
    expect(await own.get(arm)).toMatchObject({ status: 502, headers: { "retry-after": "60" } });
  });
});

describe("a checksum", () => {
  test("is one line of sha256sum, cached as the link, and 404 where none is known", async () => {
    const snapshots = [releaseWith("macos", { arch: "arm64", sha256: SHA256 }, [INTEL])];
    const own = await startServer({ snapshots });
    const { "cache-control": caching } = (await own.get("/download/macos")).headers;
    for (const path of ["/download/macos.sha256", "/download/macos/arm64.sha256"]) {
      expect(await own.get(path)).toMatchObject({
        status: 200,
        headers: { "content-type": "text/plain; charset=utf-8", "cache-control": caching },
        text: `${SHA256}  notes-macos.zip\n`,
      });
    }
    expect((await own.get("/download/macos/x64.sha512")).text).toBe(`${SHA512}  Übung x64.dmg\n`);
    expect(await ask(own.port, "/download/macos/x64.sha512", { method: "HEAD" })).toMatchObject({
      status: 200,
      text: "",
    });
    for (const path of ["/download/macos.sha512", "/download/macos/x64.sha256"]) {
      expect(await own.get(path)).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
    }
    expect((await own.get("/download/windows.sha256")).status).toBe(502);
    own.clock.pass(DAY);
    expect((await own.get("/download/macos.sha256")).status).toBe(502);
  });

  test.for([
    ["a%0Ab%2Fc.dmg", "a%0Ab%2Fc.dmg"],
    ["a%5Cb.dmg", "a%5Cb.dmg"],
    ["%E2%80%AEgmd.exe", "%E2%80%AEgmd.exe"],
    ["%E0%A4", "%E0%A4"],
    ["get?file=x.dmg", "get"],
    ["", "installer"],
  ])("is of one file on one line: %j", async ([segment, name]) => {
    const url = `https://downloads.example.com/${segment}`;
    const { get } = await startServer({
      snapshots: [releaseWith("macos", {}, [{ url, arch: "x64", sha256: SHA256 }])],
    });
    expect((await get("/download/macos/x64.sha256")).text).toBe(`${SHA256}  ${name}\n`);
  });

  test.for(onPosix("sha256", "sha512"))("is what %ssum checks a download with", async (kind) => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "notes-macos.zip"), "the installer");
    const sum = createHash(kind).update("the installer").digest("hex");
    const { get } = await startServer({ snapshots: [releaseWith("macos", { [kind]: sum })] });
    const input = (await get(`/download/macos.${kind}`)).text;
    const said = execFileSync(`${kind}sum`, ["-c"], { cwd: directory, input, encoding: "utf8" });
    expect(said).toBe("notes-macos.zip: OK\n");
  });
});

test("another installer lends its checksum to the link of the release nowhere, wherever it is in the list", async () => {
  for (const isListed of [false, true]) {
    const { files, ...release } = releaseWith("macos", { sha512: SHA256.repeat(2).replace("e3", "00") }, [INTEL]);
    const own = await startServer({ snapshots: [{ ...release, files: isListed ? files.toReversed() : [INTEL] }] });
    const [sum, sha512] = [await own.get("/download/macos.sha512"), files[0]?.sha512 ?? ""];
    expect([sum.status, sum.text.startsWith(sha512)]).toEqual([isListed ? 200 : 404, isListed]);
    const args = { name: "get_latest_version", arguments: { platform: "macos" } };
    const { result } = (await call(own.port, "tools/call", args)) as { result: { content: unknown } };
    const pages = [await own.get("/"), await own.get("/", { accept: "text/markdown" })].map(({ text }) => text);
    for (const text of [JSON.stringify(result.content), ...pages]) {
      expect([text.includes(sha512), text.includes(SHA512)]).toEqual([isListed, false]);
      expect(text).toContain(INTEL.url);
    }
  }
});

test("all links are the same at the edge", async () => {
  const snapshots = [releaseWith("macos", { arch: "arm64", sha256: SHA256 }, [INTEL]), releaseSnapshot("windows")];
  const own = await startServer({ api, port: await freePort(), snapshots });
  const get = (key: string) => readFile(join(own.directory, key)).catch(() => undefined);
  const edge = createHandler({ store: { get }, base: api.baseUrl }, own.clock);
  for (const path of [
    "macos/arm64",
    "macos/x64",
    "macos/x64.sha512",
    "macos.sha512",
    "windows/x64",
    "windows.sha256",
  ]) {
    const here = await own.get(`/download/${path}`);
    const there = await edge(new Request(`${api.baseUrl}/download/${path}`));
    expect([there.status, there.headers.get("location") ?? undefined, await there.text()]).toEqual([
      here.status,
      here.headers.location,
      here.text,
    ]);
  }
});

test("a followed server and a last copy have them, too", async () => {
  const snapshots = [releaseWith("macos", { arch: "arm64", sha256: SHA256 }, [INTEL]), ...allSnapshots().slice(2)];
  const origin = await startServer({ snapshots, share: true });
  const copy = openStore(await temporaryDirectory());
  const follower = await startServer({ store: openReader(`${origin.base}/snapshots/`), lastCopy: copy });
  expect((await follower.get("/download/macos.sha256")).text).toBe(`${SHA256}  notes-macos.zip\n`);
  await expect.poll(() => copy.get("release-macos.json")).toBeDefined();
  const alone = await startServer({ snapshots: [], lastCopy: copy });
  expect((await alone.get("/download/macos/x64")).headers.location).toBe(INTEL.url);
});

test("what the upstream says is served: a corrected checksum under the same bytes of the fact", async () => {
  const vendor = await startCollector({ perPlatform: true });
  const { latest, ...rest } = vendorRelease("macos");
  const state = async (sha256: string, now: number) => {
    vendor.upstream.set("/macos", json({ ...rest, latest: { ...latest, sha256 } }));
    return (await vendor.run({ now: () => now, staleAfter: DAY }))["release-macos"].result;
  };
  expect(await state(SHA256.toUpperCase(), NOW - 2)).toBe("changed");
  const server = await startServer({ store: vendor.store });
  const fact = (await server.get("/api/v1/releases/latest")).text;
  expect((await server.get("/download/macos.sha256")).text).toBe(`${SHA256}  studio-macos.zip\n`);
  const corrected = SHA256.replace("e3", "00");
  expect(await state(corrected, NOW - 1)).toBe("confirmed");
  await server.refresh();
  expect((await server.get("/download/macos.sha256")).text).toBe(`${corrected}  studio-macos.zip\n`);
  expect((await server.get("/")).text).toContain(corrected);
  const told = await call(server.port, "tools/call", { name: "get_latest_version", arguments: { platform: "macos" } });
  expect(JSON.stringify(told)).toContain(`SHA-256 of the installer: ${corrected}`);
  expect((await server.get("/api/v1/releases/latest")).text).toBe(fact);
});
