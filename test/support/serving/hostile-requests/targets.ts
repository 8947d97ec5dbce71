// Targets: invalid paths, paths that a URL parser would change, and percent-encoded ones.
import { get, lines, type HostileCase } from "./build.ts";

const RELEASE = "/api/v1/releases/latest";

const INVALID =
  "marker ?marker #marker marker:443 * ftp://marker/healthz file:///marker javascript:marker data:text/html,marker http: " +
  "http:///marker http:// http:/marker/healthz http://marker@a/healthz http://marker:marker@a/healthz " +
  "http://a:marker/healthz http://marker:65536/healthz http:\\\\marker\\healthz http://[marker]/healthz " +
  "http://marker.example#marker /marker%zz /% /marker%2 /marker%% /marker%ff /marker/..%c0%afhealthz /marker%E0%A4 " +
  "/marker%ed%a0%80";

const FORMS: HostileCase[] = [
  ...INVALID.split(" ").map((target): HostileCase => [400, target, get(target)]),
  [400, "OPTIONS *", lines("OPTIONS * HTTP/1.1", "Host: a")],
  [400, "the absolute form with a space in its host", get("http://a marker/healthz")],
  [200, "the absolute form", get("http://marker.example/healthz")],
  [200, "the absolute form in capitals and with a port", get("HTTP://MARKER:81/healthz")],
  [200, "the absolute form of https", get("https://marker.example/healthz")],
  [200, "the absolute form with an address of version 6", get("http://[::1]:81/healthz")],
  [200, "the absolute form without a path", get("http://marker.example")],
  [200, "the absolute form with a query at once", get("http://marker.example?marker")],
];

/** Of programs that read a target in another way than it is written. */
const NOWHERE =
  "//marker/healthz ///marker //// /http://marker.example/healthz /{marker}|^` /../../../../etc/marker " +
  "/..%2f..%2f..%2fetc%2fmarker /..\\..\\..\\marker /..%5c..%5cmarker /marker/..;/healthz /api%2fv1 /he%2561lthz " +
  "/healthz%00marker /healthz%0d%0aX-Marker:%20marker /healthz%20 /healthz%3fmarker /healthz;marker=1 /;marker/healthz " +
  "/__proto__ /api/v1/constructor /* /** /:marker /<script>marker</script> /'\"marker\"' /${marker}{{marker}}[[marker]] " +
  "/${jndi:ldap://marker/a} /;cat$IFS/etc/marker|`marker` /HEALTHZ /vitrine.config.json?marker /.env?marker " +
  "/.well-known/openid-configuration?marker";

const PATHS: HostileCase[] = [
  ...NOWHERE.split(" ").map((target): HostileCase => [404, target, get(target)]),
  [200, "a path with dots", get("/marker/../healthz")],
  [200, "a path with encoded dots", get("/marker/%2e%2e/healthz")],
  [200, "a path with a dot", get("/./healthz")],
  [200, "dots that lead out of everything", get("/../../../../healthz")],
  [200, "dots that lead nowhere", get("/marker/..")],
  [200, "an encoded letter", get("/he%61lthz")],
  [404, "2 KiB exactly", get(`/${"m".repeat(2_047)}`)],
  [404, "a thousand slashes", get(`${"/".repeat(1_000)}marker`)],
  [200, "hundreds of dots", get(`${"/..".repeat(600)}/healthz`)],
  [200, "a fragment after a path", get("/healthz#marker")],
];

const BYTES: HostileCase[] = [
  ...["\xFF\xFE", "\xC3\xA4", "\0", "\x7F", "\x1B[31m", "\t", " ", "\r"].map((bytes): HostileCase => [
    400,
    `a target with ${JSON.stringify(bytes)}`,
    get(`/healthz${bytes}marker`),
  ]),
  [400, "a header in the target", get("/healthz HTTP/1.1\nX: marker")],
  [414, "a target of 2 KiB and a bit", get(`/${"marker".repeat(342)}`)],
  [414, "a query of 4 KiB", get(`/healthz?${"marker".repeat(683)}`)],
  [414, "the absolute form of 3 KiB", get(`http://marker.example/${"marker".repeat(512)}`)],
  [431, "a target of 20 KB", get(`/${"marker".repeat(3_500)}`)],
];

const QUERIES: HostileCase[] = [
  [400, "bytes that are not ASCII in the query", get(`${RELEASE}?platform=marker\xFF`)],
  ..."marker %00macos macos%0d%0aX:marker <script>marker</script> macos;marker macos%26marker macos?marker"
    .split(" ")
    .map((platform): HostileCase => [400, `the platform ${platform}`, get(`${RELEASE}?platform=${platform}`)]),
  [400, "a platform a hundred times", get(`${RELEASE}?${"platform=macos&".repeat(100)}`)],
  [400, "a platform that is called toString", get(`${RELEASE}?platform=toString&marker`)],
  [200, "a platform in brackets", get(`${RELEASE}?platform[__proto__]=marker`)],
  [200, "hundreds of parameters", get(`${RELEASE}?${"m=&".repeat(600)}`)],
  [200, "a query of signs", get("/healthz?&&==&?%zz&marker")],
  [502, "a fact that is missing, and a query", get(`${RELEASE}?platform=windows&marker`)],
];

export const TARGETS: HostileCase[] = [...FORMS, ...PATHS, ...BYTES, ...QUERIES];
