// The REST surface as its clients meet it: statuses, headers and bytes, in good times and bad.
import { afterAll, describe, expect, test } from "vitest";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { ask, noRelease, startServer, type Reply } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const server = await startServer({ onFinished: afterAll });
const empty = await startServer({ snapshots: [], onFinished: afterAll });

const READS = [
  "/",
  "/api/v1",
  "/api/v1/plans",
  "/api/v1/releases/latest",
  "/openapi.json",
  "/healthz",
  "/readyz",
  "/startupz",
  "/status",
].filter(isServed);
const DATA = ["/api/v1/plans", "/api/v1/releases/latest", "/api/v1/releases/latest?platform=windows"];

/** Headers, without those of the connection. */
function headersOf({ headers: { date: _date, connection: _connection, ...headers } }: Reply) {
  return headers;
}

describe("an error (server/answers/table.ts)", () => {
  const ERRORS: [status: number, method: string, path: string, of?: typeof server][] = [
    [400, "GET", "/%zz"],
    [400, "GET", "/api/v1/releases/latest?platform=linux"],
    [404, "GET", "/nothing"],
    [404, "POST", "/nothing"],
    [404, "OPTIONS", "/nothing"],
    [405, "POST", "/api/v1"],
    [405, "DELETE", "/api/v1/plans"],
    [405, "PUT", "/api/v1/releases/latest?platform=linux"],
    [405, "PATCH", "/openapi.json"],
    [405, "POST", "/"],
    [405, "POST", "/healthz"],
    [405, "TRACE", "/openapi.json"],
    [405, "GET", "/mcp"],
    [405, "DELETE", "/mcp"],
    [414, "GET", `/${"x".repeat(2048)}`],
    [502, "GET", "/api/v1/plans", empty],
    [502, "GET", "/api/v1/releases/latest", empty],
    [502, "GET", "/api/v1/releases/latest?platform=windows", empty],
  ];

  test.for(ERRORS.filter(([status, , path]) => status === 404 || isServed(path)))(
    "is JSON, never stored, and readable from anywhere: %d for %s %s",
    async (expected) => {
      const [status, method, path, of = server] = expected;
      const reply = await ask(of.port, path, { method });
      expect(reply.status).toBe(status);
      expect(reply.json()).toMatchObject({ error: expect.stringMatching(/\w.*\.$/) });
      expect(reply.headers).toMatchObject({
        "content-type": "application/json",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
      });
      const allow = path === "/mcp" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
      expect(reply.headers.allow).toBe(status === 405 ? allow : undefined);
    },
  );

  test.for(["/marker", "/api/v1/marker?marker=1", "/%6darker/%3Cscript%3Ealert(1)%3C/script%3E"])(
    "says nothing of the address that was not found: %s",
    async (path) => {
      const reply = await server.get(path, { host: "marker.example", referer: "http://marker.example/" });
      expect(reply.status).toBe(404);
      expect(reply.text + JSON.stringify(reply.headers)).not.toMatch(/marker|script/);
    },
  );

  test("of an unavailable snapshot says when to retry", async () => {
    for (const path of DATA) {
      expect((await empty.get(path)).headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    }
  });
});

describe("a read", () => {
  test.for(READS)("is allowed from any web page, and is never sniffed as another type: %s", async (path) => {
    const { status, headers } = await server.get(path, { origin: "https://elsewhere.example" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringContaining("ETag"),
      "x-content-type-options": "nosniff",
    });
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test.for([...READS, "/nothing", "/api/v1/releases/latest?platform=linux"])(
    "by HEAD has the headers of GET and no body: %s",
    async (path) => {
      const [get, head] = [await server.get(path), await ask(server.port, path, { method: "HEAD" })];
      expect(head).toMatchObject({ status: get.status, text: "" });
      expect(headersOf(head)).toEqual(headersOf(get));
      expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(get.text)));
    },
  );

  test.for(READS)("with a slash at the end is the same: %s", async (path) => {
    const bare = await server.get(path);
    expect(await server.get(path === "/" ? "/?" : `${path}/`)).toMatchObject({ status: 200, text: bare.text });
  });

  test.for(["/API/v1", "/api/V1/plans", "/OpenAPI.json", "/api/v1/Plans"])(
    "is of one spelling: %s is 404",
    async (path) => {
      expect((await server.get(path)).status).toBe(404);
    },
  );

  test.for(READS)("is described by OPTIONS: %s", async (path) => {
    const headers = { "access-control-request-method": "GET", "access-control-request-headers": "x-one, x-two" };
    const reply = await ask(server.port, path, { method: "OPTIONS", headers });
    expect(reply).toMatchObject({ status: 204, text: "" });
    expect(reply.headers).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "x-one, x-two",
      "access-control-max-age": "86400",
    });
  });
});

describe("the platform", () => {
  test.for([
    ["", "macos"],
    ["?", "macos"],
    ["?platform=macos", "macos"],
    ["?platform=windows", "windows"],
    ["?platform=%6Dacos", "macos"],
    ["?%70latform=windows", "windows"],
    ["?other=1&platform=windows&utm=x", "windows"],
    ["?Platform=linux", "macos"],
    ["?platform[]=windows", "macos"],
    ["?__proto__=linux", "macos"],
  ] as const)("of a query %j is %s", async ([query, platform]) => {
    const reply = await server.get(`/api/v1/releases/latest${query}`);
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({ latest: { platform } });
  });

  test.for([
    "?platform",
    "?platform=",
    "?platform=linux",
    "?platform=MACOS",
    "?platform=%20macos",
    "?platform=macos%20",
    "?platform=macos+",
    "?platform=macos%00",
    "?platform=%zz",
    "?platform=%ff",
    "?platform=__proto__",
    "?platform=constructor",
    "?platform=macos&platform=macos",
    "?platform=macos&platform=windows",
    "?platform=windows&%70latform=windows",
    "?platform=macos,windows",
  ])("of a query %j is refused with the supported ones", async (query) => {
    const reply = await server.get(`/api/v1/releases/latest${query}`);
    expect(reply.status).toBe(400);
    expect(reply.json()).toEqual({ error: expect.any(String), allowed: ["macos", "windows"] });
  });

  test("that is not supported is 400 even if no facts are available", async () => {
    expect((await empty.get("/api/v1/releases/latest?platform=linux")).status).toBe(400);
  });
});

describe("an unavailable snapshot", () => {
  const ALL = { plans: plansSnapshot(), macos: releaseSnapshot("macos"), windows: releaseSnapshot("windows") };
  const PATHS = {
    plans: "/api/v1/plans",
    macos: "/api/v1/releases/latest",
    windows: "/api/v1/releases/latest?platform=windows",
  };

  test.for(Object.keys(ALL))("leaves the others available: without %s", async (missing) => {
    const others = Object.entries(ALL).filter(([name]) => name !== missing);
    const { get } = await startServer({ snapshots: others.map(([, snapshot]) => snapshot) });
    for (const [name, path] of Object.entries(PATHS)) {
      expect([name, (await get(path)).status]).toEqual([name, name === missing ? 502 : 200]);
    }
    for (const path of ["/api/v1", "/openapi.json"].filter(isServed)) expect((await get(path)).status, path).toBe(200);
  });

  test("is not the same as an unpublished release", async () => {
    const { get } = await startServer({ snapshots: [noRelease("windows")] });
    const none = await get("/api/v1/releases/latest?platform=windows");
    expect(none).toMatchObject({ status: 200, text: '{"hasUpdate":false}' });
    expect((await get("/api/v1/releases/latest?platform=macos")).text).not.toContain("hasUpdate");
  });
});

describe("health", () => {
  test("is alive even if snapshots are missing", async () => {
    expect((await server.get("/healthz")).json()).toEqual({ status: "ok" });
    expect((await empty.get("/healthz")).status).toBe(200);
  });
});

test("none of this was a bug of ours", () => {
  expect([...server.warnings, ...empty.warnings]).toEqual([]);
});
