// Proxy, host and method headers sent by a client change no byte of prepared answers, refusals or messages.
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/port.ts";
import { PING } from "../../support/serving/hostile-requests/build.ts";
import { openKeepAlive } from "../../support/serving/keep-alive.ts";
import { BADGES, DOWNLOADS, isServed, PREPARED, untilCompressed } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";

// Public, so that every origin is allowed. The release for Windows is missing, for 502.
const api = { contact: "https://vendor.example/contact", baseUrl: "https://api.vendor.example" };
const snapshots = allSnapshots().slice(0, 2);
const server = await startServer({ api, snapshots, port: await freePort(), onFinished: afterAll });
await untilCompressed(server.port);
const line = openKeepAlive(server.port, afterAll);

const HEADERS = [
  "Forwarded: for=203.0.113.9;host=evil.example;proto=https;by=_evil",
  "Origin: https://evil.example",
  ...["Host", "Prefix", "Server"].map((name) => `X-Forwarded-${name}: evil.example:81`),
  ...["Proto", "Scheme", "Port", "Ssl"].map((name) => `X-Forwarded-${name}: https`),
  ...["X-Host", "X-HTTP-Host-Override", "X-Original-Host", "CDN-Loop"].map((name) => `${name}: evil.example`),
  ...["X-Forwarded-For", "X-Real-IP", "True-Client-IP"].map((name) => `${name}: 127.0.0.1`),
  ...["X-Original-URL", "X-Rewrite-URL", "X-Script-Name", "Referer"].map((name) => `${name}: /evil`),
  ...["X-HTTP-Method", "X-HTTP-Method-Override", "X-Method-Override"].map((name) => `${name}: DELETE`),
  "Front-End-Https: on",
  "Via: 1.1 evil.example, HTTP/2 evil",
];

type Request = [status: number, method: string, target: string, ...lines: string[]];

const message = (body: string) => [`Content-Length: ${body.length}`, "Content-Type: application/json", "", body];
const isMissing = (target: string) => target.endsWith("windows");
const REQUESTS: Request[] = [
  ...PREPARED.filter((target) => !BADGES.includes(target)).flatMap((target): Request[] => [
    [isMissing(target) ? 502 : 200, "GET", target],
    [isMissing(target) ? 502 : 200, "GET", target, "Accept-Encoding: br"],
    [isMissing(target) ? 502 : 304, "HEAD", target, "If-None-Match: *"],
    [405, "DELETE", target],
  ]),
  ...BADGES.map((target): Request => [200, "GET", target]),
  ...DOWNLOADS.map((target): Request => [isMissing(target) ? 502 : 302, "GET", target]),
  [400, "GET", "/changes.json?since=x"],
  [204, "OPTIONS", "/api/v1"],
  [200, "GET", "/api/v1/plans/"],
  [200, "GET", "/status"],
  [400, "GET", "/%zz"],
  [404, "GET", "/evil/api/v1"],
  [405, "GET", "/mcp"],
  [414, "GET", `/${"x".repeat(2_048)}`],
  [417, "GET", "/", "Expect: more"],
  [200, "POST", "/mcp", ...message(PING.replace("ping", "resources/list"))],
  [200, "POST", "/mcp", ...message(PING.replace("ping", "nothing"))],
  [400, "POST", "/mcp", ...message("{}")],
  [415, "POST", "/mcp", "Content-Length: 2", "", "{}"],
];

/** The whole answer without the date. */
async function answerTo([, method, target, ...more]: Request, before = "", host = "localhost", headers: string[] = []) {
  // The empty line before a body ends the headers.
  const end = more.includes("") ? [] : ["", ""];
  const asked = [`${method} ${before}${target} HTTP/1.1`, `Host: ${host}`, ...headers, ...more, ...end].join("\r\n");
  const { head, body } = await line.ask(asked);
  return head.replace(/^(Date: ).*/im, "$1…") + body.toString("latin1");
}

describe("a header that lies (server/door/request-check.ts)", () => {
  test("no byte is changed by another Host, the absolute form, or what proxies and frameworks believe", async () => {
    for (const request of REQUESTS.filter(([, , target]) => isServed(target))) {
      const usual = await answerTo(request);
      expect(usual, request.join(" ")).toContain(`HTTP/1.1 ${request[0]} `);
      expect(await answerTo(request, "", "[::1]:1")).toBe(usual);
      expect(await answerTo(request, "http://evil.example:81")).toBe(usual);
      expect(await answerTo(request, "", "localhost", HEADERS)).toBe(usual);
      expect(await answerTo(request, "https://evil.example", "other.example", HEADERS)).toBe(usual);
    }
    expect(server.warnings).toEqual([]);
  });
});
