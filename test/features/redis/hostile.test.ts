// Stores in an engine that answers with too much, or with something else: an operation ends with one clear error, no memory fills,
// the process goes on, and what is sound is read.
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { MAX_VALUE_BYTES, type Store } from "../../../snapshots/store.ts";

const KEY = "plans.json";
const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const array = (...values: string[]) => `*${values.length}\r\n${values.join("")}`;
const NULL = "$-1\r\n";
const SOUND = array(bulk("sound"), bulk("a version"));
const SUBSCRIBED = array(bulk("subscribe"), bulk("vitrine"), ":1\r\n");
const COMMAND = /\*\d+\r\n\$\d+\r\n(\w+)\r\n/g;

/** Answers a command other than PING. `connection`: its number, from 1. */
type Answer = (socket: Socket, connection: number) => unknown;

/** A store in an engine of this test, which answers one command after the other. */
async function openHostile(answer: Answer, onFinished = onTestFinished): Promise<Store> {
  let connections = 0;
  const server = createServer(async (socket) => {
    let connection = 0;
    try {
      for await (const bytes of socket.setNoDelay(true)) {
        for (const [, name] of String(bytes).matchAll(COMMAND)) {
          if (name === "ping") socket.write("+PONG\r\n");
          else await answer(socket, (connection ||= ++connections));
        }
      }
    } catch {
      // The client has ended the connection.
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const store = openStore(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onFinished(async () => {
    await store.close();
    server.close();
  });
  return store;
}

test.each([1, 2, 3, 7, 1_000])("a value is the same in pieces of %i bytes", async (size) => {
  const value = "a\r\n$3\r\nü*1\r\n";
  const store = await openHostile(async (socket) => {
    const reply = Buffer.from(array(bulk(value), bulk("a version")));
    for (let at = 0; at < reply.length; at += size) {
      socket.write(reply.subarray(at, at + size));
      await sleep(1);
    }
  });
  expect(await store.get(KEY)).toEqual({ bytes: Buffer.from(value), version: "a version" });
});

describe("an excess is skipped, and the next reply is read (snapshots/features/redis/reply-guard.ts)", () => {
  test("of 100 MB in a value, which is damage with a version", async () => {
    const [huge, piece] = [100e6, Buffer.alloc(1e6)];
    let isFirst = true;
    let memory = 0;
    const store = await openHostile(async (socket, connection) => {
      expect(connection).toBe(1);
      if (!isFirst) return socket.write(SOUND);
      isFirst = false;
      socket.write(`*2\r\n$${huge}\r\n`);
      for (let sent = 0; sent < huge; sent += piece.length) {
        if (!socket.write(piece)) await once(socket, "drain");
        memory = Math.max(memory, process.memoryUsage().arrayBuffers);
      }
      return socket.write(`\r\n${bulk("its version")}`);
    });
    const before = process.memoryUsage().arrayBuffers;
    const reads = await Promise.allSettled([store.get(KEY), store.get("report.json"), store.get("plans.json.prev")]);
    const damage = { name: "StoreError", message: `over ${MAX_VALUE_BYTES} bytes`, version: "its version" };
    const sound = { value: { version: "a version" } };
    expect(reads).toMatchObject([{ reason: damage }, sound, sound]);
    expect(memory - before).toBeLessThan(40e6);
  });

  test.for([
    ["values", bulk("x".repeat(MAX_VALUE_BYTES)) + bulk("y".repeat(5_000))],
    ["values and lines", `+${"x".repeat(4_000)}\r\n${bulk("y".repeat(MAX_VALUE_BYTES + 100))}`],
  ])("of the %s of a reply together", async ([, values = ""]) => {
    const replies = [`*2\r\n${values}`, SOUND];
    const store = await openHostile((socket) => socket.write(replies.shift() ?? ""));
    await expect(store.get(KEY)).rejects.toThrow("has no version");
    expect(await store.get(KEY)).toMatchObject({ bytes: Buffer.from("sound") });
  });

  test("of an array", async () => {
    const replies = [array(...Array.from({ length: 20_001 }, () => bulk("y"))), array(bulk("history/plans-1.json"))];
    const store = await openHostile((socket) => socket.write(replies.shift() ?? ""));
    await expect(store.list("history")).rejects.toThrow("Redis keeps too much under this name (TOOLARGE): give the");
    expect(await store.list("history")).toEqual(["history/plans-1.json"]);
  });
});

describe("ends the connection, and the next operation has another", () => {
  test.for([
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n"],
    ["an alert of TLS", "\x15\x03\x01\0\x02\r\n"],
    ["a line without an end", "+".padEnd(5_000, "a")],
    ["a line with another end", "+a\n"],
    ["a line in a line", "+a\rb\r\n"],
    ["a length that is no number", "$x\r\n"],
    ["a length below zero", "$-2\r\n"],
    ["arrays in arrays", "*1\r\n".repeat(100_000)],
    ["arrays that fill the memory before their values arrive", "*20000000\r\n".repeat(100)],
    ["RESP 3", "%1\r\n"],
    ["a null to no command", SOUND + NULL],
  ])("%s", async ([, bytes = ""]) => {
    const store = await openHostile((socket, connection) => socket.write(connection === 1 ? bytes : SOUND, "latin1"));
    await expect(store.get(KEY)).rejects.toThrow("Redis does not speak its protocol (EBADMSG)");
    expect(await store.get(KEY)).toMatchObject({ bytes: Buffer.from("sound") });
  });

  // They wait for three seconds each.
  test.concurrent.for([
    ["an array", "*20000000\r\n", "", 0],
    ["a value", "$999999999999999\r\n", "", 0],
    ["a flood of values", "*999999999\r\n", bulk("y").repeat(10_000), 600],
    ["a flood of bytes", "$999999999999999\r\n", "y".repeat(100_000), 3_000],
  ] as const)("%s that does not end in time, and fills no memory", async ([, begin, flood, times], context) => {
    const before = process.memoryUsage().rss;
    const store = await openHostile(async (socket, connection) => {
      socket.write(connection === 1 ? begin : SOUND);
      if (connection > 1) return;
      for (let count = 0; count < times; count++) if (!socket.write(flood)) await once(socket, "drain");
    }, context.onTestFinished);
    await expect(store.get(KEY)).rejects.toThrow("Redis does not answer (ETIMEDOUT)");
    expect(process.memoryUsage().rss - before).toBeLessThan(120e6);
    expect(await store.get(KEY)).toMatchObject({ bytes: Buffer.from("sound") });
  });
});

test.for([
  NULL,
  "*-1\r\n",
  "*0\r\n",
  ":1\r\n",
  "+\r\n",
  array(bulk("subscribe")),
  SUBSCRIBED + array(bulk("message")),
  SUBSCRIBED + array(bulk("message"), NULL, bulk(KEY)),
  SUBSCRIBED + array(NULL, NULL, NULL),
  SUBSCRIBED + NULL,
])("%j to SUBSCRIBE ends neither the process nor the hints", async (bytes) => {
  const connections: number[] = [];
  const store = await openHostile((socket, connection) => {
    connections.push(connection);
    socket.write(connection === 1 ? bytes : SUBSCRIBED);
  });
  await new Promise<void>((resolve) => store.watch(() => connections.includes(2) && resolve()));
});
