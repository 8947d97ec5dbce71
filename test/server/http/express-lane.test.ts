// The express lane changes only the speed: the same request bytes get the same answer bytes with and without it.
import { describe, expect, test } from "vitest";
import { CLIENTS, requestOf } from "../../support/serving/client-requests.ts";
import { HOSTILE_REQUESTS } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { countNodeHttpRequests } from "../../support/serving/server-sockets.ts";
import { responsesTo, LAST_REQUEST, startBothLanes } from "../../support/serving/both-lanes.ts";
import { mutants } from "../../support/serving/mutants.ts";
import { rounds, SEED } from "../../support/random.ts";
import { ask } from "../../support/serving/server.ts";
import { DOWNLOADS, FACTS, PREPARED, SHARED } from "../../support/serving/prepared-targets.ts";

const { withLane, without, expectSame } = await startBothLanes();

/** A plain request; the odd ones differ from it. */
const P = requestOf("curl", "/api/v1/plans");

test.for(CLIENTS)("no GET of %s reaches node:http", async (client) => {
  const reads = [...PREPARED, ...SHARED].map((target) => requestOf(client, target));
  const seen = await countNodeHttpRequests(withLane.port, () => expectSame(...reads, ...reads));
  expect(seen, LAST_REQUEST).toBe(1);
});

test("several plain requests in one chunk reach node:http, and so does all that follows", async () => {
  const [one, pair] = [P, P + requestOf("Cloudflare", "/")];
  const seen = await countNodeHttpRequests(withLane.port, () => expectSame(one, pair, one));
  expect(seen, "two, one and the last request").toBe(4);
});

describe("the same bytes, with and without the lane, for", () => {
  test.for(CLIENTS)("%s", async (client) => {
    for (const target of [
      ...PREPARED,
      ...DOWNLOADS,
      ...SHARED,
      "/download",
      "/changes.json?since=2026-11-22",
      "/healthz",
      "/nothing",
      "/api/v1/plans/",
    ]) {
      await expectSame(requestOf(client, target), requestOf(client, target));
    }
  });

  test("conditional requests", async () => {
    for (const target of [...PREPARED, SHARED[0]]) {
      const { headers } = await ask(without.port, target);
      const conditions = [
        `If-None-Match: ${headers.etag}`,
        `If-None-Match: W/${headers.etag}`,
        `If-None-Match: "other", ${headers.etag?.replace(/"$/, '-br"')}`,
        "If-None-Match: *",
        'If-None-Match: "other"',
        `If-Modified-Since: ${headers["last-modified"] ?? "Thu, 01 Jan 2099 00:00:00 GMT"}`,
        "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
      ];
      await expectSame(...conditions.map((condition) => requestOf("curl", target, condition)));
      await expectSame(...conditions.map((condition) => requestOf("curl --compressed", target, condition)));
    }
  });

  test("every Accept-Encoding", async () => {
    const encodings = [
      "br",
      "gzip",
      "identity",
      "*",
      "gzip;q=0",
      "br;q=0.1, gzip",
      "x-gzip",
      "identity;q=0",
      ",",
      "GZIP",
    ];
    for (const target of [FACTS[0], "/openapi.json"]) {
      await expectSame(...encodings.map((encoding) => requestOf("curl", target, `Accept-Encoding: ${encoding}`)));
    }
  });

  const CHUNKED = requestOf("curl", "/", "Transfer-Encoding: chunked");
  const ODD: [what: string, ...pieces: string[]][] = [
    ["a request in two pieces", P.slice(0, 30), P.slice(30)],
    ["a request in many pieces", ...P.match(/[^]{1,9}/g)!],
    ["a request without its last byte at first", P.slice(0, -1), P.slice(-1)],
    ["two requests at once", P + P],
    ["one and a half requests", P + P.slice(0, 20), P.slice(20)],
    ["eight requests at once", P.repeat(8), P],
    ["nine requests at once", P.repeat(9), P],
    ["twenty requests at once", P.repeat(20)],
    ["twenty long requests at once", requestOf("curl", "/", `X-Long: ${"x".repeat(2_500)}`).repeat(20)],
    ["twenty requests at once, the ninth only for h3", `${P.repeat(8)}${requestOf("curl", "/nothing")}${P.repeat(11)}`],
    ["plain and other requests in turn", P, P.replace("GET", "HEAD"), P, P.replace("/plans", "/none"), P],
    ["a plain request and one with a body", `${P}${requestOf("curl", "/", "Content-Length: 2")}{}`],
    ["a plain request and one with an expectation", P + requestOf("curl", "/healthz", "Expect: 100-continue")],
    ["plain requests around one that only h3 knows", P + requestOf("curl", "/api/v1/plans/") + P],
    ["a plain request and garbage", `${P}garbage\r\n\r\n`],
    ["plain requests and a long one", P.repeat(3) + requestOf("curl", "/", `X-Long: ${"x".repeat(5_000)}`)],
    ["an empty line before a request", `\r\n${P}`],
    ["an empty line after a request", `${P}\r\n`, P],
    ["HEAD", P.replace("GET", "HEAD")],
    ["OPTIONS", P.replace("GET", "OPTIONS")],
    ["DELETE", P.replace("GET", "DELETE")],
    ["a method in lower case", P.replace("GET", "get")],
    ["HTTP/1.0", P.replace("HTTP/1.1", "HTTP/1.0")],
    ["HTTP/1.0 with keep-alive", requestOf("curl", "/", "Connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0")],
    ["HTTP/1.2", P.replace("HTTP/1.1", "HTTP/1.2")],
    ["Connection: close", requestOf("curl", "/", "Connection: close")],
    ["Connection: Keep-Alive", requestOf("curl", "/", "Connection: Keep-Alive")],
    ["a list of connection options", requestOf("curl", "/", "Connection: Keep-Alive, Upgrade", "Upgrade: h2c")],
    ["a header with a digit first", requestOf("curl", "/", "3-X: y")],
    ["a Connection header sent twice", requestOf("curl", "/", "Connection: keep-alive", "Connection: close")],
    ["Connection: Upgrade", requestOf("curl", "/", "Connection: Upgrade", "Upgrade: h2c")],
    ["Expect: 100-continue", requestOf("curl", "/", "Expect: 100-continue")],
    ["another expectation", requestOf("curl", "/", "Expect: more")],
    ["a body", `${requestOf("curl", "/", "Content-Length: 2")}{}`, P],
    ["an empty body", requestOf("curl", "/", "Content-Length: 0"), P],
    ["chunks", `${requestOf("curl", "/", "Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`, P],
    ["a broken chunk", `${CHUNKED}zz\r\n`],
    ["a broken chunk behind a good one", `${CHUNKED}2\r\n{}\r\n`, "zz\r\n"],
    ["a broken chunk that only h3 could answer", `${CHUNKED.replace("/ ", "/healthz ")}2\r\n{}\r\n`, "zz\r\n"],
    ["a header sent twice", requestOf("curl", "/", "Accept-Encoding: gzip", "Accept-Encoding: br;q=0")],
    ["two entity tags in two lines", requestOf("curl", "/", 'If-None-Match: "a"', "If-None-Match: *")],
    ["no Host", P.replace(/Host.*\r\n/, "")],
    ["two Hosts", requestOf("curl", "/", "Host: localhost")],
    ["an invalid Host", P.replace("localhost:3000", "a:99999")],
    ["an empty Host", P.replace(" localhost:3000", "")],
    ["a header without a value", requestOf("curl", "/", "Accept-Encoding:", "If-None-Match: ")],
    ["spaces around a value", requestOf("curl", "/", "Accept-Encoding: \t gzip \t ")],
    ["no space before a value", requestOf("curl", "/", "Accept-Encoding:gzip")],
    ["a space before a colon", requestOf("curl", "/", "Accept-Encoding : gzip")],
    ["a folded line", requestOf("curl", "/", "X-Folded: one", " two")],
    ["a byte that is not ASCII", requestOf("curl", "/", "X-Name: \xfc")],
    ["a NUL", requestOf("curl", "/", "X-Name: \0")],
    ["lines that end in a bare line feed", P.replaceAll("\r\n", "\n")],
    ["one line that ends in a bare line feed", P.replace("*/*\r\n", "*/*\n")],
    ["a carriage return within a line", requestOf("curl", "/", "X-Name: a\rb")],
    ["an unknown header", requestOf("curl", "/", "Unknown: header")],
    ["headers named like prototype properties", requestOf("curl", "/", "__proto__: header", "constructor: header")],
    ["a long header", requestOf("curl", "/", `X-Long: ${"x".repeat(5_000)}`)],
    ["an oversized header", requestOf("curl", "/", `X-Long: ${"x".repeat(20_000)}`)],
    ["two spaces after the method", P.replace("GET ", "GET  ")],
    ["the absolute form", P.replace("GET /", "GET http://localhost/")],
    ["a target with a fragment", requestOf("curl", "/api/v1/plans#there")],
    ["a target with a query", requestOf("curl", "/api/v1/plans?")],
    ["a percent-encoded target", requestOf("curl", "/api/v1/%70lans")],
    ["an unknown platform", requestOf("curl", "/api/v1/releases/latest?platform=beos")],
    ["garbage", "\x16\x03\x01\x02\x00"],
    ["only the end of a request", "\r\n\r\n"],
  ];
  test.for(ODD)("%s", ([, ...pieces]) => expectSame(...pieces));
});

describe("the same bytes, with and without the lane, for hostile requests:", () => {
  for (const group of new Set(HOSTILE_REQUESTS.map(({ group }) => group))) {
    test(group, async () => {
      for (const { title, bytes, isTruncated } of HOSTILE_REQUESTS.filter((hostile) => hostile.group === group)) {
        const [express, usual] = await Promise.all(
          [withLane, without].map(({ port }) => responsesTo(port, [bytes], isTruncated)),
        );
        expect(express, title).toBe(usual);
      }
    });
  }

  test(`random mutants, seed ${SEED}`, async () => {
    const queue = mutants(SEED, rounds(1_000));
    for (const mutant of queue) {
      const [express, usual] = await Promise.all(
        [withLane, without].map(({ port }) => responsesTo(port, mutant, true)),
      );
      expect(express, `seed ${SEED}: ${JSON.stringify(mutant)}`).toBe(usual);
    }
  });
});
