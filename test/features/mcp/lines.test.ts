// Splits bytes that arrive in any pieces into lines of limited length.
import { describe, expect, test } from "vitest";
import { lines } from "../../../server/features/mcp/stdio.ts";

async function linesOf(pieces: readonly string[], most: number): Promise<(string | undefined)[]> {
  async function* chunks() {
    for (const piece of pieces) yield Buffer.from(piece, "latin1");
  }
  const found: (string | undefined)[] = [];
  for await (const line of lines(chunks(), most)) found.push(line?.toString("latin1"));
  return found;
}

/** Every way to cut a text in three. */
function cuts(text: string): string[][] {
  const places = Array.from({ length: text.length + 1 }, (_, place) => place);
  return places.flatMap((first) =>
    places
      .filter((second) => second >= first)
      .map((second) => [text.slice(0, first), text.slice(first, second), text.slice(second)]),
  );
}

describe("lines (server/features/mcp/stdio.ts)", () => {
  test.for([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["\n\n", ["", ""]],
    ["a\r\nb", ["a\r", "b"]],
    ["abcd\nabcde\nabc\n", ["abcd", undefined, "abc"]],
    ["abcdefghijk\na", [undefined, "a"]],
    ["a\nabcdefghijk", ["a", undefined]],
  ] as const)("%j gives the same lines in any pieces", async ([text, expected]) => {
    for (const pieces of cuts(text)) expect(await linesOf(pieces, 4), JSON.stringify(pieces)).toEqual(expected);
  });
});
