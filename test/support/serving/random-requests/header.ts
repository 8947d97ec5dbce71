// Header lines: those that the server reads, other known ones, and invalid ones.
import fc from "fast-check";
import { bytes, chain, header, one, weighed, word } from "./parts.ts";

const named = (name: string, value: fc.Arbitrary<string>) => header(fc.constant(name), value);

const CODING = fc
  .tuple(
    one("br", "gzip", "identity", "*", "x-gzip", "GZIP", "deflate", "zstd", "marker", "", "__proto__"),
    one("", "", ";q=1", ";q=0", ";q=0.5", " ; Q=0.001", ";q=2", ";q=-1", ";q=", ";q=marker", ";;", ";marker=1"),
  )
  .map((parts) => parts.join(""));

const TAG = fc.oneof(one("*", '"marker"', 'W/"marker"', "marker", '"', 'W/"', '""', '"marker, "', ",", "W/*"), bytes);

const DATE = fc.oneof(
  one("Sun, 01 Mar 2026 12:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Sun Mar  1 12:00:00 2026"),
  one("marker", "", "-1", "1e400"),
  bytes,
);

const TYPE = one("*/*", "text/html", "text/markdown", "application/json;q=0", "marker/marker", "");

/** Requested header names: a preflight's answer repeats the valid ones only. */
const ASKED = one("x-one, x-two", "", "<marker>", "marker\xff", "x-".repeat(999), "marker:");

const OTHER_NAME = word(`
  X-Marker Origin Cookie Referer User-Agent Authorization Range If-Match If-Unmodified-Since If-Range X-Forwarded-Host
  X-Forwarded-Proto Forwarded X-Original-URL X-HTTP-Method-Override __proto__ constructor TE Trailer Keep-Alive Date Via
  Max-Forwards Access-Control-Request-Method`);
const OTHER = one("marker", "", "bytes=0-1", "marker\0", "marker\x7f", "\xff", "marker".repeat(1_000));

const ODD = fc.oneof(
  one("Expect: 100-continue", "Expect: marker", "Expect: ", "Expect: 100-continue, marker"),
  one("Connection: close", "Connection: keep-alive", "Connection: marker"),
  one(
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: marker",
  ),
  one(" marker: folded", "X-Marker : marker", "marker", ": marker", "X\0Marker: marker", "\xff: marker"),
  one(
    `X-Marker: ${"marker".repeat(4_000)}`,
    "X-Marker: marker\r\n".repeat(150).trimEnd(),
    "X-Marker: marker\r\n".repeat(2_500).trimEnd(),
  ),
);

export const randomHeader: fc.Arbitrary<string> = weighed(
  [4, named("Accept-Encoding", chain(CODING, 4, ", "))],
  [4, named("If-None-Match", fc.oneof(fc.constant("*"), chain(TAG, 3, ",")))],
  [2, named("If-Modified-Since", DATE)],
  [2, named("Accept", TYPE)],
  [2, named("Access-Control-Request-Headers", ASKED)],
  [4, header(OTHER_NAME, OTHER)],
  [2, ODD],
);
