// Nonsensical conditions, encodings and types, for answers that depend on them.
import { get, lines, type HostileCase } from "./build.ts";

const PLANS = "/api/v1/plans";
const plans = (...headers: string[]) => get(PLANS, ...headers);
const description = (...headers: string[]) => get("/openapi.json", ...headers);
const none = (value: string) => plans(`If-None-Match: ${value}`);
const since = (value: string) => plans(`If-Modified-Since: ${value}`);
const accept = (value: string) => description(`Accept-Encoding: ${value}`);

const TAGS: HostileCase[] = [
  [304, "any tag", none("*")],
  [304, "any tag by HEAD", lines(`HEAD ${PLANS} HTTP/1.1`, "Host: a", "If-None-Match: *")],
  [502, "any tag of a fact that is missing", get("/api/v1/releases/latest?platform=windows", "If-None-Match: *")],
  [200, "any tag and another", none('*, "marker"')],
  [200, "a tag that is not closed", none('"marker')],
  [200, "tags that are not closed", none('"marker'.repeat(500))],
  [200, "a tag of quotes", none('"'.repeat(5_001))],
  [200, "a thousand commas", none(",".repeat(1_000))],
  [200, "a thousand weak signs", none("W/".repeat(1_000))],
  [200, "a tag that is not ASCII", none('"m\xE4rker\xFF"')],
  [200, "a tag of 10 KB", none(`"${"marker".repeat(1_700)}"`)],
  [200, "a tag called __proto__", none('"__proto__", "constructor"')],
  [200, "two wrong tags", plans('If-None-Match: "marker"', 'If-None-Match: "marker"')],
  [200, "a condition on writing by date", plans("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT")],
];

const DATES: HostileCase[] = [
  [200, "a date of the month 13", since("Thu, 99 Xyz 2099 99:99:99 GMT")],
  [200, "a date of a year of five digits", since("Thu, 01 Jan 20990 00:00:00 GMT")],
  [200, "a date with a negative year", since("Thu, 01 Jan -099 00:00:00 GMT")],
  [200, "a date with something behind", since("Thu, 01 Jan 2099 00:00:00 GMT marker")],
  [200, "a date in small letters", since("thu, 01 jan 2099 00:00:00 gmt")],
  [200, "a date that is not ASCII", since("Thu, 01 J\xE4n 2099 00:00:00 GMT")],
  [200, "a date of a million digits, nearly", since("9".repeat(9_999))],
  [200, "a date of spaces", since(`Thu,${" ".repeat(5_000)}marker`)],
];

const ENCODINGS: HostileCase[] = [
  [200, "an unknown encoding", accept("marker;q=1.0")],
  [200, "an encoding with a negative weight", accept("br;q=-1")],
  [200, "an encoding of many weights", accept(`br${";q=0".repeat(2e3)}`)],
  [200, "an encoding with a long weight", accept(`br;q=0.${"0".repeat(5_000)}`)],
  [200, "a thousand encodings", accept("marker,".repeat(1_000))],
  [200, "thousands of spaces between encodings", accept(`br${" ".repeat(5_000)},marker`)],
  [200, "thousands of semicolons", accept(";".repeat(5_000))],
  [200, "an encoding that is not ASCII", accept("br\xFF, m\xE4rker")],
  [400, "an encoding with a NUL", accept("br\0")],
];

const TYPES: HostileCase[] = [
  [200, "every type refused", get("/", "Accept: */*;q=0")],
  [200, "types of nonsense", get("/", "Accept: ///,;;q=,marker/")],
  [200, "a thousand types", get("/", `Accept: ${"marker/a,".repeat(1_000)}`)],
  [404, "nothing, as HTML", get("/marker?<marker>", "Accept: text/html", "Referer: http://a/<marker>")],
  [405, "an address of messages, as HTML", get("/mcp", "Accept: text/html, */*;q=0.8")],
  [405, "an address of messages, as HTML, by HEAD", lines("HEAD /mcp HTTP/1.1", "Host: a", "Accept: text/html")],
  [200, "the status, as HTML", get("/status", "Accept: text/html")],
  [200, "an unknown language and character set", get("/", "Accept-Language: marker", "Accept-Charset: marker")],
];

export const PREFERENCES: HostileCase[] = [...TAGS, ...DATES, ...ENCODINGS, ...TYPES];
