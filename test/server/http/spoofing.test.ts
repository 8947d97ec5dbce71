// Proxy, host and method headers sent by a client change no byte of prepared answers, refusals or messages.
import { afterAll, expect, test } from "vitest";
import { openKeepAlive } from "../../support/serving/keep-alive.ts";
import { freePort } from "../../support/port.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";
import { BADGES, PREPARED, untilCompressed } from "../../support/serving/prepared-targets.ts";
import { PING } from "../../support/serving/hostile-requests/build.ts";

const [plans, macos] = allSnapshots();
// Public, so that every origin is allowed.
const api = { contact: "https://vendor.example/contact", baseUrl: "https://api.vendor.example" };
// The release for Windows is missing, for 502.
const server = await startServer({ api, snapshots: [plans!, macos!], port: await freePort(), onFinished: afterAll });
await untilCompressed(server.port);

/** Replaces a part of the request, or is added to it. */
interface SpoofedHeader {
  target?: (target: string) => string;
  host?: string;
  headers?: readonly string[];
}

const HEADERS = [
  "Forwarded: for=203.0.113.9;host=evil.example;proto=https;by=_evil",
  "X-Forwarded-Host: evil.example:81",
  "X-Forwarded-Proto: https",
  "X-Forwarded-Scheme: ftp",
  "X-Forwarded-Port: 81",
  "X-Forwarded-For: 127.0.0.1, 203.0.113.9",
  "X-Forwarded-Prefix: /evil",
  "X-Forwarded-Server: evil.example",
  "X-Forwarded-Ssl: on",
  "Front-End-Https: on",
  "X-Host: evil.example",
  "X-HTTP-Host-Override: evil.example",
  "X-Real-IP: 127.0.0.1",
  "True-Client-IP: 127.0.0.1",
  "X-Original-URL: /evil",
  "X-Original-Host: evil.example",
  "X-Rewrite-URL: /evil",
  "X-Script-Name: /evil",
  "X-HTTP-Method: DELETE",
  "X-HTTP-Method-Override: DELETE",
  "X-Method-Override: PUT",
  "Via: 1.1 evil.example, HTTP/2 evil",
  "Origin: https://evil.example",
  "Referer: https://evil.example/evil",
  "CDN-Loop: evil.example",
];

const CLAIMS: Record<string, SpoofedHeader> = {
  ...Object.fromEntries(HEADERS.map((header) => [header, { headers: [header] }])),
  "all of these headers": { headers: HEADERS },
  "another Host": { host: "evil.example:81" },
  "an IP address as Host": { host: "[::1]:1" },
  "the absolute form": { target: (target) => `http://evil.example:81${target}` },
  "everything at once": {
    target: (target) => `https://evil.example${target}`,
    host: "other.example",
    headers: HEADERS,
  },
};

type Request = [status: number, method: string, target: string, ...lines: string[]];

const message = (body: string) => [`Content-Length: ${body.length}`, "Content-Type: application/json", "", body];
const isMissing = (target: string) => target.endsWith("windows");
const REQUESTS: Request[] = [
  ...PREPARED.filter((target) => !BADGES.includes(target)).flatMap((target): Request[] => [
    [isMissing(target) ? 502 : 200, "GET", target],
    [isMissing(target) ? 502 : 200, "HEAD", target],
    [isMissing(target) ? 502 : 200, "GET", target, "Accept-Encoding: br"],
    [isMissing(target) ? 502 : 304, "GET", target, "If-None-Match: *"],
    [405, "DELETE", target],
  ]),
  [200, "GET", "/badge/macos.svg"],
  [200, "GET", "/badge/windows.svg"],
  [302, "GET", "/download/macos"],
  [502, "GET", "/download/windows"],
  [302, "GET", "/download"],
  [400, "GET", "/changes.json?since=x"],
  [204, "OPTIONS", "/api/v1"],
  [200, "GET", "/api/v1/plans/"],
  [200, "GET", "/healthz"],
  [200, "GET", "/status"],
  [400, "GET", "/api/v1/releases/latest?platform=linux"],
  [400, "GET", "/%zz"],
  [404, "GET", "/nothing"],
  [404, "GET", "/evil/api/v1"],
  [405, "GET", "/mcp"],
  [414, "GET", `/${"x".repeat(2_048)}`],
  [417, "GET", "/", "Expect: more"],
  [200, "POST", "/mcp", ...message(PING)],
  [200, "POST", "/mcp", ...message(PING.replace("ping", "resources/list"))],
  [200, "POST", "/mcp", ...message(PING.replace("ping", "nothing"))],
  [400, "POST", "/mcp", ...message("{}")],
  [415, "POST", "/mcp", "Content-Length: 2", "", "{}"],
];

const line = openKeepAlive(server.port, afterAll);

/** The whole answer without the date. */
async function answerTo([, method, target, ...more]: Request, claim: SpoofedHeader = {}): Promise<string> {
  const { headers = [], host = "localhost" } = claim;
  const first = `${method} ${claim.target?.(target) ?? target} HTTP/1.1`;
  // The empty line before a body ends the headers.
  const end = more.includes("") ? [] : ["", ""];
  const { head, body } = await line.ask([first, `Host: ${host}`, ...headers, ...more, ...end].join("\r\n"));
  return head.replace(/^(Date: ).*/im, "$1…") + body.toString("latin1");
}

const usual = new Map<Request, string>();
for (const request of REQUESTS) usual.set(request, await answerTo(request));

test("there are requests for every kind of answer", () => {
  for (const request of REQUESTS) expect(usual.get(request), request.join(" ")).toContain(`HTTP/1.1 ${request[0]} `);
});

test.for(Object.entries(CLAIMS))("no byte is changed by %s", async ([, claim]) => {
  const changed: Request[] = [];
  for (const request of REQUESTS) {
    if ((await answerTo(request, claim)) !== usual.get(request)) changed.push(request);
  }
  expect(changed).toEqual([]);
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
