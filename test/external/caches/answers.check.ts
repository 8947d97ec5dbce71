// The shipped settings, in the real nginx, in front of the real server: whether cached or not, every answer is Vitrine's own.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { afterTests } from "../../support/clean-up.ts";
import { oneOf, seeded } from "../../support/random.ts";
import { DOWNLOADS, FACTS, PREPARED, SHARED, untilCompressed } from "../../support/serving/prepared-targets.ts";
import { sendRaw, parseReplies, type RawReply } from "../../support/serving/raw-connection.ts";
import { ask, type Reply } from "../../support/serving/server.ts";
import { NO_NGINX, startNginx } from "./nginx.ts";
import { ERROR_HEADERS, startOrigin, type TestOrigin } from "./origin.ts";

const DAY = 24 * 60 * 60 * 1_000;
const [PLANS, LATEST] = FACTS;

describe("from nginx,", { skip: NO_NGINX !== undefined }, () => {
  let origin: TestOrigin;
  let port: number;
  const onFinished = afterTests();
  beforeAll(async () => {
    origin = await startOrigin({ onFinished });
    await origin.publish(1, DAY);
    await untilCompressed(origin.port);
    port = await startNginx(origin.port, onFinished);
  });

  function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return ask(port, path, { headers });
  }

  /** The targets of the requests that Vitrine gets meanwhile. */
  async function reachingVitrine(act: () => Promise<unknown>): Promise<string[]> {
    const before = origin.requests.length;
    await act();
    return origin.requests.slice(before).map(({ method, url }) => `${method} ${url}`);
  }

  test("a cached answer needs no request to Vitrine, also for HEAD and under every name", async () => {
    const { text, headers } = await get(PLANS);
    const asked = await reachingVitrine(async () => {
      expect(await get(PLANS)).toMatchObject({ status: 200, text });
      expect(await get(PLANS, { host: "other.example" })).toMatchObject({ status: 200, text });
      expect(await get(PLANS, { cookie: "a=b", authorization: "c" })).toMatchObject({ status: 200, text });
      const head = await ask(port, PLANS, { method: "HEAD" });
      expect(head).toMatchObject({ status: 200, text: "" });
      expect(head.headers.etag).toBe(headers.etag);
    });
    expect(asked).toEqual([]);
  });

  test("a client that already has it gets 304 without a request to Vitrine", async () => {
    for (const encoding of ["identity", "gzip", "br"]) {
      const { headers } = await get(PLANS, { "accept-encoding": encoding });
      const { etag = "" } = headers;
      const asked = await reachingVitrine(async () => {
        const reply = await get(PLANS, { "accept-encoding": encoding, "if-none-match": etag });
        expect(reply).toMatchObject({ status: 304, text: "", headers: { etag } });
      });
      expect(asked).toEqual([]);
    }
  });

  test("every encoding is the requested one, and makes one copy", async () => {
    const { text } = await origin.get(PLANS);
    const asked = await reachingVitrine(async () => {
      for (const [expected, ...spellings] of ENCODINGS) {
        for (const spelling of spellings) {
          const reply = await get(PLANS, spelling === undefined ? {} : { "accept-encoding": spelling });
          expect(reply.headers["content-encoding"], spelling).toBe(expected);
          expect(decoded(reply), spelling).toBe(text);
          expect(reply.headers.vary).toBe("Accept-Encoding");
        }
      }
    });
    expect(asked).toEqual([]);
  });

  test("a header in two lines spoils no copy for other clients", async () => {
    // An address without copies, and the page.
    for (const path of [`${PLANS}/`, "/"]) {
      for (const lines of [
        "Accept-Encoding: gzip\r\nAccept-Encoding: br",
        "Accept: text/html\r\nAccept: text/markdown",
      ]) {
        await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\nConnection: close\r\n\r\n`);
      }
      const { text } = await origin.get(path);
      for (const encoding of ["identity", "gzip", "br"]) {
        const reply = await get(path, { "accept-encoding": encoding });
        expect(reply.headers["content-encoding"] ?? "identity").toBe(encoding);
        expect(decoded(reply)).toBe(text);
      }
    }
  });

  test("every answer, cached or not, is Vitrine's own, in every spelling of the address", async () => {
    for (const target of [...PREPARED, ...DOWNLOADS, ...SHARED, ...ODDITIES, ...randomQueries(200)]) {
      const expected = told(await origin.get(target));
      expect(told(await get(target)), target).toEqual(expected);
      expect(told(await get(target)), target).toEqual(expected);
    }
  });

  test("the page has the requested form, in any order of requests", async () => {
    const wishes = [
      undefined,
      "text/markdown",
      "text/html",
      "*/*",
      "text/markdown, text/html;q=0.9",
      "text/markdown;q=0",
    ];
    for (const wish of [...wishes, ...wishes.toReversed()]) {
      for (const encoding of ["identity", "gzip", "br"]) {
        const headers = { "accept-encoding": encoding, ...(wish !== undefined && { accept: wish }) };
        const expected = await ask(origin.port, "/", { headers });
        const reply = await get("/", headers);
        expect(reply.headers["content-type"], wish).toBe(expected.headers["content-type"]);
        expect(decoded(reply), wish).toBe(decoded(expected));
      }
    }
  });

  test("/download leads each client to the installer for its own system, in any order of requests", async () => {
    const agents = ["Mozilla/5.0 (Macintosh; Intel)", "Mozilla/5.0 (Windows NT 10.0)", "curl/8.11.0"];
    for (const agent of [...agents, ...agents.toReversed()]) {
      const { headers } = await ask(origin.port, "/download", { headers: { "user-agent": agent } });
      const reply = await get("/download", { "user-agent": agent });
      expect([reply.status, reply.headers.location, reply.headers.vary]).toEqual([302, headers.location, headers.vary]);
    }
  });

  test("links to an installer are cached like facts", async () => {
    const { headers } = await get("/download/macos");
    const asked = await reachingVitrine(async () => {
      expect((await get("/download/macos?from=mail")).headers.location).toBe(headers.location);
    });
    expect(asked).toEqual([]);
  });

  test("spellings of Accept make no copies of the page", async () => {
    const spellings = Array.from({ length: 20 }, (_, index) => `text/markdown;q=0.${index + 10}, text/html`);
    await get("/", { accept: "text/markdown" });
    await get("/");
    const asked = await reachingVitrine(async () => {
      for (const accept of [...spellings, ...spellings]) expect((await get("/", { accept })).status).toBe(200);
    });
    expect(asked).toHaveLength(2 * spellings.length);
  });

  test("parameters that Vitrine ignores make no copies", async () => {
    for (const target of FACTS) {
      const [path = "", query] = target.split("?");
      const { text } = await get(target);
      const asked = await reachingVitrine(async () => {
        for (const noise of IGNORED) {
          for (const spelled of query ? [`${noise}&${query}`, `${query}&${noise}`] : [noise]) {
            expect(await get(`${path}?${spelled}`), spelled).toMatchObject({ status: 200, text });
          }
        }
      });
      expect(asked).toEqual([]);
    }
  });

  test("HEAD has the headers of GET", async () => {
    for (const target of PREPARED) {
      const { status, headers } = await get(target, { "accept-encoding": "br" });
      const head = await ask(port, target, { method: "HEAD", headers: { "accept-encoding": "br" } });
      expect(head, target).toMatchObject({ status, text: "" });
      for (const name of ["etag", "content-type", "content-length", "content-encoding", "cache-control", "vary"]) {
        expect(head.headers[name], `${name} of ${target}`).toBe(headers[name]);
      }
    }
  });

  test("uncacheable answers are requested from Vitrine each time", async () => {
    const targets = ["/healthz", "/readyz", "/startupz", "/status", "/nothing", `${LATEST}?platform=linux`, "/mcp"];
    for (const target of targets) {
      const asked = await reachingVitrine(async () => {
        for (let count = 0; count < 3; count++) expect(told(await get(target))).toEqual(told(await origin.get(target)));
      });
      // Half of them came straight from here.
      expect(asked, target).toHaveLength(6);
    }
  });

  test("MCP messages pass, and so do other methods than GET and HEAD", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { "content-type": "application/json" };
    const asked = await reachingVitrine(async () => {
      for (let count = 0; count < 2; count++) {
        const { status, json } = await ask(port, "/mcp", { method: "POST", headers, body });
        expect({ status, answer: json() }).toMatchObject({
          status: 200,
          answer: { id: 1, result: { tools: [{}, {}] } },
        });
      }
      expect(await ask(port, "/mcp", { method: "OPTIONS" })).toMatchObject({ status: 204 });
      for (const method of ["POST", "PUT", "DELETE"]) {
        expect(await ask(port, PLANS, { method, headers, body })).toMatchObject({ status: 405 });
      }
    });
    expect(asked).toHaveLength(6);
  });

  test.for(UNUSUAL)("%s: Vitrine's own answer", async ([, request]) => {
    const expected = await exchange(origin.port, request);
    // At first, and when the plain one is kept.
    for (let count = 0; count < 2; count++) {
      const reply = await exchange(port, request);
      expect(reply).toMatchObject({ status: expected.status, body: expected.body });
      expect(reply.headers).not.toHaveProperty("accept-ranges");
      await get(PLANS);
    }
  });

  test.for([...REFUSED, ...UNREADABLE])(
    "%s: Vitrine's status, and its answer or an error in its shape",
    async ([, request]) => {
      const expected = await exchange(origin.port, request);
      const reply = await exchange(port, request);
      expect(reply.status).toBe(expected.status);
      expectShape(reply);
      if (reply.status === 405) expect(reply.headers.allow).toMatch(/^GET, HEAD, /);
    },
  );

  test("a target that nginx itself refuses: an error in Vitrine's shape", async () => {
    for (const target of ["/%00", "/../x", `/${"y".repeat(20_000)}`]) {
      const reply = await exchange(port, head(`GET ${target} HTTP/1.1`));
      expect([400, 414]).toContain(reply.status);
      expectShape(reply);
    }
  });

  test.for(IN_CHUNKS)("%s: an error in Vitrine's shape", async ([, request, status]) => {
    const reply = await exchange(port, request);
    expect(reply.status).toBe(status);
    expectShape(reply);
  });

  test("the longest message arrives whole", async () => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }).padEnd(64 * 1024);
    for (const request of [post("/mcp", message), chunked("/mcp", message)]) {
      expect(await exchange(port, request)).toMatchObject({ status: 200, body: expect.stringContaining('"id":1') });
    }
  });

  test("nothing after a long message reaches Vitrine on its connection", async () => {
    const asked = await reachingVitrine(() =>
      exchange(port, post("/mcp", "x".repeat(100_000)) + head("GET /healthz HTTP/1.1")),
    );
    expect(asked).not.toContain("GET /healthz");
  });
});

function head(...lines: string[]): string {
  return [...lines, "Host: api.example.com", "Connection: close", "", ""].join("\r\n");
}

function post(path: string, body: string): string {
  return head(`POST ${path} HTTP/1.1`, "Content-Type: application/json", `Content-Length: ${body.length}`) + body;
}

function chunked(path: string, body: string): string {
  const lines = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
  return `${head(`POST ${path} HTTP/1.1`, ...lines)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

async function exchange(port: number, request: string) {
  const [reply] = parseReplies(await sendRaw(port, request));
  if (!reply) throw new Error("no answer came");
  return reply;
}

type Requests = [what: string, request: string][];

const UNUSUAL: Requests = [
  ...[
    'If-Match: "x"',
    "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
    "Range: bytes=0-9",
    "Range: bytes=99999-",
    'Range: bytes=0-9\r\nIf-Range: "x"',
  ].map((line): Requests[0] => [line.replace("\r\n", ", "), head(`GET ${PLANS} HTTP/1.1`, line)]),
  ["Range for an uncacheable answer", head("GET /healthz HTTP/1.1", "Range: bytes=0-9")],
  ["Range for an odd spelling", head(`GET ${LATEST}?%70latform=macos HTTP/1.1`, "Range: bytes=0-9")],
  ["a header of 15 KB", head(`GET ${PLANS} HTTP/1.1`, `X: ${"y".repeat(15_000)}`)],
  ["headers of 15 KB", head(`GET ${PLANS} HTTP/1.1`, ...Array<string>(10).fill(`X: ${"y".repeat(1_500)}`))],
  ["200 headers", head(`GET ${PLANS} HTTP/1.1`, ...Array<string>(200).fill("X: y"))],
  ["a header that is too long", head("GET /healthz HTTP/1.1", `X: ${"y".repeat(20_000)}`)],
  ["a target of 9 KB", head(`GET /${"y".repeat(9_000)} HTTP/1.1`)],
];

const REFUSED: Requests = [
  ["TRACE", head("TRACE / HTTP/1.1")],
  ["an unknown method", head("UNKNOWN / HTTP/1.1")],
  ["a malformed path", head("GET /%zz HTTP/1.1")],
  ["a message that is just too long", post("/mcp", "x".repeat(64 * 1024 + 1))],
  ["a message of 900 KB", post("/mcp", "x".repeat(900_000))],
  ["a message of 2 MB", post("/mcp", "x".repeat(2_000_000))],
  ["a long body where none is taken", post("/mcp/server-card", "x".repeat(64 * 1024))],
];

const IN_CHUNKS: [what: string, request: string, status: number][] = [
  ["a message of 2 MB in chunks", chunked("/mcp", "x".repeat(2_000_000)), 413],
  [
    "a broken chunk",
    `${head("POST /mcp HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked")}zz\r\n`,
    400,
  ],
];

const UNREADABLE: Requests = [
  ["no HTTP", "hello\r\n\r\n"],
  ["another version of HTTP", head("GET / HTTP/2.0")],
  ["two hosts", head("GET / HTTP/1.1", "Host: other.example")],
  ["a space in the target", head("GET /a b HTTP/1.1")],
  ["a length that is none", head("POST /mcp HTTP/1.1", "Content-Length: x")],
  ["an unknown transfer encoding", head("POST /mcp HTTP/1.1", "Transfer-Encoding: gzip")],
];

/** The answer to a client, as it arrives. */
const ENCODINGS: [encoding: "br" | "gzip" | undefined, ...spellings: (string | undefined)[]][] = [
  [undefined, undefined, "", "identity", "br;q=0", "gzip;q=0, br;q=0.000", "deflate", "zstd", "brx, gzipx", "br;q=2"],
  ["gzip", "gzip", "gzip, deflate", "GZIP", "deflate,gzip;q=0.5", "gzip;q=1.0, identity; q=0.5", "gzip, br;q=0"],
  ["br", "br", "gzip, deflate, br", "gzip, deflate, br, zstd", "BR", "br;q=1.0", " gzip ,br ;q=0.8,*;q=0.1"],
];

function decoded({ headers, bytes }: Reply): string {
  const encoding = headers["content-encoding"];
  if (encoding === undefined) return bytes.toString();
  return (encoding === "br" ? brotliDecompressSync : gunzipSync)(bytes).toString();
}

/** The words of a text, since no target has a space. */
function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const IGNORED = [
  ...words(
    "x=1 utm=a%20b x x=1&x=2 = && x== xplatform=1 platforms=linux platform2 Platform=windows x=platform=windows",
  ),
  ...words("a+b=%70 x=? ? a;b=1 a.b[c]=d"),
  `x=${"y".repeat(1_900)}`,
  "a&".repeat(900),
  "a=b&".repeat(450),
];

/** Targets that could be taken for another: their answers, good or bad, are Vitrine's. */
const ODDITIES = [
  ...words(`
    =macos&platform=macos =macos&platform=windows =windows&platform =windows&%70latform=macos =windows#&platform=macos
    = =MACOS =linux ==windows []=windows %3Dwindows %00=windows +=windows =+windows =windows+ =windows%20 =windows%00
    =%77indows =windows& =windows# =windows#x =windows; =windows? =__proto__ =windows&a=%zz =windows&%=1 =windows&Ä=1
  `).map((rest) => `${LATEST}?platform${rest}`),
  ...words(`
    ? ?? ?platform ??platform=windows ?PLATFORM=windows ?%70latform=windows ?%70%6c%61%74%66%6f%72%6d=windows
    ?;platform=windows ?a;platform=windows ?a%26platform=windows ?a=%26platform=windows ?plat+form=windows
    ?x?platform=windows ?#platform=windows #?platform=windows ?a#&platform=windows ?a=# / x /x /?platform=windows
    //?platform=windows /../latest?platform=windows /.?platform=windows %3Fplatform=windows %2F?platform=windows
    ;platform=windows &platform=windows
  `).map((rest) => LATEST + rest),
  ...words(`
    /api/v1/releases/%6Catest?platform=windows /api/v1/releases/LATEST?platform=windows /api/v1/releases /api/v1/releases/
    /api/v1/releases/./latest?platform=windows /api/v1/releases//latest?platform=windows /API/v1/releases/latest
    //api/v1/releases/latest?platform=windows /./api/v1/releases/latest?platform=windows /a?b/../c
    /x/../api/v1/releases/latest?platform=windows http://other.example/api/v1/releases/latest?platform=windows
    http://other.example/api/v1/plans?x /api/v1/plans/ /api/v1/plans// //api/v1/plans /api/v1/PLANS /api/v1/%70lans
    /changes.json?since=x /changes.json/?since=x /changes.json?%73ince=x /changes.json?a&since=x /changes.json?since
    /changes.json?since=2026-11-22 /changes.json?x /changes%2Ejson?since=x /badge/macos.svg?since=x /badge/macos.svg/
    /api/v1/plans%2F /api/v1/plans;x /api/v1/plans. /api/v1/plans/. /api/v1/plans/.. /api/v1/plans#x /api/v1/ /api/v1#?
    /?x=1 // /llms.txt/ /.well-known /.well-known/ /.hidden /vitrine-error /openapi.json?x /api/v1/plans?Ä
  `),
  `${PLANS}?${"y".repeat(2_100)}`,
];

/** Queries of pieces that matter. */
function randomQueries(count: number): string[] {
  const pieces = ["platform", "platform", "=", "=", "&", "&", "macos", "windows", "%70", "%", "+", "?", "x", "latform"];
  const random = seeded(1);
  const piece = () => oneOf(random, pieces);
  return Array.from({ length: count }, () => `${LATEST}?${Array.from({ length: random() * 8 }, piece).join("")}`);
}

/** The answer to a client, without the traces of its way. */
function told({ status, text, headers }: Reply) {
  const {
    etag,
    "content-type": type,
    allow,
    "access-control-allow-origin": origins,
    "last-modified": changed,
    location,
  } = headers;
  const isKept = headers["cache-control"] !== "no-store";
  return { status, text, etag, type, allow, origins, changed, location, isKept };
}

/** An error of REST or of MCP. */
function expectShape({ headers, body }: RawReply): void {
  expect(headers).toMatchObject(ERROR_HEADERS);
  expect(JSON.parse(body)).toHaveProperty("error");
}
