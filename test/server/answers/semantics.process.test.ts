// The semantics of reads, row by row: conditional requests, encodings, tags, types and cache lifetimes.
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isIn } from "../../support/program/feature.ts";
import { openKeepAlive, type RawAnswer } from "../../support/serving/keep-alive.ts";
import { startProgram } from "../../support/program/program.ts";
import { freePort } from "../../support/port.ts";
import { ask, allSnapshots, publishOver, startServer, pollUntil } from "../../support/serving/server.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { settingsDirectory } from "../../support/program/settings.ts";
import { NOW, plansSnapshot } from "../../support/snapshot.ts";
import {
  BADGES,
  DOCUMENTS,
  EMBED,
  FACTS,
  INDEX,
  isServed,
  PREPARED,
  TWINS,
  untilCompressed,
  WORTH_COMPRESSING,
} from "../../support/serving/prepared-targets.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const PLANS = "/api/v1/plans";
/** So long that every encoding is worth its while. */
const LONG = PLANS;

/** Required by `serve`, and never called. */
const sources = {
  plans: { from: "json", url: "https://vendor.example/plans" },
  releases: { from: "json", url: "https://vendor.example/releases" },
};
const api = { contact: "https://vendor.example/contact" };
const [, ...releases] = allSnapshots();
const server = await startServer({ api, snapshots: [plansSnapshot({ plans: 3 }), ...releases], onFinished: afterAll });
const empty = await startServer({ api, snapshots: [], onFinished: afterAll });
const line = openKeepAlive(server.port, afterAll);
beforeAll(() => untilCompressed(server.port));

function raw(method: string, target: string, ...headers: string[]): Promise<RawAnswer> {
  return line.ask([`${method} ${target} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));
}

/** Headers, without those of the connection. */
function headersOf({
  headers: { date: _date, connection: _connection, "keep-alive": _keepAlive, ...headers },
}: RawAnswer) {
  return headers;
}

function decoded({ headers, body }: RawAnswer): string {
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return body.toString();
  return (encoding === "br" ? brotliDecompressSync : gunzipSync)(body).toString();
}

describe("facts that a client names by their etag (server/answers/negotiate.ts),", () => {
  /** `T`: the tag of the identity answer, without quotes; `SHORT` and `SMALL`: the same but for something. */
  const ROWS: [status: number, what: string, ...headers: string[]][] = [
    [304, "as it was sent", 'If-None-Match: "T"'],
    [304, "weakened", 'If-None-Match: W/"T"'],
    [304, "of the Brotli encoding", 'If-None-Match: "T-br"'],
    [304, "of the gzip encoding", 'If-None-Match: "T-gzip"'],
    [304, "of another encoding than it wants", 'If-None-Match: "T-gzip"', "Accept-Encoding: br"],
    [304, "of another encoding, weakened", 'If-None-Match: W/"T-br"'],
    [304, "first of a list", 'If-None-Match: "T", "other"'],
    [304, "last of a list", 'If-None-Match: "other", W/"another", "T"'],
    [304, "in a list without spaces", 'If-None-Match: "other","T-br","another"'],
    [304, "in a list with many spaces", 'If-None-Match:  \t"other"\t ,\t "T" \t'],
    [304, "in a list with empty members", 'If-None-Match: ,, "T" ,'],
    [304, "in a list of hundreds", `If-None-Match: ${'"other", '.repeat(300)}"T"`],
    [304, "after a tag that has a comma", 'If-None-Match: "a,b", "T"'],
    [304, "in a second line", 'If-None-Match: "other"', 'If-None-Match: "T"'],
    [304, "by a star", "If-None-Match: *"],
    [304, "by a star with spaces", "If-None-Match:  \t* \t"],
    [200, "by that of something else", 'If-None-Match: "other"'],
    [200, "by a weak one of something else", 'If-None-Match: W/"other"'],
    [200, "by a list of others", 'If-None-Match: "other", "another"'],
    [200, "by its beginning", 'If-None-Match: "SHORT"'],
    [200, "in small letters", 'If-None-Match: "SMALL"'],
    [200, "with more behind", 'If-None-Match: "Tx"'],
    [200, "with more before", 'If-None-Match: "xT"'],
    [200, "of an encoding that there is not", 'If-None-Match: "T-zstd"'],
    [200, "of two encodings", 'If-None-Match: "T-br-gzip"'],
    [200, "with a space in it", 'If-None-Match: " T"'],
    [200, "without quotes", "If-None-Match: T"],
    [200, "weak and without quotes", "If-None-Match: W/T"],
    [200, "in other quotes", "If-None-Match: 'T'"],
    [200, "with a quote that is not closed", 'If-None-Match: "T'],
    [200, "with a quote that is not opened", 'If-None-Match: T"'],
    [200, "between the quotes of others", 'If-None-Match: "a"T"b"'],
    [200, "by a star in quotes", 'If-None-Match: "*"'],
    [200, "by a weak star", "If-None-Match: W/*"],
    [200, "by nothing", "If-None-Match:"],
    [200, "by a comma", "If-None-Match: ,"],
  ];

  test.for(ROWS)("are answered with %d: %s", async ([status, , ...headers]) => {
    const { headers: plain } = await raw("GET", PLANS);
    const tag = plain.etag?.slice(1, -1) ?? "";
    const asked = headers.map((header) =>
      header.replace("SHORT", tag.slice(0, -1)).replace("SMALL", tag.toLowerCase()).replace("T", tag),
    );
    for (const method of ["GET", "HEAD"]) {
      expect((await raw(method, PLANS, ...asked)).status).toBe(status);
    }
  });
});

describe("a 304 has the etag that matched,", () => {
  const ROWS: [what: string, expected: string, ...headers: string[]][] = [
    ["whichever encoding the client wants now", '"T-gzip"', 'If-None-Match: "T-gzip"', "Accept-Encoding: br"],
    ["of an encoding that it no longer wants", '"T-br"', 'If-None-Match: "T-br"'],
    ["without its weakness", '"T-br"', 'If-None-Match: W/"T-br"', "Accept-Encoding: gzip"],
    ["in a list of others", '"T"', 'If-None-Match: "a", "T", "b"', "Accept-Encoding: br"],
    ["and of several, that of the 200", '"T-gzip"', 'If-None-Match: "T", "T-br", "T-gzip"', "Accept-Encoding: gzip"],
    ["and for a star, that of the 200", '"T"', "If-None-Match: *"],
    ["and for a date, that of the 200", '"T"', "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"],
  ];

  test.for(ROWS)("%s", async ([, expected, ...headers]) => {
    const { headers: plain } = await raw("GET", PLANS);
    const tag = plain.etag?.slice(1, -1) ?? "";
    const answer = await raw("GET", PLANS, ...headers.map((header) => header.replaceAll(/T(?=["-][^N])/g, tag)));
    expect(answer).toMatchObject({ status: 304, headers: { etag: expected.replace("T", tag) } });
  });
});

test("parts of Accept-Encoding beyond the hundredth are ignored", async () => {
  const encodingAfter = async (count: number) =>
    (await raw("GET", LONG, `Accept-Encoding: ${"x, ".repeat(count)}gzip`)).headers["content-encoding"];
  expect([await encodingAfter(99), await encodingAfter(100)]).toEqual(["gzip", undefined]);
});

describe("facts that a client dates,", () => {
  // As plansSnapshot says it: Sunday, 1 March 2026, 12:00 UTC.
  const ROWS: [status: number, what: string, ...headers: string[]][] = [
    [304, "by the second of their change", "If-Modified-Since: Sun, 01 Mar 2026 12:00:00 GMT"],
    [304, "by the second after it", "If-Modified-Since: Sun, 01 Mar 2026 12:00:01 GMT"],
    [304, "by a time to come", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"],
    [304, "after RFC 850", "If-Modified-Since: Sunday, 01-Mar-26 12:00:00 GMT"],
    [304, "as C does", "If-Modified-Since: Sun Mar  1 12:00:00 2026"],
    [200, "by the second before it", "If-Modified-Since: Sun, 01 Mar 2026 11:59:59 GMT"],
    [200, "long ago", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"],
    [200, "long ago, after RFC 850", "If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"],
    [200, "long ago, as C does", "If-Modified-Since: Sun Nov  6 08:49:37 1994"],
    [200, "by nothing", "If-Modified-Since:"],
    [200, "by a word", "If-Modified-Since: yesterday"],
    [200, "by a word and a year", "If-Modified-Since: nonsense 2099"],
    [200, "by a year", "If-Modified-Since: 2099"],
    [200, "by a small number", "If-Modified-Since: 0"],
    [200, "by milliseconds", "If-Modified-Since: 4070908800000"],
    [200, "after ISO 8601", "If-Modified-Since: 2099-01-01T00:00:00Z"],
    [200, "of another time zone", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 PST"],
    [200, "by infinity", "If-Modified-Since: Infinity"],
    [200, "by a tag", 'If-Modified-Since: "2099"'],
    [304, "and name right", 'If-None-Match: "T"', "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"],
    [200, "and name wrong", 'If-None-Match: "other"', "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"],
    [200, "and name in nonsense", "If-None-Match: other", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"],
    [200, "and do not name", "If-None-Match:", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"],
  ];

  test.for(ROWS)("are answered with %d: %s", async ([status, , ...headers]) => {
    const tag = (await raw("GET", PLANS)).headers.etag?.slice(1, -1) ?? "";
    for (const method of ["GET", "HEAD"]) {
      const asked = headers.map((header) => header.replace('"T"', `"${tag}"`));
      expect((await raw(method, PLANS, ...asked)).status).toBe(status);
    }
  });

  test("have no date if they are documents, which have etags alone", async () => {
    for (const target of DOCUMENTS) {
      const answer = await raw("GET", target, "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT");
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty("last-modified");
    }
  });
});

describe("not modified", () => {
  test.for(PREPARED)("has all headers of 200 but those of the body, and no body: %s", async (target) => {
    for (const encoding of ["identity", "gzip", "br"]) {
      const asked = `Accept-Encoding: ${encoding}`;
      const full = await raw("GET", target, asked);
      const {
        "content-type": _type,
        "content-length": _length,
        "content-encoding": _encoding,
        ...kept
      } = headersOf(full);
      expect(Object.keys(kept)).toEqual(
        expect.arrayContaining(["etag", "cache-control", "vary", "access-control-allow-origin"]),
      );
      for (const method of ["GET", "HEAD"]) {
        const answer = await raw(method, target, asked, `If-None-Match: ${full.headers.etag}`);
        // That it has no body is seen by `raw`: it would be taken for the beginning of the next answer.
        expect(answer.status).toBe(304);
        expect(headersOf(answer)).toEqual(kept);
      }
    }
  });

  test("never applies to an error", async () => {
    const line = openKeepAlive(empty.port);
    for (const [status, method, target] of [
      [502, "GET", PLANS],
      [502, "HEAD", FACTS[2]],
      [404, "GET", "/nothing"],
      [405, "POST", PLANS],
      [400, "GET", "/api/v1/releases/latest?platform=linux"],
    ] as const) {
      for (const header of ["If-None-Match: *", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT"]) {
        const { headers, ...answer } = await line.ask(`${method} ${target} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
        expect(answer.status).toBe(status);
        expect(headers).toMatchObject({ "cache-control": "no-store", "access-control-allow-origin": "*" });
        expect(headers).not.toHaveProperty("etag");
      }
    }
  });
});

describe("of the encodings,", () => {
  const ROWS: [encoding: "br" | "gzip" | undefined, ...headers: string[]][] = [
    [undefined],
    [undefined, "Accept-Encoding:"],
    [undefined, "Accept-Encoding: identity"],
    ["br", "Accept-Encoding: br"],
    ["gzip", "Accept-Encoding: gzip"],
    ["br", "Accept-Encoding: gzip, br"],
    ["br", "Accept-Encoding: gzip, deflate, br, zstd"],
    ["br", "Accept-Encoding: gzip", "Accept-Encoding: br"],
    ["gzip", "Accept-Encoding: gzip, deflate"],
    ["gzip", "Accept-Encoding: gzip;q=1.0, br;q=0.5"],
    ["gzip", "Accept-Encoding: br;q=0.998, gzip;q=0.999"],
    ["gzip", "Accept-Encoding: gzip, identity;q=0.5"],
    ["br", "Accept-Encoding: br;q=0.001"],
    [undefined, "Accept-Encoding: br;q=0"],
    [undefined, "Accept-Encoding: br;q=0.0000"],
    [undefined, "Accept-Encoding: br;q=0.000, gzip;q=0.0"],
    ["gzip", "Accept-Encoding: br;q=0, gzip"],
    [undefined, "Accept-Encoding: gzip;q=0.5, identity"],
    [undefined, "Accept-Encoding: identity;q=0.5, gzip;q=0.2, br;q=0.1"],
    ["br", "Accept-Encoding: *"],
    ["br", "Accept-Encoding: *;q=0.1"],
    [undefined, "Accept-Encoding: *;q=0"],
    ["gzip", "Accept-Encoding: *, br;q=0"],
    ["br", "Accept-Encoding: gzip;q=0, *;q=0.5"],
    [undefined, "Accept-Encoding: *, br;q=0, gzip;q=0"],
    ["gzip", "Accept-Encoding: *;q=0, gzip"],
    [undefined, "Accept-Encoding: identity, *;q=0"],
    [undefined, "Accept-Encoding: identity;q=0"],
    [undefined, "Accept-Encoding: identity;q=0, *;q=0"],
    ["br", "Accept-Encoding: identity;q=0, *"],
    ["gzip", "Accept-Encoding: identity;q=0, gzip;q=0.1"],
    [undefined, "Accept-Encoding: deflate, zstd, compress, nonsense"],
    ["gzip", "Accept-Encoding: zstd;q=1, gzip;q=0.1"],
    ["gzip", "Accept-Encoding: x-gzip"],
    [undefined, "Accept-Encoding: x-gzip;q=0"],
    ["gzip", "Accept-Encoding: GZip"],
    ["br", "Accept-Encoding: BR;Q=0.5"],
    [undefined, "Accept-Encoding: gzip;Q=0"],
    ["gzip", "Accept-Encoding:  \tgzip ;\tq=0.5 ,br; q=0.4\t"],
    ["gzip", "Accept-Encoding: ,,gzip,,"],
    [undefined, "Accept-Encoding: gzipped, brotli, xgzip, b r"],
    [undefined, "Accept-Encoding: ;q=1, =, ;"],
    [undefined, "Accept-Encoding: __proto__, constructor;q=1"],
  ];

  test.for(ROWS)("%s is chosen: %s %s", async ([encoding, ...headers]) => {
    for (const method of ["GET", "HEAD"]) {
      expect((await raw(method, LONG, ...headers)).headers["content-encoding"]).toBe(encoding);
    }
  });

  test.for(PREPARED)("each gives the same text under its own etag: %s", async (target) => {
    const plain = await raw("GET", target);
    const hash = createHash("sha256").update(plain.body).digest("base64url").slice(0, 22);
    expect(plain.headers).toMatchObject({ etag: `"${hash}"`, "content-length": String(plain.body.length) });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    for (const encoding of ["br", "gzip"]) {
      const answer = await raw("GET", target, `Accept-Encoding: ${encoding}`);
      const isLong = plain.body.length >= WORTH_COMPRESSING;
      expect(answer.headers["content-encoding"]).toBe(isLong ? encoding : undefined);
      expect(answer.headers.etag).toBe(isLong ? `"${hash}-${encoding}"` : plain.headers.etag);
      expect(answer.headers["content-length"]).toBe(String(answer.body.length));
      expect(decoded(answer)).toBe(plain.body.toString());
      if (isLong) expect(answer.body.length).toBeLessThan(plain.body.length);
      for (const { headers } of [plain, answer]) expect(headers.vary).toMatch(/(^|, )Accept-Encoding(,|$)/);
      const head = await raw("HEAD", target, `Accept-Encoding: ${encoding}`);
      expect([head.status, headersOf(head)]).toEqual([200, headersOf(answer)]);
    }
  });

  test("none is used for a short text, and both short and long ones exist", async () => {
    const lengths = await Promise.all(PREPARED.map(async (target) => (await server.get(target)).text.length));
    expect(lengths.some((length) => length < WORTH_COMPRESSING)).toBe(true);
    expect(lengths.some((length) => length >= WORTH_COMPRESSING)).toBe(true);
  });
});

test("bytes and etags are the same after a restart, on another port and in another time zone", async () => {
  const directory = await settingsDirectory({ ...sources, api: { ...api, baseUrl: "https://facts.example.org" } });
  const changedAt = Date.now() - 2 * 60 * 60 * SECOND;
  for (const snapshot of allSnapshots()) {
    const times = { changedAt: new Date(changedAt).toISOString(), confirmedAt: new Date(changedAt).toISOString() };
    const freshUntil = new Date(Date.now() + DAY).toISOString();
    await publishOver(openStore(`${directory}/facts`), { ...snapshot, ...times, freshUntil });
  }
  const seen = async (TZ: string) => {
    const port = await freePort();
    const program = await startProgram(["serve"], { directory, environment: { PORT: String(port), TZ } });
    await untilCompressed(port);
    const line = openKeepAlive(port);
    const answers: unknown[] = [];
    for (const target of PREPARED) {
      for (const encoding of ["identity", "gzip", "br"]) {
        const answer = await line.ask(
          `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
        );
        const { "cache-control": _cacheControl, ...headers } = headersOf(answer);
        answers.push([target, encoding, answer.status, headers, answer.body.toString("base64")]);
      }
    }
    return { port, program, answers };
  };
  const { program, answers } = await seen("UTC");
  program.signal("SIGTERM");
  await program.exited;
  const later = await seen("America/New_York");
  expect(later.answers).toEqual(answers);
  // A date as C writes it has no time zone: it is in GMT.
  const statusFor = async (milliseconds: number) => {
    const [, weekday, day = "", month, year, time] =
      /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/.exec(new Date(milliseconds).toUTCString()) ?? [];
    const date = `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`;
    return (await ask(later.port, PLANS, { headers: { "if-modified-since": date } })).status;
  };
  expect([await statusFor(changedAt), await statusFor(changedAt - 60_000)]).toEqual([304, 200]);
});

describe("the date of a change", () => {
  const confirmedAgain = (revision: number) => ({
    ...plansSnapshot({ plans: 3, revision, confirmedAt: NOW + SECOND }),
    changedAt: new Date(NOW).toISOString(),
  });
  const confirmedAt = async ({ get }: typeof server) => JSON.stringify((await get("/status")).json());

  test.runIf(isIn("probes"))("and the etag stay when the facts are only confirmed, and as time passes", async () => {
    const own = await startServer({ snapshots: [plansSnapshot({ plans: 3 })] });
    await untilCompressed(own.port);
    const before = await own.get(PLANS, { "accept-encoding": "br" });
    own.clock.pass(SECOND);
    await own.publish(confirmedAgain(1));
    await pollUntil(
      () => confirmedAt(own),
      (status) => status.includes("12:00:01.000Z"),
    );
    const after = await own.get(PLANS, { "accept-encoding": "br" });
    const kept = { etag: before.headers.etag, "last-modified": "Sun, 01 Mar 2026 12:00:00 GMT" };
    expect(after.headers).toMatchObject({ ...kept, "content-encoding": "br" });
    expect(await own.get(PLANS, { "if-none-match": before.headers.etag ?? "" })).toMatchObject({ status: 304 });
  });

  test("and the etag move when the facts change, and the old ones no longer give 304", async () => {
    const own = await startServer();
    const before = await own.get(PLANS);
    own.clock.pass(SECOND);
    await own.publish(plansSnapshot({ revision: 2, confirmedAt: NOW + SECOND }));
    const after = await pollUntil(
      () => own.get(PLANS),
      ({ text }) => text !== before.text,
    );
    expect(after.headers["last-modified"]).toBe("Sun, 01 Mar 2026 12:00:01 GMT");
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const { etag = "", "last-modified": changed = "" } = before.headers;
    expect((await own.get(PLANS, { "if-none-match": etag })).status).toBe(200);
    expect((await own.get(PLANS, { "if-modified-since": changed })).status).toBe(200);
  });

  test("moves alone when the facts change and change back", async () => {
    const own = await startServer();
    const before = await own.get(PLANS);
    own.clock.pass(SECOND);
    const back = { ...plansSnapshot({ confirmedAt: NOW + SECOND }), revision: 3 };
    await own.publish(back);
    const after = await pollUntil(
      () => own.get(PLANS),
      ({ headers }) => headers["last-modified"] !== before.headers["last-modified"],
    );
    expect(after.headers).toMatchObject({
      etag: before.headers.etag,
      "last-modified": "Sun, 01 Mar 2026 12:00:01 GMT",
    });
  });
});

describe("caches", () => {
  test.for(DOCUMENTS)(
    "keep a document for an hour, a feed for a minute, both longer during errors: %s",
    async (target) => {
      const maxAge = target.startsWith("/changes") ? 60 : 3600;
      const fixed = `public, max-age=${maxAge}, stale-while-revalidate=30, stale-if-error=604800`;
      expect((await server.get(target)).headers["cache-control"]).toBe(fixed);
      expect((await empty.get(target)).headers["cache-control"]).toBe(fixed);
    },
  );
});

describe("the type", () => {
  const JSON_TYPE = "application/json";
  const TYPES: [target: string, type: string | RegExp][] = [
    ...FACTS.map((target): [string, string] => [target, JSON_TYPE]),
    ["/", /^text\/html; ?charset=utf-8$/i],
    ["/api/v1", JSON_TYPE],
    ["/openapi.json", JSON_TYPE],
    ["/.well-known/api-catalog", 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    ["/.well-known/ard.json", JSON_TYPE],
    ["/.well-known/ai-catalog.json", "application/ai-catalog+json"],
    ["/.well-known/mcp/server-card.json", JSON_TYPE],
    ["/.well-known/mcp.json", JSON_TYPE],
    ["/mcp/server-card", "application/mcp-server-card+json"],
    ["/server.json", JSON_TYPE],
    ...[...INDEX, ...TWINS].map((target): [string, RegExp] => [target, /^text\/markdown; ?charset=utf-8$/i]),
    ["/overview.md", /^text\/markdown; ?charset=utf-8$/i],
    ["/faq.md", /^text\/markdown; ?charset=utf-8$/i],
    ["/llms.txt", /^text\/plain; ?charset=utf-8$/i],
    ["/robots.txt", /^text\/plain; ?charset=utf-8$/i],
    ["/sitemap.xml", "application/xml"],
    ["/favicon.ico", "image/svg+xml"],
    ["/changes.atom", "application/atom+xml"],
    ["/changes.json", "application/feed+json"],
    ...BADGES.map((target): [string, string] => [target, target.endsWith("svg") ? "image/svg+xml" : JSON_TYPE]),
    ["/.well-known/security.txt", /^text\/plain; ?charset=utf-8$/i],
    ...EMBED.map((target): [string, string] => [
      target,
      target.endsWith("js") ? "text/javascript; charset=utf-8" : JSON_TYPE,
    ]),
    ["/healthz", JSON_TYPE],
    ["/readyz", JSON_TYPE],
    ["/startupz", JSON_TYPE],
    ["/status", JSON_TYPE],
  ];

  test.for(TYPES.filter(([target]) => isServed(target)))(
    "of %s is %s, and must not be sniffed",
    async ([target, type]) => {
      for (const encoding of ["identity", "br"]) {
        const { status, headers } = await server.get(target, { "accept-encoding": encoding });
        expect(status).toBe(200);
        if (typeof type === "string") expect(headers["content-type"]).toBe(type);
        else expect(headers["content-type"]).toMatch(type);
        expect(headers["x-content-type-options"]).toBe("nosniff");
      }
    },
  );

  test("is stated for every prepared answer", () => {
    const told = new Set<string>(TYPES.map(([target]) => target));
    expect(PREPARED.filter((target) => !told.has(target))).toEqual([]);
  });
});

test("none of this was a bug of ours", () => {
  expect([...server.warnings, ...empty.warnings]).toEqual([]);
});
