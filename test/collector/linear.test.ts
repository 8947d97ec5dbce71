// What the core does with text from elsewhere takes time in proportion to its length.
import { describe, expect, test } from "vitest";
import { requestedPause } from "../../collector/http/errors.ts";
import { displayName } from "../../collector/parsing/issues.ts";
import { parseJsonc } from "../../collector/parsing/jsonc.ts";
import { architectureOf, wordsOf } from "../../snapshots/processors.ts";
import { composed, isPlainText, publicUrl, slugOf } from "../../snapshots/rules.ts";
import { measureJson } from "../../snapshots/store.ts";
import { expectLinear, filled } from "../support/linear.ts";

describe("the core reads in linear time (snapshots/rules.ts)", () => {
  test.for<[what: string, size: number, read: (text: string) => unknown, text: string]>([
    ["a link of marks for its fragment", 500, (text) => publicUrl(`https://a.example/${text}`), "#"],
    ["a name of marks", 10_000, (text) => slugOf(`a${text}`), "\u0315\u0323"],
    ["a name of hyphens", 5_000, slugOf, "-"],
    ["a text of marks", 10_000, (text) => composed(`a${text}`), "\u0315\u0323"],
    ["a text of letters that become marks", 10_000, (text) => composed(`a${text}`), "\uff9e\u0323"],
    ["invisible characters", 50_000, isPlainText, "क\u200d"],
    ["a name of digits", 5_000, (text) => architectureOf(wordsOf(text)), "1"],
    ["a name of versions", 100_000, (text) => architectureOf(wordsOf(text)), "1."],
    ["a name to show", 50_000, displayName, "\u0001"],
    ["a header", 2_000, (text) => requestedPause((name) => (name === "ratelimit" ? text : undefined)), ";r=0"],
    ["brackets", 50_000, measureJson, "["],
    ["mistakes in JSON", 10_000, parseJsonc, ",]"],
    ["comments in JSON", 50_000, parseJsonc, "/*"],
  ])("%s", ([, size, read, text]) =>
    expectLinear(size, (length) => {
      const long = filled(text, length);
      return () => read(long);
    }),
  );
});

test("in normal form, a text keeps what people read", () => {
  expect(composed("ﬁne ｅ\u0301 ㍿")).toBe("fine é 株式会社");
  expect(composed(`a${"\u0301".repeat(20)}`)).toBe(`a${"\u0301".repeat(20)}`.normalize("NFKC"));
  expect(composed(`a${"\u0301".repeat(1_000)}b`).length).toBeLessThan(35);
  expect(publicUrl("https://a.example/x?y#a#b#c")).toBe("https://a.example/x?y#a%23b%23c");
  expect(slugOf("Ge\u0301ant Café ½")).toBe("geant-cafe-1-2");
});
