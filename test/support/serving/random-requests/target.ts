// Request targets, from existing to invalid ones.
import fc from "fast-check";
import { bytes, chain, one, weighed, word } from "./parts.ts";
import { DOWNLOADS, PREPARED } from "../prepared-targets.ts";

export const knownTarget = one(...PREPARED, ...DOWNLOADS, "/download", "/mcp", "/mcp/", "/healthz", "/status");

const PATH = chain(
  fc.oneof(
    word("/api /v1 /plans /releases /latest /mcp /openapi.json /.well-known /API /%61pi"),
    word(String.raw`/ // /. /.. /%2e%2e /%2F /%5c /\ /; /: /* /** /[ /{ /| /^ /` + "`"),
    one("/marker", "/%6darker", "/<script>marker</script>", '/"marker"', "/marker%0d%0aX: marker", "@marker"),
    word("/% /%zz /%00 /%ff /%c0%ae /%E0%A4%A /\xff /\x7f /__proto__ /constructor /${marker}"),
    one("#marker", " marker", "\tmarker", "\0marker", "/marker".repeat(100), "/marker".repeat(300)),
    bytes,
  ),
  5,
);

const PARAMETER = fc.oneof(
  word("platform=macos platform=windows platform=%6Dacos platform=marker platform= platform Platform=x"),
  word("since=2026-11-22 since=marker since= since=2026-11-22T01:15:00Z since=2026-11-22T01:15:00%2B01:00"),
  word("platform[]=marker platform=marker%00 platform=%zz %zz=marker __proto__=marker = ? + marker"),
  bytes,
);

const QUERY = weighed([2, fc.constant("")], [1, chain(PARAMETER, 4, "&").map((parameters) => `?${parameters}`)]);

const ORIGIN = word("http://marker HTTPS://a:81 http://marker@a http:// ftp://marker http://[::1] http://a:99999");

const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));

export const randomTarget: fc.Arbitrary<string> = weighed(
  [4, knownTarget],
  [2, joined(knownTarget, QUERY)],
  [4, joined(PATH, QUERY)],
  [1, joined(ORIGIN, PATH)],
  [1, one("*", "", "marker", "marker:443", "?marker", "//marker.example/", "javascript:marker")],
  [1, one("/marker".repeat(300), "/marker".repeat(3_000))],
);
