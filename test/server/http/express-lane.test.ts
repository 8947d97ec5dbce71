// The express lane changes the speed and nothing else: the same bytes get the same answers with it and without.
import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CLIENTS, requestOf } from "../../support/serving/client-requests.ts";
import { HOSTILE_REQUESTS } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { countNodeHttpRequests } from "../../support/serving/server-sockets.ts";
import { responsesTo, LAST_REQUEST, startBothLanes } from "../../support/serving/both-lanes.ts";
import { mutants } from "../../support/serving/random-requests/mutants.ts";
import { ask } from "../../support/serving/server.ts";
import { FACTS, PREPARED } from "../../support/serving/prepared-targets.ts";

const { withLane, without, expectSame } = await startBothLanes();

test.for(CLIENTS)("node:http sees no read of %s", async (client) => {
  const reads = PREPARED.map((target) => requestOf(client, target));
  const seen = await countNodeHttpRequests(withLane.port, () => expectSame(...reads, ...reads));
  expect(seen, LAST_REQUEST).toBe(1);
});

describe("the same bytes, lane or not, for", () => {
  test.for(CLIENTS)("%s", async (client) => {
    for (const target of [...PREPARED, "/healthz", "/nothing", "/api/v1/plans/"]) {
      await expectSame(requestOf(client, target), requestOf(client, target));
    }
  });

  test("clients that have the answer already", async () => {
    for (const target of PREPARED) {
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

  test("every wish for an encoding", async () => {
    const wishes = ["br", "gzip", "identity", "*", "gzip;q=0", "br;q=0.1, gzip", "x-gzip", "identity;q=0", ",", "GZIP"];
    for (const target of [FACTS[0], "/openapi.json"]) {
      await expectSame(...wishes.map((wish) => requestOf("curl", target, `Accept-Encoding: ${wish}`)));
    }
  });

  /** `P`: a plain request. What makes each one less than plain is in its lines. */
  const P = requestOf("curl", "/api/v1/plans");
  const ODD: [what: string, ...pieces: string[]][] = [
    ["a request in two pieces", P.slice(0, 30), P.slice(30)],
    ["a request in many pieces", ...P.match(/[^]{1,9}/g)!],
    ["a request without its last byte at first", P.slice(0, -1), P.slice(-1)],
    ["two requests at once", P + P],
    ["one and a half requests", P + P.slice(0, 20), P.slice(20)],
    ["twenty requests at once", P.repeat(20)],
    ["plain and other requests in turn", P, P.replace("GET", "HEAD"), P, P.replace("/plans", "/none"), P],
    ["an empty line before a request", `\r\n${P}`],
    ["an empty line after a request", `${P}\r\n`, P],
    ["HEAD", P.replace("GET", "HEAD")],
    ["OPTIONS", P.replace("GET", "OPTIONS")],
    ["DELETE", P.replace("GET", "DELETE")],
    ["a method in small letters", P.replace("GET", "get")],
    ["HTTP/1.0", P.replace("HTTP/1.1", "HTTP/1.0")],
    ["HTTP/1.0 that is kept alive", requestOf("curl", "/", "Connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0")],
    ["HTTP/1.2", P.replace("HTTP/1.1", "HTTP/1.2")],
    ["Connection: close", requestOf("curl", "/", "Connection: close")],
    ["Connection: Keep-Alive", requestOf("curl", "/", "Connection: Keep-Alive")],
    ["a connection header given twice", requestOf("curl", "/", "Connection: keep-alive", "Connection: close")],
    ["Connection: Upgrade", requestOf("curl", "/", "Connection: Upgrade", "Upgrade: h2c")],
    ["Expect: 100-continue", requestOf("curl", "/", "Expect: 100-continue")],
    ["another expectation", requestOf("curl", "/", "Expect: more")],
    ["a body", `${requestOf("curl", "/", "Content-Length: 2")}{}`, P],
    ["a body of nothing", requestOf("curl", "/", "Content-Length: 0"), P],
    ["chunks", `${requestOf("curl", "/", "Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`, P],
    ["a header given twice", requestOf("curl", "/", "Accept-Encoding: gzip", "Accept-Encoding: br;q=0")],
    ["two tags in two lines", requestOf("curl", "/", 'If-None-Match: "a"', "If-None-Match: *")],
    ["no Host", P.replace(/Host.*\r\n/, "")],
    ["two Hosts", requestOf("curl", "/", "Host: localhost")],
    ["a Host that is none", P.replace("localhost:3000", "a:99999")],
    ["an empty Host", P.replace(" localhost:3000", "")],
    ["a header without a value", requestOf("curl", "/", "Accept-Encoding:", "If-None-Match: ")],
    ["spaces around a value", requestOf("curl", "/", "Accept-Encoding: \t gzip \t ")],
    ["no space before a value", requestOf("curl", "/", "Accept-Encoding:gzip")],
    ["a space before a colon", requestOf("curl", "/", "Accept-Encoding : gzip")],
    ["a folded line", requestOf("curl", "/", "X-Folded: one", " two")],
    ["a byte that is not ASCII", requestOf("curl", "/", "X-Name: \xfc")],
    ["a NUL", requestOf("curl", "/", "X-Name: \0")],
    ["lines that end in a line feed only", P.replaceAll("\r\n", "\n")],
    ["one line that ends in a line feed only", P.replace("*/*\r\n", "*/*\n")],
    ["a carriage return within a line", requestOf("curl", "/", "X-Name: a\rb")],
    ["an unknown header", requestOf("curl", "/", "Unknown: header")],
    ["a header of the prototype", requestOf("curl", "/", "__proto__: header", "constructor: header")],
    ["a long header", requestOf("curl", "/", `X-Long: ${"x".repeat(5_000)}`)],
    ["a header that is too long", requestOf("curl", "/", `X-Long: ${"x".repeat(20_000)}`)],
    ["two spaces after the method", P.replace("GET ", "GET  ")],
    ["the absolute form", P.replace("GET /", "GET http://localhost/")],
    ["a target with a fragment", requestOf("curl", "/api/v1/plans#there")],
    ["a target with a query", requestOf("curl", "/api/v1/plans?")],
    ["a target spelt otherwise", requestOf("curl", "/api/v1/%70lans")],
    ["a platform nobody listed", requestOf("curl", "/api/v1/releases/latest?platform=beos")],
    ["garbage", "\x16\x03\x01\x02\x00"],
    ["nothing but the end of a request", "\r\n\r\n"],
  ];
  test.for(ODD)("%s", ([, ...pieces]) => expectSame(...pieces));
});

describe("the same bytes, lane or not, for what is hostile:", () => {
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

  const MUTANTS = Number(process.env.MUTANTS ?? 1_000);
  const SEED = Number(process.env.MUTANT_SEED ?? randomInt(2 ** 31));

  test(`what was changed at random, seed ${SEED}`, async () => {
    // The end of a connection, or a broken chunk, may come before or after an answer that takes its time, lane or not.
    const queue = mutants(SEED, MUTANTS).filter((mutant) => !/POST|Transfer-Encoding/i.test(mutant.join("")));
    for (const mutant of queue) {
      const [express, usual] = await Promise.all(
        [withLane, without].map(({ port }) => responsesTo(port, mutant, true)),
      );
      expect(express, `seed ${SEED}: ${JSON.stringify(mutant)}`).toBe(usual);
    }
  });
});
