// Large answers of /mcp in the encodings that clients accept: decoded, they are the plain ones, whichever door they take.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { JSON_TYPE, statelessHeaders, statelessMessage, untilAnswerCompressed } from "../../support/serving/mcp.ts";
import { ask, pollUntil, startServer, type Reply } from "../../support/serving/server.ts";
import { plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

// Plans of 100 KB, which stay chunks of bytes, and a release that becomes text.
const snapshots = [plansSnapshot({ plans: 700 }), releaseSnapshot("macos")];
const server = await startServer({ snapshots, onFinished: afterAll });
const { port } = server;

interface Sent {
  body: string;
  headers?: Record<string, string>;
}

const message = (method: string, params?: object, id: unknown = 1): Sent => ({
  body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
});

/** The express lane, node:http (because the lane does not take this header) and h3 (by another spelling). */
const DOORS: [path: string, headers: Record<string, string>][] = [
  ["/mcp", {}],
  ["/mcp", { te: "trailers" }],
  ["/mcp/", {}],
];

/** The answers of all doors, which must be the same. */
async function answers({ body, headers = JSON_TYPE }: Sent, accepted?: string): Promise<Reply> {
  const all = { ...headers, ...(accepted !== undefined && { "accept-encoding": accepted }) };
  const [first, ...others] = await Promise.all(
    DOORS.map(([path, more]) => ask(port, path, { method: "POST", headers: { ...all, ...more }, body })),
  );
  const comparable = (reply: Reply | undefined) => {
    const { date, connection, "keep-alive": keepAlive, ...rest } = reply?.headers ?? {};
    return { status: reply?.status, headers: rest, bytes: reply?.bytes.toString("latin1") };
  };
  for (const other of others) expect(comparable(other)).toEqual(comparable(first));
  return first as Reply;
}

/** The same once it is compressed, which its first client does not wait for. */
async function compressed(sent: Sent, encoding: "br" | "gzip"): Promise<Reply> {
  await untilAnswerCompressed(port, sent.body, sent.headers);
  return answers(sent, encoding);
}

const decoded = ({ bytes, headers }: Reply) =>
  (headers["content-encoding"] === "br" ? brotliDecompressSync : gunzipSync)(bytes).toString();

const PRICING = { name: "get_pricing" };
const LARGE: Record<string, Sent> = {
  "a list": message("tools/list"),
  "long facts": message("tools/call", PRICING),
  "a text": message("resources/read", { uri: "product://faq" }),
  "a short id": message("tools/list", undefined, ""),
  "a long id of many characters": message("tools/list", undefined, "\u{1f600}ü\n".repeat(2_000)),
  "the era of 2026-07-28": {
    body: statelessMessage({ method: "tools/call", params: PRICING }),
    headers: statelessHeaders({ method: "tools/call", params: PRICING }),
  },
  "an error with a long URI": message("resources/read", { uri: `product://${"nothing".repeat(300)}` }),
  "a batch": { body: `[${message("tools/list").body},${message("resources/list").body}]` },
};

describe.for(["br", "gzip"] as const)("%s:", (encoding) => {
  test.for(Object.entries(LARGE))("%s", async ([, sent]) => {
    const plain = await answers(sent);
    const reply = await compressed(sent, encoding);
    expect(decoded(reply)).toBe(plain.text);
    expect(reply.bytes.byteLength).toBeLessThan(plain.bytes.byteLength);
    const { "content-length": length, ...headers } = plain.headers;
    const size = { "content-length": String(reply.bytes.byteLength), "content-encoding": encoding };
    expect(reply.headers).toEqual({ ...headers, ...size, date: expect.any(String) });
    expect(headers).toMatchObject({ vary: "Accept, Accept-Encoding", "cache-control": "no-store" });
  });
});

test("the client's weights decide", async () => {
  const list = message("tools/list");
  for (const encoding of ["br", "gzip"] as const) await compressed(list, encoding);
  const encodingFor = async (accepted?: string) => (await answers(list, accepted)).headers["content-encoding"];
  expect(await encodingFor()).toBeUndefined();
  for (const accepted of ["", "identity", "deflate, zstd", "br;q=0", "identity, br;q=0.5", "*;q=0"]) {
    expect(await encodingFor(accepted), accepted).toBeUndefined();
  }
  for (const accepted of ["br", "gzip, br", "*", "gzip;q=0.5, br;q=0.6", "BR"]) {
    expect(await encodingFor(accepted), accepted).toBe("br");
  }
  for (const accepted of ["gzip, deflate", "br;q=0, gzip", "x-gzip", "br;q=0.1, gzip;q=0.2"]) {
    expect(await encodingFor(accepted), accepted).toBe("gzip");
  }
});

test("short answers, refusals and events are plain", async () => {
  await compressed(message("tools/list"), "br");
  const events = { body: message("tools/list").body, headers: { ...JSON_TYPE, accept: "text/event-stream" } };
  for (const sent of [message("ping"), message("nothing"), { body: "{" }, events]) {
    expect((await answers(sent, "br")).headers).not.toHaveProperty("content-encoding");
  }
});

test("new facts are compressed anew", async () => {
  const call = message("tools/call", PRICING);
  await compressed(call, "br");
  const changed = plansSnapshot({ revision: 2, plans: 700, confirmedAt: server.clock.wall() });
  await server.publish(changed);
  await pollUntil(
    () => answers(call),
    ({ text }) => text.includes(JSON.stringify(changed.payload)),
  );
  expect(decoded(await compressed(call, "br"))).toBe((await answers(call)).text);
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
