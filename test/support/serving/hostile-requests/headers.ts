// Header lines: their syntax, their size, and names with a meaning to some software.
import { get, lines, type HostileCase } from "./build.ts";

const header = (...all: string[]) => get("/healthz", ...all);

const LONG = "marker".repeat(3_500);

const SYNTAX: HostileCase[] = [
  [400, "a NUL in a header", header("X-Other: marker\0")],
  [400, "a folded header", header("X-Other: a", " marker")],
  [400, "a space before a header's colon", header("X-Other : marker")],
  [400, "a space in a header's name", header("X Other: marker")],
  [400, "a header without a colon", header("marker")],
  [400, "a header that ends in a line feed alone", header("X-Other: a\nX-Another: marker")],
  [400, "headers that end in a carriage return and a letter", `${header().slice(0, -1)}marker`],
  [200, "a header that is not ASCII", header("X-Other: m\xE4rker\xFF")],
  [200, "a header without a value", header("X-Other:")],
  [200, "a header with spaces around", header("X-Other: \t marker \t ")],
  [200, "a header called __proto__", header("__proto__: marker")],
  [200, "a header's name of odd signs", header("!#$%&'*+-.^_`|~: marker")],
  [200, "a header's name of 4 KB", header(`${"marker".repeat(680)}: marker`)],
];

const SIZES: HostileCase[] = [
  [431, "a header of 20 KB", header(`X-Other: ${LONG}`)],
  [431, "a header's name of 20 KB", header(`${LONG}: marker`)],
  [431, "cookies of 20 KB", header(...Array.from({ length: 5 }, () => `Cookie: ${"marker".repeat(700)}`))],
  [431, "a header of 20 KB in HTTP/1.0", lines("GET /healthz HTTP/1.0", `X-Other: ${LONG}`)],
  [431, "3,000 headers", header(...Array.from({ length: 3_000 }, (_, index) => `X-${index}: marker`))],
  [431, "3,000 headers of one name", header(...Array.from({ length: 3_000 }, () => "X-Other: marker"))],
  [200, "300 headers", header(...Array.from({ length: 300 }, (_, index) => `X-${index}: marker`))],
  [200, "a header of 10 KB", header(`X-Other: ${"marker".repeat(1_700)}`)],
  [200, "a cookie of hundreds", header(`Cookie: ${"marker=1; ".repeat(500)}`)],
];

const MEANINGS: HostileCase[] = [
  [417, "an unknown expectation", header("Expect: marker")],
  [417, "an expectation of two", header("Expect: 100-continue, marker")],
  [417, "an expectation of another answer", header("Expect: 200-ok")],
  [417, "an expectation twice", header("Expect: 100-continue", "Expect: marker")],
  [[100, 200], "an expectation without a body", header("Expect: 100-Continue")],
  [200, "an upgrade to web sockets", header("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")],
  [200, "an upgrade to HTTP/2", header("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA")],
  [200, "an upgrade to an unknown protocol", header("Connection: Upgrade", "Upgrade: marker/7, TLS/1.0")],
  [200, "an upgrade without Connection", header("Upgrade: websocket")],
  [200, "a connection that names the Host", header("Connection: Host, Content-Length")],
  [200, "a connection of nonsense", header("Connection: ,,marker;=,")],
  [200, "a keep-alive of years", header("Keep-Alive: timeout=99999999, max=marker")],
  [200, "trailers that are announced and do not come", header("Trailer: marker", "TE: trailers, marker;q=9")],
  [200, "a range", header("Range: bytes=0-0,marker")],
  [200, "a million ranges", header(`Range: bytes=${"0-,".repeat(3_000)}0-`)],
  [200, "credentials", header("Authorization: Basic marker", "Proxy-Authorization: marker", "Cookie: a=marker")],
  [200, "an invalid origin", header("Origin: marker\xFF")],
  [200, "an origin of null", header("Origin: null", "Access-Control-Request-Private-Network: true")],
  [200, "an invalid date", header("Date: marker", "Max-Forwards: -1")],
  [200, "HTTP/2's own names as headers", header("x-method: DELETE", "x-path: /marker", "x-authority: marker")],
  [400, "HTTP/2's own names with their colons", header(":method: DELETE", ":path: /marker")],
  [200, "headers of tracing", header("traceparent: marker", "tracestate: marker=1", "baggage: marker=1")],
];

const preflight = (...headers: string[]) => lines("OPTIONS /api/v1 HTTP/1.1", "Host: a", "Origin: null", ...headers);

const PREFLIGHTS: HostileCase[] = [
  [204, "a preflight for an invalid method", preflight("Access-Control-Request-Method: marker")],
  [204, "a preflight for invalid headers", preflight("Access-Control-Request-Headers: <marker>")],
  [204, "a preflight for a header's value", preflight("Access-Control-Request-Headers: marker: marker")],
  [204, "a preflight for headers that are not ASCII", preflight("Access-Control-Request-Headers: marker\xFF")],
  [204, "a preflight for 4 KB of headers", preflight(`Access-Control-Request-Headers: ${"marker,".repeat(600)}`)],
  [204, "a preflight with a body", `${preflight("Content-Length: 6")}marker`],
  [404, "a preflight for an unknown path", lines("OPTIONS /marker HTTP/1.1", "Host: a", "Origin: http://marker")],
];

export const HEADERS: HostileCase[] = [...SYNTAX, ...SIZES, ...MEANINGS, ...PREFLIGHTS];
