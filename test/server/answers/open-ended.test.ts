// Compressed texts with an end of their own, read by the decoders of Node.
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Encoding } from "../../../server/answers/prepared.ts";
import { compressBeginning, withEnd, type Beginning } from "../../../server/answers/open-ended.ts";
import { SEED } from "../../support/random.ts";

/** A copy as sent and as read. */
function copyOf(beginning: Beginning | undefined, end: string, encoding: Encoding) {
  const found = beginning && withEnd(beginning, end, [encoding]);
  if (!found) return undefined;
  const chunks = typeof found.text === "string" ? [found.text] : found.text;
  const sent = Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk, "latin1") : chunk)));
  return { sent, read: encoding === "br" ? brotliDecompressSync(sent) : gunzipSync(sent) };
}

const bytes = (...texts: string[]) => Buffer.concat(texts.map((text) => Buffer.from(text, "latin1")));
const word = fc.constantFrom("price", '"name":', "{", "}", "\u00ff\u0000", "1", "monthly ");
const words = (minLength: number) => fc.array(word, { minLength, maxLength: 3_000 }).map((list) => list.join(""));

test.for(["br", "gzip"] as const)("every end is read behind every beginning, in %s", async (encoding) => {
  const long = words(400).map((text) => text.padEnd(1_024));
  await fc.assert(
    fc.asyncProperty(long, words(1), async (text, end) => {
      const copy = copyOf(await compressBeginning(bytes(text)), end, encoding);
      expect(copy?.read.equals(bytes(text, end))).toBe(true);
    }),
    { numRuns: 50, seed: SEED },
  );
});

test("as much as a block holds may follow a long beginning", async () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `plan ${index * 7_919}`).join();
  const beginning = await compressBeginning(bytes(text));
  for (const encoding of ["br", "gzip"] as const) {
    for (const length of [1, 65_535]) {
      const copy = copyOf(beginning, "x".repeat(length), encoding);
      expect(copy?.read.equals(bytes(text, "x".repeat(length)))).toBe(true);
      expect(copy?.sent.byteLength).toBeLessThan(text.length / 2 + length);
    }
    expect(copyOf(beginning, "x".repeat(65_536), encoding)).toBeUndefined();
  }
});

test("short beginnings stay plain, and so does a copy for a client that prefers it", async () => {
  expect(await compressBeginning(bytes("x".repeat(1_023)))).toBeUndefined();
  expect(copyOf(await compressBeginning(bytes("x".repeat(1_024))), "}", "identity")).toBeUndefined();
});
