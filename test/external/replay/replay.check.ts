// The histories of real projects, one release at a time, as a collector would have met them: no answer may stay behind the
// manifest that people install from. A manifest (a Homebrew cask, or one of Scoop or winget) names a tag and a file of a release; what
// it does not show of the list is left out, and so is the vendor's own mark of the latest release.
//
// histories.tsv has projects that refusals were made for, more-histories.tsv others, of which half are never refused. `=` begins a
// manifest: repository, platform, kind and name of the manifest, marks (`channel`: of a beta or of an old line; its releases are left
// out). `@` is a template for the lines under it: the tag, then the files, best first; `~` is a file for another processor. A line is a
// day, the manifest's version V, and up to two values more, {a} and {b}. {v} is V, {1} {2} {3} its parts between commas, and {u} {h} {n}
// the first of them with `_`, `-` or nothing in place of dots.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linesOf, listedIn, readHistories, replayAdvised, replayDefaults } from "../../support/releases/histories.ts";

const dataOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");

const histories = readHistories(dataOf("histories.tsv"));
const others = readHistories(dataOf("more-histories.tsv"));

describe("choosing releases for years (collector/features/kinds/releases/rivals.ts)", () => {
  const [known, more] = [histories, others].map(replayDefaults);

  test("hundreds of projects are replayed, and most answers are right", () => {
    expect(new Set(histories.map(({ repository }) => repository)).size).toBeGreaterThan(300);
    expect(known?.counts).toEqual({
      right: 14971,
      refused: 1981,
      "another file": 90,
      "a release behind": 205,
      stale: 346,
      ahead: 112,
    });
    // More than half of them are never refused.
    expect([more?.all, more?.refused]).toEqual([150, 73]);
    expect(more?.counts).toEqual({ refused: 1128, right: 2890, ahead: 23, "a release behind": 6, "another file": 15 });
  });

  test("no answer is stale but for reasons that are listed", () => {
    expect(linesOf([known?.stale, more?.stale])).toEqual(listedIn(dataOf("stale.tsv")));
  });
});

/** An operator answers each refusal with the first setting that it names, and keeps it for years. */
describe("keeping what refusals advised (collector/features/kinds/releases/advice.ts)", () => {
  const [known, more] = [histories, others].map(replayAdvised);

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
      right: 4570,
      ahead: 45,
      "another file": 18,
      "a release behind": 6,
      told: 251,
      refused: 74,
    });
  });

  test("no answer is stale in silence because of it", () => {
    expect(linesOf([known?.kept, more?.kept])).toEqual([]);
  });
});
