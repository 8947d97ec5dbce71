// Fetching from upstreams that misbehave gives the right text, or an error of one line in our own words, before a deadline.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { RefusedAddress } from "../../collector/http/errors.ts";
import { fetchText, type HostRule } from "../../collector/http/fetch.ts";
import { failedFetch, goodFetch, neverAborted, fetchError } from "../support/collecting/fetching.ts";
import { NEVER_ENDING, NOT_THE_ANSWER, REFUSED_AT_ONCE, SECRET_WORD } from "../support/collecting/upstream-failures.ts";
import { resolveTo } from "../support/collecting/resolve.ts";
import {
  body,
  trickling,
  json,
  raw,
  redirect,
  startUpstream,
  jsonWithEtag,
  type Behaviour,
} from "../support/collecting/upstream.ts";
import { withDeadline } from "../../collector/http/deadline.ts";

const TEXT = JSON.stringify({ word: "Grüße" });
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const LETTERS = Buffer.from(TEXT).toString("latin1");
const RIGHT: Record<string, Behaviour> = {
  "plain UTF-8": body(TEXT),
  "UTF-8 with a byte order mark": body(Buffer.concat([MARK, Buffer.from(TEXT)])),
  "UTF-16 that is declared": body(Buffer.from(`\uFEFF${TEXT}`, "utf16le"), {
    "content-type": "application/json; charset=utf-16le",
  }),
  "Latin-1 that is declared": body(Buffer.from(TEXT, "latin1"), { "content-type": 'text/plain;charset="ISO-8859-1"' }),
  "a content type that is missing": raw(`HTTP/1.1 200 OK\r\ncontent-length: ${LETTERS.length}\r\n\r\n${TEXT}`),
  "HTTP/1.0 without a length": raw(`HTTP/1.0 200 OK\r\n\r\n${TEXT}`),
  "chunks of a byte": (_, response) => {
    for (const byte of Buffer.from(TEXT)) response.write(Buffer.of(byte));
    response.end();
  },
  "more behind the announced length": raw(
    `HTTP/1.1 200 OK\r\ncontent-length: ${LETTERS.length}\r\n\r\n${TEXT}HTTP/1.1`,
  ),
  "a few announcements before it": raw(
    `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${LETTERS.length}\r\n\r\n${TEXT}`,
  ),
  gzip: body(gzipSync(TEXT), { "content-encoding": "gzip" }),
  "gzip in capitals": body(gzipSync(TEXT), { "content-encoding": "GZIP" }),
  "gzip by its old name": body(gzipSync(TEXT), { "content-encoding": "x-gzip" }),
  brotli: body(brotliCompressSync(TEXT), { "content-encoding": "br" }),
  deflate: body(deflateSync(TEXT), { "content-encoding": "deflate" }),
  "no compression, and said so": body(TEXT, { "content-encoding": "identity" }),
  "a slow but living body": (request, response) => {
    response.setHeader("content-type", "application/json");
    const bytes = [...Buffer.from(TEXT)];
    const tap = setInterval(() => {
      const byte = bytes.shift();
      if (byte !== undefined) return void response.write(Buffer.of(byte));
      clearInterval(tap);
      response.end();
    }, 5);
    request.socket.on("close", () => clearInterval(tap));
  },
};

test.for(Object.entries(RIGHT))("%s is read correctly", async ([, behaviour]) => {
  const { text, bytes } = await goodFetch(behaviour);
  expect(text).toBe(TEXT);
  expect(bytes).toBeGreaterThan(0);
});

test("exactly 10 MiB are read, plain and compressed", async () => {
  const bytes = Buffer.alloc(10 * 1024 * 1024, "a");
  expect((await goodFetch(body(bytes))).text).toHaveLength(bytes.length);
  expect((await goodFetch(body(gzipSync(bytes), { "content-encoding": "gzip" }))).text).toHaveLength(bytes.length);
});

test("text that is not JSON is returned to the caller, with its type in our own words", async () => {
  expect(await goodFetch(NOT_THE_ANSWER["a log-in page"])).toMatchObject({ type: "text/html" });
  expect(await goodFetch(body("x", { "content-type": `text/${SECRET_WORD}` }))).toMatchObject({
    type: "another content type",
  });
});

const REASONS: [RegExp, string][] = [
  [/^304/, "answered 304 to an unconditional request"],
  [/^\d+/, "answered $&"],
  [/^a redirect without an address$/, "answered 302"],
  [/10 MiB|endless|bomb/, "more than 10 MiB"],
  [/compression/, "compressed with an encoding that was not requested"],
  [/UTF|character set/, "not text in its character set: application/json"],
];

test.for(Object.entries(REFUSED_AT_ONCE))("%s is refused at once, with its reason", async ([name, behaviour]) => {
  const { upstream, error } = await failedFetch(behaviour);
  const [pattern = /^/, reason = ""] = REASONS.find(([pattern]) => pattern.test(name)) ?? [];
  expect(error.message).toContain(reason.replace("$&", pattern.exec(name)?.[0] ?? ""));
  expect(reason).not.toBe("");
  expect(upstream.requests).toHaveLength(1);
});

// Concurrent, because each of them takes long.
vi.setConfig({ maxConcurrency: 20 });

describe.concurrent("a deadline (collector/http/fetch.ts)", () => {
  // Long before the time that a connection may take.
  test("ends a connection that is never complete", { timeout: 5_000 }, async ({ onTestFinished }) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const error = await fetchError(fetchText(`https://127.0.0.1:${port}/`, { signal: neverAborted, deadline: 300 }));
    expect(error.message).toBe("no complete answer within 0.3 s");
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  });

  test.for(Object.entries(NEVER_ENDING))("ends %s", async ([, behaviour], { onTestFinished }) => {
    const { error } = await failedFetch(behaviour, { onFinished: onTestFinished, deadline: 300 });
    expect(error.message).toBe("no complete answer within 0.3 s");
  });

  test("covers redirects and retries together", async ({ onTestFinished }) => {
    const slowLoop: Behaviour = (...exchange) => void setTimeout(() => redirect("/loop")(...exchange), 150);
    const upstream = await startUpstream({ onFinished: onTestFinished });
    upstream.set("/loop", slowLoop);
    const error = await fetchError(fetchText(upstream.url("/loop"), { signal: neverAborted, deadline: 400 }));
    expect(error.message).toBe("no complete answer within 0.4 s");
  });
});

test("ending the run ends a fetch, before it began and in the middle", async () => {
  const stopped = await failedFetch(json({}), { signal: AbortSignal.abort() });
  expect(stopped.error.message).toBe("the run was stopped");
  expect(stopped.upstream.requests).toEqual([]);

  const upstream = await startUpstream();
  upstream.set("/", trickling("HTTP/1.1 200 OK\r\n\r\n", " "));
  const run = new AbortController();
  const fetched = fetchError(fetchText(upstream.url("/"), { signal: run.signal, deadline: 20_000 }));
  await upstream.requested(1);
  run.abort();
  expect((await fetched).message).toBe("the run was stopped");
});

describe("a conditional request", () => {
  const validators = { etag: 'W/"7"', lastModified: "Sat, 28 Feb 2026 10:00:00 GMT" };
  const conditional = jsonWithEtag(validators.etag, JSON.parse(TEXT));

  test("carries the validators, and 304 means that nothing has changed", async () => {
    const upstream = await startUpstream();
    upstream.set("/", conditional);
    expect(await fetchText(upstream.url("/"), { signal: neverAborted, deadline: 20_000, validators })).toBe(
      "unchanged",
    );
    expect(upstream.requests[0]?.headers).toMatchObject({
      "if-none-match": validators.etag,
      "if-modified-since": validators.lastModified,
    });
  });

  test("with a whole answer returns it with the new validators", async () => {
    const behaviour = body(TEXT, { etag: '"8"', "last-modified": validators.lastModified });
    const fetched = await goodFetch(behaviour, { validators });
    expect(fetched).toMatchObject({ text: TEXT, validators: { etag: '"8"', lastModified: validators.lastModified } });
  });
});

test("a connection leads to the address that its rule has seen, and is used under no other rule", async () => {
  const upstream = await startUpstream();
  upstream.set("/", json({}));
  const fetched = (refuse: HostRule) =>
    fetchText(`http://localhost:${upstream.port}/`, { signal: neverAborted, deadline: 20_000, refuse });
  const refused = (address: string) => (host: string) =>
    host === address ? new RefusedAddress("refused here") : undefined;
  const dnsAnswers = resolveTo(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]);
  expect(await fetched(refused("127.0.0.2"))).toMatchObject({ text: "{}" });
  expect(dnsAnswers.names).toEqual(["localhost"]);
  expect((await fetchError(fetched(refused("127.0.0.2")))).message).toBe("refused here");
  expect((await fetchError(fetched(refused("127.0.0.1")))).message).toBe("refused here");
  expect((await fetchError(fetched(refused("localhost")))).message).toBe("refused here");
  expect(upstream.requests).toHaveLength(1);
});

const abortOf = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve("ended")));

test("work that hangs is ended at its deadline", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const ended = withDeadline(100, new AbortController().signal, abortOf);
  await sleep(10);
  collectGarbage();
  expect(await ended).toBe("ended");
});

test("work ends with the signal it depends on, even one that is aborted already", async () => {
  const stop = new AbortController();
  const ended = withDeadline(60_000, stop.signal, abortOf);
  stop.abort();
  expect(await ended).toBe("ended");
  expect(await withDeadline(60_000, stop.signal, async (signal) => signal.aborted)).toBe(true);
});
