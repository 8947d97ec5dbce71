// Several requests on one connection: good after bad, bad after good, and requests that end too early.
import { chunked, get, keep, lines, message, PING, post, type HostileCase } from "./build.ts";

const GOOD = keep("/healthz");

const TWO_HOSTS = keep("/healthz", "Host: marker");

const CONNECT = lines("CONNECT marker:443 HTTP/1.1", "Host: a");
const BAD_CHUNK = chunked("marker\r\n");
const posted = message(PING).replace("Connection: close\r\n", "");
const SLOW = keep("/marker") + posted + keep("/marker");

const BEHIND_BAD: HostileCase[] = [
  [400, "a request behind garbage", `marker\r\n\r\n${get("/healthz")}`],
  [
    400,
    "a request behind two Hosts and no body",
    lines("POST /mcp HTTP/1.1", "Host: a", "Host: b", "Content-Length: 0") + get("/healthz"),
  ],
  [400, "a request behind an invalid target", keep("marker") + get("/healthz")],
  [414, "a request behind a long target", keep(`/${"marker".repeat(400)}`) + get("/healthz")],
  [417, "a request behind an expectation", keep("/healthz", "Expect: marker") + get("/healthz")],
  [400, "a request behind a bad header", keep("/healthz", "X : marker") + get("/healthz")],
  [431, "a request behind long headers", keep("/healthz", `X: ${"marker".repeat(3_500)}`) + get("/healthz")],
  [
    400,
    "a request behind a length and chunks",
    `${post("", "Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n${get("/healthz")}`,
  ],
  [400, "a request behind a bad chunk", BAD_CHUNK + get("/healthz")],
];

/** Bytes after the last request of a connection: none of them is answered. */
const BEHIND_LAST: HostileCase[] = (
  [
    [200, "the last request", get("/healthz")],
    [200, "the last message, answered slowly", message(PING)],
    [400, "two Hosts, kept alive", TWO_HOSTS],
    // After it the parser of node:http waits, and never reports bytes that it cannot read.
    [200, "an upgrade that was ignored", keep("/healthz", "Connection: Upgrade", "Upgrade: h2c")],
  ] as const
).flatMap(([status, what, last]) => [
  [status, `a request behind ${what}`, last + get("/marker")],
  [status, `garbage behind ${what}`, `${last}marker\r\n\r\n`],
  [status, `a NUL behind ${what}`, `${last}\r\n\0`],
  [status, `CONNECT behind ${what}`, last + CONNECT],
  [status, `a bad chunk behind ${what}`, last + BAD_CHUNK],
]);

const BEHIND_GOOD: HostileCase[] = [
  [[200, 400], "garbage behind a request", `${GOOD}marker\r\n\r\n`],
  [[200, 400], "a body without a length", `${GOOD}marker=marker&marker=marker\r\n\r\n`],
  [[200, 400], "two Hosts behind a request", GOOD + TWO_HOSTS],
  [[200, 404, 400], "a bad version behind two requests", `${GOOD}${keep("/marker")}GET / HTTP/7.0\r\n\r\n`],
  [[200, 414], "a long target behind a request", GOOD + get(`/${"marker".repeat(400)}`)],
  [[200, 431], "long headers behind a request", GOOD + get("/", `X: ${"marker".repeat(3_500)}`)],
  [[200, 405], "CONNECT behind a request", GOOD + CONNECT],
  [[200, 200], "Expect: 100-continue behind a request", GOOD + get("/healthz", "Expect: 100-continue")],
  [
    [200, 200],
    "Expect: 100-continue between requests, which ends the connection",
    GOOD + keep("/healthz", "Expect: 100-continue") + get("/healthz"),
  ],
  [[404, 200, 404, 200], "Expect: 100-continue behind slow answers", SLOW + message(PING, "Expect: 100-continue")],
  [[404, 200, 404, 405], "CONNECT behind slow answers", SLOW + CONNECT],
  [[200, 417], "an expectation behind a request", GOOD + get("/healthz", "Expect: marker")],
  [[200, 400], "a message that is longer than it says", `${posted.replace(/}$/, "}}")}\r\n\r\n`],
  [[200, 200], "a message and a request in one piece", posted + get("/healthz")],
  [[405, 200], "a message to a fact, and a request", posted.replace("/mcp", "/api/v1") + get("/healthz")],
  [[404, 200], "a message to an unknown path, and a request", posted.replace("/mcp", "/marker") + get("/healthz")],
  [
    [200, 200, 404, 200],
    "empty lines between requests",
    `${GOOD}\r\n\r\n${GOOD}\r\n${keep("/marker")}\r\n\r\n\r\n${get("/healthz")}`,
  ],
  [[404, 200, 404, 400], "garbage behind slow answers", `${SLOW}marker\r\n\r\n`],
  [[404, 200, 404, 400], "a bad chunk behind slow answers", SLOW + BAD_CHUNK],
  [[200, 400], "a bad chunk of a type that is refused", posted + BAD_CHUNK.replace("application/json", "text/marker")],
  [[200, 200, 400], "garbage behind a bad chunk behind requests", `${GOOD}${GOOD}${BAD_CHUNK}marker\r\n\r\n`],
  [[...Array<number>(8).fill(200), 400], "two Hosts behind eight requests", GOOD.repeat(8) + TWO_HOSTS],
  [
    Array<number>(9).fill(200),
    "two Hosts behind nine requests, the most that are answered",
    GOOD.repeat(9) + TWO_HOSTS,
  ],
];

/** After these the client closes its side. */
export const TRUNCATED: HostileCase[] = [
  [400, "a method and no more", "GET"],
  [400, "a request line and no more", "GET /marker HTTP/1.1\r\n"],
  [400, "a request line without its end", "GET /marker HTTP/1.1"],
  [400, "headers without their end", "GET /healthz HTTP/1.1\r\nHost: marker\r\n"],
  [400, "half of a header", "GET /healthz HTTP/1.1\r\nHost: mar"],
  [400, "half of a body", post('{"jsonrpc"', "Content-Length: 99")],
  [400, "half of a chunk", post('99\r\n{"jsonrpc"', "Transfer-Encoding: chunked")],
  [400, "chunks without the last", post("2\r\n{}\r\n", "Transfer-Encoding: chunked")],
  [400, "a last chunk without its end", post("2\r\n{}\r\n0\r\n", "Transfer-Encoding: chunked")],
  [[200, 400], "half of a request behind a whole one", `${GOOD}GET /mar`],
];

export const PIPELINED: HostileCase[] = [...BEHIND_BAD, ...BEHIND_LAST, ...BEHIND_GOOD];
