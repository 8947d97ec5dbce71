// The request line: methods, versions and the white space between them.
import { get, lines, type HostileCase } from "./build.ts";

const line = (first: string) => lines(first, "Host: marker");
const method = (name: string, target = "/healthz") => line(`${name} ${target} HTTP/1.1`);
const version = (text: string) => line(`GET /healthz ${text}`);

const GARBAGE: HostileCase[] = [
  [400, "garbage", "\0\x01\xFF marker\r\n\r\n"],
  [400, "a TLS greeting", "\x16\x03\x01\x02\0\x01\0\x01\xFC\x03\x03marker\r\n\r\n"],
  [400, "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  [400, "a byte order mark before the request", `\xEF\xBB\xBF${get("/healthz")}`],
  [400, "an answer", "HTTP/1.1 200 OK\r\nX-Marker: marker\r\nContent-Length: 0\r\n\r\n"],
];

const METHODS: HostileCase[] = [
  [400, "an unknown method", method("MARKER")],
  [400, "a method in lower case", method("get")],
  [400, "no method", line(" /healthz HTTP/1.1")],
  [400, "a method with a NUL", method("G\0T")],
  [400, "a method called constructor", method("constructor")],
  [400, "a method of 20 KB", method("MARKER".repeat(3_500))],
  // The parser of node:http knows these two protocols and treats them as HTTP/1.0.
  [404, "SOURCE, as streams are sent", line("SOURCE /marker ICE/1.0")],
  [200, "GET of RTSP", version("RTSP/1.0")],
  [405, "CONNECT", lines("CONNECT marker:443 HTTP/1.1", "Host: marker:443")],
  [405, "CONNECT with a body", `${lines("CONNECT marker:443 HTTP/1.1", "Host: a", "Content-Length: 6")}marker`],
  [405, "CONNECT and a request inside", lines("CONNECT marker:443 HTTP/1.1", "Host: a") + get("/healthz")],
  [405, "TRACE", method("TRACE")],
  [405, "DELETE", method("DELETE", "/api/v1/plans")],
  [405, "PURGE", method("PURGE", "/api/v1/plans")],
  [405, "POST of a fact", lines("POST /api/v1/plans HTTP/1.1", "Host: marker", "Content-Length: 0")],
  [405, "GET of the message endpoint", method("GET", "/mcp")],
  [405, "HEAD of the message endpoint", method("HEAD", "/mcp")],
  [404, "TRACE of an unknown path", method("TRACE", "/marker")],
];

const VERSIONS: HostileCase[] = [
  [400, "HTTP/2.0", line("GET /healthz HTTP/2.0")],
  [400, "HTTP/0.9", line("GET /healthz HTTP/0.9")],
  [400, "HTTP/1.2", version("HTTP/1.2")],
  [400, "no version", "GET /marker\r\n\r\n"],
  [400, "a version of two digits", version("HTTP/1.10")],
  [400, "a version that is followed by a NUL", version("HTTP/1.1\0")],
  [400, "another protocol", version("MARKER/1.1")],
  [400, "GET of ICE", version("ICE/1.0")],
  [200, "HTTP/1.0 without Host", lines("GET /healthz HTTP/1.0")],
  [200, "HTTP/1.0 that would be kept alive", "GET /healthz HTTP/1.0\r\nConnection: marker\r\n\r\n"],
];

const SPACES: HostileCase[] = [
  [400, "a space before the request line", line(" GET /healthz HTTP/1.1")],
  [400, "a tab after the method", line("GET\t/healthz HTTP/1.1")],
  [400, "lines without carriage returns", get("/healthz").replaceAll("\r\n", "\n")],
  [400, "a request line with two carriage returns", get("/healthz").replace("\r\n", "\r\r\n")],
  [200, "empty lines before the request", `\r\n\r\n${get("/healthz")}`],
];

export const REQUEST_LINES: HostileCase[] = [...GARBAGE, ...METHODS, ...VERSIONS, ...SPACES];
