// Large answers of /mcp: the same bytes through every door, with the client's own id, and compressed for nobody.
import { afterAll, expect, test } from "vitest";
import { JSON_TYPE, statelessHeaders, statelessMessage } from "../../support/serving/mcp.ts";
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

test.for(Object.entries(LARGE))("%s", async ([, sent], { expect }) => {
  const plain = await answers(sent);
  const { id } = [JSON.parse(sent.body)].flat()[0] as { id: unknown };
  expect([JSON.parse(plain.text)].flat()[0]).toMatchObject({ id });
  const { bytes, headers } = await answers(sent, "br, gzip");
  expect(bytes.equals(plain.bytes)).toBe(true);
  expect(headers).toEqual({ ...plain.headers, date: expect.any(String) });
  expect(headers).toMatchObject({ vary: "Accept, Accept-Encoding", "cache-control": "no-store" });
  expect(headers).not.toHaveProperty("content-encoding");
});

test("new facts, too", async () => {
  const call = message("tools/call", PRICING);
  const changed = plansSnapshot({ revision: 2, plans: 700, confirmedAt: server.clock.wall() });
  await server.publish(changed);
  await pollUntil(
    () => answers(call),
    ({ text }) => text.includes(JSON.stringify(changed.payload).slice(1)),
  );
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
