// The Host header: missing, repeated and invalid.
import { get, lines, type HostileCase } from "./build.ts";

const host = (value: string, target = "/healthz") => lines(`GET ${target} HTTP/1.1`, `Host:${value}`);

const REFUSED: HostileCase[] = [
  [400, "a target and a host that are no URL together", "GET /{ HTTP/1.1\r\nHost: a:99999\r\n\r\n"],
  [400, "no Host", lines("GET /marker HTTP/1.1")],
  [400, "two Hosts", get("/healthz", "Host: marker")],
  [400, "two Hosts of different names", get("/healthz", "hOST: other.marker")],
  [400, "two Hosts of HTTP/1.0", lines("GET /healthz HTTP/1.0", "Host: marker", "Host: marker")],
  [400, "two Hosts for a message", lines("POST /mcp HTTP/1.1", "Host: marker", "Host: marker", "Content-Length: 0")],
  [400, "no Host, but the absolute form", lines("GET http://marker/healthz HTTP/1.1")],
  [400, "a Host under another name", lines("GET /healthz HTTP/1.1", "X-Forwarded-Host: marker")],
  [400, "an empty Host", host("")],
  [400, "an empty Host of HTTP/1.0", lines("GET /healthz HTTP/1.0", "Host:")],
  ...[...'@/?# \t\\"<>{}\xE4\0\x7F'].map((sign): HostileCase => [
    400,
    `a Host with ${JSON.stringify(sign)}`,
    host(` a${sign}marker`),
  ]),
  ...["marker:", "marker:x", "marker:-1", "marker:65536", "marker:000080", ":80", "a:1:2", "http://marker"].map(
    (value): HostileCase => [400, `a Host like ${value}`, host(` ${value}`)],
  ),
  [400, "a Host with a password", host(" marker:marker@a")],
  [400, "a Host that is an address of version 6 without brackets", host(" ::1")],
  [400, "a Host with a bracket that is not closed", host(" [::1")],
  [400, "a Host with something behind its bracket", host(" [::1]marker")],
  [400, "a Host with a zone", host(" [fe80::1%25marker]")],
  [400, "a Host with an address of the future", host(" [v1.marker]")],
  [400, "a Host that is folded", host("\r\n marker")],
  [400, "a Host with a space before its colon", lines("GET /healthz HTTP/1.1", "Host : marker")],
];

const ACCEPTED: HostileCase[] = [
  [404, "a Host that looks like an address", host(" 1.2.3.999", "/{")],
  [400, "a Host that looks like an address of version 6", host(" [:::]", "/{")],
  [404, "a Host that is bad Punycode", host(" xn--a", "/a/../{")],
  [200, "a Host of stars", host(" *.marker")],
  [200, "a Host of points", host(" ...")],
  [400, "a Host with an invalid escape", host(" %zz.marker")],
  [200, "a Host of 4 KB", host(` ${"marker.".repeat(600)}`)],
  [200, "a Host called __proto__", host(" __proto__")],
  [200, "a Host with the port 0", host(" marker:0")],
  [200, "another Host than the absolute form has", get("http://other.example/healthz")],
];

export const HOSTS: HostileCase[] = [...REFUSED, ...ACCEPTED];
