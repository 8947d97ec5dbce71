// Message framing: lengths, transfer codings and chunks that two programs could read differently.
import { chunked, get, keep, lines, PING, post, type HostileCase } from "./build.ts";

const length = (value: string, body = "{}") => post(body, `Content-Length:${value}`);
const coding = (...values: string[]) => post("0\r\n\r\n", ...values.map((value) => `Transfer-Encoding:${value}`));

/** Bytes that an attacker wants to be read as a separate request. */
const SMUGGLED = keep("/marker");

const LENGTHS: HostileCase[] = [
  [400, "two Content-Lengths", post("{}", "Content-Length: 2", "Content-Length: 2")],
  [400, "a list of Content-Lengths", length(" 2, 2")],
  [400, "a negative Content-Length", length(" -2")],
  [400, "an empty Content-Length", length("")],
  [400, "a Content-Length of 2 to the 64th and 2", length(" 18446744073709551618")],
  [400, "a Content-Length with a NUL", length(" 2\0")],
  [400, "a Content-Length after a line feed", post("{}", "X: a\nContent-Length: 2")],
  [200, "a Content-Length with zeros before it", length(` 000${PING.length}`, PING)],
  [200, "a length under nearly its name", `${get("/healthz", `Content_Length: ${SMUGGLED.length}`)}`],
];

const CODINGS: HostileCase[] = [
  [400, "a length and chunks", post("2\r\n{}\r\n0\r\n\r\n", "Content-Length: 2", "Transfer-Encoding: chunked")],
  [400, "chunks and a length", post("2\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked", "Content-Length: 2")],
  [
    400,
    "chunks, a length and a request inside",
    post(`0\r\n\r\n${SMUGGLED}`, "Content-Length: 99", "Transfer-Encoding: chunked"),
  ],
  [400, "an unknown transfer coding and a length", post("{}", "Transfer-Encoding: marker", "Content-Length: 2")],
  [400, "chunks before another coding", coding(" chunked, gzip")],
  [400, "chunks with a space before the colon", post("0\r\n\r\n", "Transfer-Encoding : chunked")],
  [
    400,
    "chunks of HTTP/1.0 and a length",
    lines("POST /mcp HTTP/1.0", "Transfer-Encoding: chunked", "Content-Length: 2"),
  ],
  [200, "a GET in chunks", `${get("/healthz", "Transfer-Encoding: chunked")}6\r\nmarker\r\n0\r\n\r\n`],
  [200, "a GET with a body", `${get("/healthz", "Content-Length: 6")}marker`],
  [200, "a GET with a request as its body", get("/healthz", `Content-Length: ${SMUGGLED.length}`) + SMUGGLED],
  [
    404,
    "a HEAD with a request as its body",
    lines("HEAD /marker HTTP/1.1", "Host: a", `Content-Length: ${SMUGGLED.length}`) + SMUGGLED,
  ],
];

const CHUNKS: HostileCase[] = [
  [400, "a chunk of bad length", chunked("marker\r\n{}\r\n0\r\n\r\n")],
  [400, "a chunk that is longer than it says", chunked("2\r\n{}marker\r\n0\r\n\r\n")],
  [400, "a chunk of 2 to the 64th bytes and 2", chunked("10000000000000002\r\n{}\r\n0\r\n\r\n")],
  [400, "a chunk whose length ends in a line feed", chunked("2\n{}\r\n0\r\n\r\n")],
  [400, "a chunk without a line end", chunked("2\r\n{}0\r\n\r\n")],
  [400, "an invalid trailer", chunked("0\r\nmarker\r\n\r\n")],
  [413, "20 KB beside a chunk's length", chunked(`2;${"marker".repeat(3_500)}\r\n{}\r\n0\r\n\r\n`)],
  [431, "trailers of 20 KB", chunked(`2\r\n{}\r\n0\r\nX: ${"marker".repeat(3_500)}\r\n\r\n`)],
  [400, "no chunk but the last", chunked("0\r\n\r\n")],
  [400, "chunk extensions", chunked('2;marker;a=b;c="marker"\r\n{}\r\n0;marker\r\n\r\n')],
  [200, "a trailer that is a Host", chunked(`${PING.length.toString(16)}\r\n${PING}\r\n0\r\nHost: marker\r\n\r\n`)],
  [200, "a message in chunks of a byte", chunked([...PING].map((byte) => `1\r\n${byte}\r\n`).join("") + "0\r\n\r\n")],
];

export const FRAMING: HostileCase[] = [...LENGTHS, ...CODINGS, ...CHUNKS];
