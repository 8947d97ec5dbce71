// The histories of test/features/kinds/releases once more, with an operator who answers each refusal with the first setting that it
// names, and keeps it for years: no answer may be stale in silence because of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linesOf, readHistories, replayAdvised } from "../../support/releases/histories.ts";

const FOLDER = join(import.meta.dirname, "../../features/kinds/releases");
const dataOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

const [known, more] = ["histories.tsv", "more-histories.tsv"].map((file) => replayAdvised(readHistories(dataOf(file))));

describe("keeping what refusals advised (collector/features/kinds/releases/advice.ts)", () => {
  test("nearly all projects that were refused get an answer", () => {
    expect(known?.counts).toEqual({
      right: 18463,
      "another file": 301,
      "a release behind": 189,
      stale: 223,
      told: 390,
      ahead: 138,
      refused: 32,
    });
    expect(more?.counts).toEqual({
      right: 4380,
      ahead: 45,
      "another file": 18,
      "a release behind": 6,
      told: 251,
      refused: 111,
    });
  });

  test("no answer is stale in silence because of it", () => {
    expect(linesOf([known?.kept, more?.kept])).toEqual([]);
  });
});
