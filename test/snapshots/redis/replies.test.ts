// Replies of an engine in pieces of any size, and engines that send too much or something else.
import { describe, expect, test } from "vitest";
import { EngineFault, OVERSIZE, ReplyReader, type RedisReply } from "../../../snapshots/stores/redis/replies.ts";

const LIMITS = { bytes: 1_000, values: 10 };
const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** The replies in some bytes, which arrive in pieces of this size. */
function repliesIn(bytes: string, size = bytes.length): RedisReply[] {
  const replies: RedisReply[] = [];
  const reader = new ReplyReader(LIMITS, (reply) => replies.push(reply));
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length; at += size) reader.push(all.subarray(at, at + size));
  return replies;
}

test("replies are the same in pieces of any size", () => {
  const bytes = `+OK\r\n:-12\r\n$-1\r\n*-1\r\n*0\r\n${bulk("")}${bulk("a\r\n$3\r\nü")}*3\r\n${bulk("x")}$-1\r\n:7\r\n-ERR no\r\n+last\r\n`;
  const fault = new EngineFault("ERR no");
  const array = [Buffer.from("x"), null, 7];
  const expected = ["OK", -12, null, null, [], Buffer.from(""), Buffer.from("a\r\n$3\r\nü"), array, fault, "last"];
  for (let size = 1; size <= bytes.length; size++) expect(repliesIn(bytes, size)).toEqual(expected);
});

test.for([
  ["WRONGTYPE Operation against a key", "WRONGTYPE"],
  ["LOADING", "LOADING"],
  ["ERR unknown command 'EVAL'", "ERR"],
  ["ERR Error running script (call to f_1): @user_script: 3: -READONLY You can't write", "READONLY"],
  ["lower case is no code", "ERR"],
])("the code of %s is %s", ([text = "", code]) => {
  expect(repliesIn(`-${text}\r\n`)).toMatchObject([{ code, text }]);
});

describe("an excess is skipped, and the next reply is read", () => {
  const many = Array.from({ length: LIMITS.values + 1 }, () => bulk("y")).join("");
  test.for<[name: string, bytes: string, reply: RedisReply]>([
    ["a value", bulk("x".repeat(1_001)), OVERSIZE],
    ["a value in an array", `*2\r\n${bulk("x".repeat(1_001))}${bulk("v")}`, [OVERSIZE, Buffer.from("v")]],
    ["values together", `*2\r\n${bulk("x".repeat(999))}${bulk("vw")}`, [Buffer.from("x".repeat(999)), OVERSIZE]],
    ["texts together", `*2\r\n${bulk("x".repeat(999))}+vw\r\n`, [Buffer.from("x".repeat(999)), OVERSIZE]],
    ["an array", `*${LIMITS.values + 1}\r\n${many}`, OVERSIZE],
  ])("%s", ([, bytes, reply]) => {
    for (const size of [1, 7, 5_000])
      expect(repliesIn(`${bytes}${bulk("z")}`, size)).toEqual([reply, Buffer.from("z")]);
  });

  test("a value of a length that no memory holds takes none before it arrives", () => {
    const before = process.memoryUsage().arrayBuffers;
    expect(repliesIn("$999999999999999\r\nabc")).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
  });
});

test.for([
  "HTTP/1.1 400 Bad Request\r\n",
  "\x15\x03\x01\0\x02\r\n",
  "$x\r\n",
  "$-2\r\n",
  "*1\r\n*1\r\n",
  "+a\n",
  "+".padEnd(5_000, "a"),
])("%j is refused", (bytes) => {
  for (const size of [1, bytes.length]) expect(() => repliesIn(bytes, size)).toThrow();
});
