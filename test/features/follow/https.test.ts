// Reading the snapshots that another server offers, whatever it, a proxy or a cache on the way answers.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader, openStore } from "../../../snapshots/stores/open-store.ts";
import { readSnapshot } from "../../../snapshots/facts.ts";
import { encodeSnapshot } from "../../../snapshots/snapshot.ts";
import { Unreachable, type Reader } from "../../../snapshots/store.ts";
import { selfSigned } from "../../support/certificate.ts";
import { listen } from "../../support/listen.ts";
import { freePort } from "../../support/port.ts";
import {
  NEVER_ENDING,
  NOT_THE_ANSWER,
  REFUSED_AT_ONCE,
  SECRET_WORD,
  TRANSIENT,
} from "../../support/collecting/upstream-failures.ts";
import {
  body,
  inTurn,
  redirect,
  reset,
  startUpstream,
  status,
  type Behaviour,
} from "../../support/collecting/upstream.ts";
import { factsIn, NOW, plansSnapshot } from "../../support/snapshot.ts";
import { promisesOfAReader } from "../../support/store-contract.ts";

const KEY = "plans.json";
const SNAPSHOT = encodeSnapshot(plansSnapshot());

function open(location: string): Reader {
  const reader = openReader(location);
  onTestFinished(() => reader.close());
  return reader;
}

async function startHost(behaviour?: Behaviour) {
  const upstream = await startUpstream();
  if (behaviour) upstream.set(`/snapshots/${KEY}`, behaviour);
  return { upstream, reader: open(upstream.url("/snapshots/")) };
}

/** A file, as web servers offer it. */
function file(bytes: Uint8Array, etag = `"${createHash("sha256").update(bytes).digest("hex")}"`): Behaviour {
  return (request, response) =>
    (request.headers["if-none-match"] === etag ? status(304, { etag }) : body(bytes, { etag }))(request, response);
}

test("each snapshot is asked for past the caches on the way until it is answered", async () => {
  const { upstream, reader } = await startHost(inTurn(status(502), file(SNAPSHOT)));
  upstream.set("/snapshots/release-macos.json", body(SNAPSHOT));
  await expect(reader.get(KEY)).rejects.toThrow(Unreachable);
  const read = await reader.get(KEY);
  if (read === "unchanged" || !read) throw new Error("not read");
  await reader.get(KEY, read.version);
  await reader.get("release-macos.json");
  await reader.get("release-macos.json");
  const asked = upstream.requests.map(({ headers }) => headers["cache-control"]);
  expect(asked).toEqual(["no-cache", "no-cache", undefined, "no-cache", undefined]);
});

describe.each([
  ["with ETags", (bytes: Uint8Array) => file(bytes)],
  ["without ETags", (bytes: Uint8Array) => body(bytes)],
] as const)("behind a web server %s (snapshots/features/follow/https.ts)", (_, answerWith) => {
  promisesOfAReader(async () => {
    const { upstream, reader } = await startHost();
    return { reader, write: async (key, bytes) => upstream.set(`/snapshots/${key}`, answerWith(bytes)) };
  });
});

test("only the snapshots are asked for: nothing else of the store is offered", async () => {
  const { upstream, reader } = await startHost(file(SNAPSHOT));
  for (const key of ["plans.json.prev", "last-run.json", "plans.held.json", "history/plans-1.json", "../secret.json"]) {
    expect(await reader.get(key)).toBeUndefined();
  }
  await expect(reader.list("history")).rejects.toThrow("the followed server offers no history here");
  expect(upstream.requests).toEqual([]);
  expect(await readSnapshot(factsIn(reader, { now: NOW }), "plans")).toMatchObject({
    state: "found",
    snapshot: { name: "plans" },
  });
  expect(upstream.requests).toHaveLength(1);
});

test("what is known is asked for by its ETag, and the pace is seconds", async () => {
  const { upstream, reader } = await startHost(file(SNAPSHOT, 'W/"one"'));
  await reader.get(KEY);
  expect(await reader.get(KEY, 'W/"one"')).toBe("unchanged");
  expect(upstream.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, 'W/"one"']);
  expect(reader.pace).toBeGreaterThan(12_000);
  expect(reader.pace).toBeLessThan(18_000);
});

test("an ETag that is no header value names nothing", async () => {
  const { reader } = await startHost(body(SNAPSHOT, { etag: '"a\x80' }));
  const read = await reader.get(KEY);
  expect(read).toMatchObject({ version: expect.stringMatching(/^"[0-9a-f]{64}"$/) });
});

test("a connection that the host takes for one of another protocol is closed", async () => {
  const server = createServer((socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 101 Odd\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")),
  );
  const closed = once(server, "connection").then(([socket]) => once(socket, "close"));
  const port = await listen(server);
  await expect(open(`http://127.0.0.1:${port}/snapshots/`).get(KEY)).rejects.toThrow("no snapshot (HTTP 101)");
  await closed;
});

describe("no failure is believed or repeated:", () => {
  const FAILURES = { ...REFUSED_AT_ONCE, ...TRANSIENT, ...NEVER_ENDING, ...NOT_THE_ANSWER };

  test.concurrent.for(Object.entries(FAILURES))("%s", async ([, behaviour], { expect, onTestFinished }) => {
    const upstream = await startUpstream({ onFinished: onTestFinished });
    upstream.set(`/snapshots/${KEY}`, behaviour);
    const reader = openReader(upstream.url("/snapshots/"));
    onTestFinished(() => reader.close());
    const read = await readSnapshot(factsIn(reader, { now: NOW }), "plans").catch((error: unknown) => error);
    expect(read).not.toMatchObject({ state: "found" });
    expect(read).toSatisfy((read) => read instanceof Unreachable || typeof read.damage?.text === "string");
    expect(String(read instanceof Error ? read.message : JSON.stringify(read))).not.toMatch(SECRET_WORD);
  });
});

describe("one line says what is wrong, and what to do, for", () => {
  const LINES: [what: string, behaviour: Behaviour, line: string][] = [
    ["a redirect", redirect("/elsewhere"), "redirects (HTTP 302): write the address that it leads to as the location"],
    ["a login", status(401), "refuses access (HTTP 401): give its user name and password in SNAPSHOTS"],
    [
      "a server that does not share",
      status(404),
      'offers no snapshots here (HTTP 404): set "share": true there, and end the location in /snapshots/',
    ],
    ["a limit", status(429), "gets too many requests (HTTP 429): raise its limit"],
    [
      "a snapshot that is stale there",
      status(502),
      "is away, or this snapshot is stale or missing there (HTTP 502): see its status",
    ],
    ["an odd status", status(418), "gives an answer that is no snapshot (HTTP 418): correct the location"],
    [
      "a login page",
      NOT_THE_ANSWER["a log-in page"],
      "answers with a web page (text/html): let this server pass its login, or correct the location",
    ],
    [
      "an answer that was not asked for",
      status(304),
      "gives an answer that is no snapshot (HTTP 304): correct the location",
    ],
    [
      "a host that compresses unasked",
      body(SNAPSHOT, { "content-encoding": "gzip" }),
      "compresses its answers (Content-Encoding): let it send the snapshots as they are",
    ],
    [
      "a connection that is cut twice",
      reset("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"),
      "does not answer (ECONNRESET): start it, or see to the network on the way",
    ],
  ];
  test.for(LINES)("%s", async ([, behaviour, line]) => {
    const { reader } = await startHost(behaviour);
    await expect(reader.get(KEY)).rejects.toThrow(new Unreachable(`the followed server ${line}`));
  });

  test("a server that is not there", async () => {
    const port = await freePort();
    await expect(open(`http://127.0.0.1:${port}/snapshots/`).get(KEY)).rejects.toThrow(
      /^the followed server does not answer \(ECONNREFUSED\): start it/,
    );
  });

  test("a server that speaks something else", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(open(`http://127.0.0.1:${port}/`).get(KEY)).rejects.toThrow(/protocol \(HPE_/);
    await expect(open(`https://127.0.0.1:${port}/`).get(KEY)).rejects.toThrow(/protocol \((EPROTO|ERR_SSL_)/);
  });

  test("a name that does not exist", async () => {
    await expect(open("https://nowhere.invalid/snapshots/").get(KEY)).rejects.toThrow(
      /^the followed server has a name that cannot be looked up \((ENOTFOUND|EAI_AGAIN)\): correct the location$/,
    );
  });

  test("a certificate that nobody vouches for, even if the environment accepts any", async ({ skip }) => {
    const tls = await selfSigned();
    if (!tls) return skip();
    const upstream = await startUpstream({ tls });
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    await expect(open(upstream.url("/snapshots/")).get(KEY)).rejects.toThrow(
      /^the followed server has no certificate that holds for its name \(DEPTH_ZERO_SELF_SIGNED_CERT\): name its authority/,
    );
    expect(upstream.requests).toEqual([]);
  });
});

test("a kept connection that the server ends at this moment costs no answer", async () => {
  const { upstream, reader } = await startHost(inTurn(file(SNAPSHOT), reset(), file(SNAPSHOT)));
  await reader.get(KEY);
  expect(await reader.get(KEY)).toMatchObject({ bytes: Buffer.from(SNAPSHOT) });
  expect(upstream.requests).toHaveLength(3);
});

test("a redirect is not followed, and its target gets no password", async () => {
  const [upstream, other] = [await startUpstream(), await startUpstream()];
  for (const target of [other.url("/snapshots/"), "/elsewhere/"]) {
    upstream.set(`/snapshots/${KEY}`, redirect(target + KEY, 307));
    const reader = open(upstream.url("/snapshots/").replace("//", "//me:se%3Acret@"));
    await expect(reader.get(KEY)).rejects.toThrow(/redirects \(HTTP 307\)/);
  }
  expect(upstream.requests).toHaveLength(2);
  expect(upstream.requests[0]?.headers.authorization).toBe(`Basic ${btoa("me:se:cret")}`);
  expect(other.requests).toEqual([]);
});

test("the server tells its clock, but not an old copy of its answer from a cache", async () => {
  const { upstream, reader } = await startHost();
  const date = new Date(Date.now() - 10 * 60_000).toUTCString();
  upstream.set("/snapshots/plans.json", body("{}", { date, age: "600" }));
  await reader.get("plans.json");
  expect(await reader.ahead?.()).toBeUndefined();
  upstream.set("/snapshots/plans.json", body("{}", { date }));
  await reader.get("plans.json");
  expect(Math.abs(((await reader.ahead?.()) ?? Number.NaN) - 10 * 60_000)).toBeLessThan(5_000);
});

test("more than a value may have is not read to its end", async () => {
  const { upstream, reader } = await startHost(REFUSED_AT_ONCE["an endless body"]);
  await expect(reader.get(KEY)).rejects.toThrow("over 4194304 bytes");
  expect(upstream.requests).toHaveLength(1);
});

test("closing ends the requests under way", async () => {
  const { upstream, reader } = await startHost(NEVER_ENDING["no answer at all"]);
  const asked = reader.get(KEY).catch((error: unknown) => error);
  await upstream.requested(1);
  await reader.close();
  expect(await asked).toBeInstanceOf(Unreachable);
  expect(upstream.requests).toHaveLength(1);
  await expect(reader.get(KEY)).rejects.toThrow(Unreachable);
});

describe("a location", () => {
  test.for([
    ["https://me:s%3Ae@vendor.example:8443/a/snapshots", true],
    ["http://localhost:3000/snapshots/", true],
    ["http://[::1]:3000/snapshots/", true],
    ["http://vendor.example/snapshots/", false],
    ["https://vendor.example/snapshots/?token=se", false],
    ["https://vendor.example/snapshots/#se", false],
    ["https://me:se%zz@vendor.example/snapshots/", false],
  ] as const)("%s: usable %s", ([location, isUsable]) => {
    const attempt = () => openReader(location);
    if (isUsable) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(/^must look like https:\/\/host\/snapshots\/[^@]*$/);
  });

  test("of another server has no history", () => {
    expect(openReader("https://vendor.example/snapshots/").canList).toBe(false);
  });

  test("of another server is never opened for a collector", () => {
    expect(() => openStore("https://me:secret@vendor.example/snapshots/")).toThrow(/^belongs to another server[^@]*$/);
  });
});
