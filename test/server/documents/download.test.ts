// Links to the installers: they lead where the fact does, and no longer than it is one.
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/port.ts";
import { visibleText } from "../../support/serving/page.ts";
import { ask, noRelease, startServer } from "../../support/serving/server.ts";
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

describe("the link of a platform", () => {
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
  for (const path of ["/download", "/download/macos", "/badge/macos.svg"]) {
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
