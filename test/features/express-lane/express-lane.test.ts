// The express lane changes only the speed: the same request bytes get the same answer bytes with and without it. Hostile requests get
// the expected answer or none, by the rules.
import { describe, expect, test } from "vitest";
import { expectValidAnswer } from "../../support/serving/answer-rules.ts";
import { CLIENTS, requestOf } from "../../support/serving/client-requests.ts";
import { HOSTILE_REQUESTS } from "../../support/serving/hostile-requests/hostile-requests.ts";
import { countNodeHttpRequests } from "../../support/serving/server-sockets.ts";
import { responsesTo, LAST_REQUEST, startBothLanes } from "../../support/serving/both-lanes.ts";
import { mutants } from "../../support/serving/mutants.ts";
import { rounds, SEED } from "../../support/random.ts";
import { parseReplies, type RawReply } from "../../support/serving/raw-connection.ts";
import { ask } from "../../support/serving/server.ts";
import { DOWNLOADS, PREPARED, SHARED } from "../../support/serving/prepared-targets.ts";

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

describe("the same bytes, with and without the lane, for (server/features/express-lane/express-lane.ts)", () => {
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

  test("conditional requests, which stay in the lane", async () => {
    for (const target of [...PREPARED, ...SHARED.slice(0, 1)]) {
      const { headers } = await ask(without.port, target);
      const conditions = [
        `If-None-Match: ${headers.etag}`,
        `If-None-Match: "other", ${headers.etag?.replace(/"$/, '-br"')}`,
        "If-None-Match: *",
        `If-Modified-Since: ${headers["last-modified"] ?? "Thu, 01 Jan 2099 00:00:00 GMT"}`,
        "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
      ];
      for (const client of ["curl", "curl --compressed"]) {
        const reads = conditions.map((condition) => requestOf(client, target, condition));
        expect(await countNodeHttpRequests(withLane.port, () => expectSame(...reads)), LAST_REQUEST).toBe(1);
      }
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
    ["plain requests and a long one", P.repeat(3) + requestOf("curl", "/", `X-Long: ${"x".repeat(5_000)}`)],
    ["an empty line after a request", `${P}\r\n`, P],
    ["HEAD", P.replace("GET", "HEAD")],
    ["OPTIONS", P.replace("GET", "OPTIONS")],
    ["HTTP/1.0", P.replace("HTTP/1.1", "HTTP/1.0")],
    ["HTTP/1.0 with keep-alive", requestOf("curl", "/", "Connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0")],
    ["Connection: close", requestOf("curl", "/", "Connection: close")],
    ["Connection: Keep-Alive", requestOf("curl", "/", "Connection: Keep-Alive")],
    ["a list of connection options", requestOf("curl", "/", "Connection: Keep-Alive, Upgrade", "Upgrade: h2c")],
    ["a header with a digit first", requestOf("curl", "/", "3-X: y")],
    ["a Connection header sent twice", requestOf("curl", "/", "Connection: keep-alive", "Connection: close")],
    ["Expect: 100-continue", requestOf("curl", "/", "Expect: 100-continue")],
    ["a body", `${requestOf("curl", "/", "Content-Length: 2")}{}`, P],
    ["a body behind its head", requestOf("curl", "/", "Content-Length: 2"), "{}", P],
    ["chunks behind their head", CHUNKED, "2\r\n{}\r\n0\r\n\r\n", P],
    ["an empty body", requestOf("curl", "/", "Content-Length: 0"), P],
    ["chunks", `${requestOf("curl", "/", "Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`, P],
    ["a broken chunk behind a good one", `${CHUNKED}2\r\n{}\r\n`, "zz\r\n"],
    ["a broken chunk that only h3 could answer", `${CHUNKED.replace("/ ", "/healthz ")}2\r\n{}\r\n`, "zz\r\n"],
    ["a header sent twice", requestOf("curl", "/", "Accept-Encoding: gzip", "Accept-Encoding: br;q=0")],
    ["two entity tags in two lines", requestOf("curl", "/", 'If-None-Match: "a"', "If-None-Match: *")],
    ["a header without a value", requestOf("curl", "/", "Accept-Encoding:", "If-None-Match: ")],
    ["spaces around a value", requestOf("curl", "/", "Accept-Encoding: \t gzip \t ")],
    ["no space before a value", requestOf("curl", "/", "Accept-Encoding:gzip")],
    ["an unknown header", requestOf("curl", "/", "Unknown: header")],
    ["a long header", requestOf("curl", "/", `X-Long: ${"x".repeat(5_000)}`)],
    ["the absolute form", P.replace("GET /", "GET http://localhost/")],
    ["a target with a fragment", requestOf("curl", "/api/v1/plans#there")],
    ["a target with a query", requestOf("curl", "/api/v1/plans?")],
    ["a percent-encoded target", requestOf("curl", "/api/v1/%70lans")],
    ["an unknown platform", requestOf("curl", "/api/v1/releases/latest?platform=beos")],
    ["only the end of a request", "\r\n\r\n"],
  ];
  test.for(ODD)("%s", ([, ...pieces]) => expectSame(...pieces));
});

/** The answers of both servers, which are the same. */
async function answersTo(pieces: readonly string[], isEnd: boolean, title: string): Promise<RawReply[]> {
  const [express, usual = ""] = await Promise.all(
    [withLane, without].map(({ port }) => responsesTo(port, pieces, isEnd)),
  );
  expect(express, title).toBe(usual);
  return parseReplies(usual);
}

function expectByTheRules(answers: readonly RawReply[], bytes: string): void {
  const asked = { mayBeMessage: bytes.includes("POST"), isBare: bytes.includes("HEAD") };
  const last = answers.findIndex(({ headers }) => headers.connection === "close");
  expect(answers.slice(last + 1), "behind the last answer").toEqual(last < 0 ? answers : []);
  for (const answer of answers) {
    if (answer.status === 100) continue;
    expectValidAnswer(answer, asked);
    // Only the release for Windows is missing.
    if (answer.status === 502) expect(answer.body).toMatch(/^$|release data/);
  }
}

describe("hostile requests get the expected answers, which the lane does not change:", { timeout: 60_000 }, () => {
  test.for([...new Set(HOSTILE_REQUESTS.map(({ group }) => group))])("%s", async (group) => {
    for (const { title, bytes, statuses, isTruncated } of HOSTILE_REQUESTS.filter((one) => one.group === group)) {
      const answers = await answersTo([bytes], isTruncated, title);
      expect(
        answers.map(({ status }) => status),
        title,
      ).toEqual(statuses);
      expect(() => expectByTheRules(answers, bytes), title).not.toThrow();
      expect(answers.at(-1)?.headers.connection, title).toBe("close");
    }
  });

  test(`random mutants, seed ${SEED}`, async () => {
    const seen = new Set<number>();
    for (const mutant of mutants(SEED, rounds(1_000))) {
      const title = `seed ${SEED}: ${JSON.stringify(mutant)}`;
      const answers = await answersTo(mutant, true, title);
      for (const { status } of answers) seen.add(status);
      expect(() => expectByTheRules(answers, mutant.join("")), title).not.toThrow();
    }
    // Otherwise the mutants were too odd or too plain to test much.
    for (const status of [200, 304, 400, 404, 405, 414, 431, 502]) expect(seen).toContain(status);
  });
});

test("no bug was reported, and both are alive", async () => {
  expect([...withLane.warnings, ...without.warnings]).toEqual([]);
  for (const { get } of [withLane, without]) expect((await get("/healthz")).text).toBe('{"status":"ok"}');
});
