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
import { readHistories, replay, type Manifest, type Result } from "../../../support/releases/histories.ts";

const dataOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const listed = (file: string) =>
  dataOf(file)
    .split("\n")
    .filter((line) => /^[^#=]/.test(line))
    .toSorted();

/** Replays with default settings, then again with the advice of each refusal. `kept`: the releases with a silently stale answer that only
 * the advice has made. */
function replayAll(manifests: readonly Manifest[]) {
  const counts: Partial<Record<Result, number>> = {};
  const advised: Partial<Record<Result | "told", number>> = {};
  const [stale, kept] = [new Map<string, number>(), new Map<string, number>()];
  const refused = new Set<string>();
  const add = <K>(to: Map<K, number>, key: K) => to.set(key, (to.get(key) ?? 0) + 1);
  for (const manifest of manifests.filter(({ isChannel }) => !isChannel)) {
    const late = new Set<string>();
    replay(manifest, ({ result, now: { day, tag } }) => {
      counts[result] = (counts[result] ?? 0) + 1;
      if (result === "refused") refused.add(manifest.id);
      if (result !== "stale") return;
      add(stale, manifest.id);
      late.add(`${day} ${tag}`);
    });
    const report: Parameters<typeof replay>[1] = ({ result, isTold, now: { day, tag } }) => {
      const told = isTold ? "told" : result;
      advised[told] = (advised[told] ?? 0) + 1;
      if (result === "stale" && !isTold && !late.has(`${day} ${tag}`)) add(kept, manifest.id);
    };
    replay(manifest, report, { isAdvised: true });
  }
  return { counts, advised, stale: linesOf(stale), kept: linesOf(kept), refused: refused.size, all: manifests.length };
}

function linesOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].map(([id, releases]) => `${id}\t${releases}`).toSorted();
}

const histories = readHistories(dataOf("histories.tsv"));
const [known, more] = [replayAll(histories), replayAll(readHistories(dataOf("more-histories.tsv")))];

describe("choosing releases for years (collector/features/kinds/releases/rivals.ts)", () => {
  test("hundreds of projects are replayed, and most answers are right", () => {
    expect(new Set(histories.map(({ repository }) => repository)).size).toBeGreaterThan(300);
    expect(known.counts).toEqual({
      right: 14875,
      refused: 2018,
      "another file": 82,
      "a release behind": 207,
      stale: 347,
      ahead: 112,
    });
    // Half of them are never refused.
    expect([more.all, more.refused]).toEqual([150, 75]);
    expect(more.counts).toEqual({ refused: 1153, right: 2866, ahead: 23, "a release behind": 5, "another file": 14 });
  });

  test("no answer is stale but for reasons that are listed", () => {
    expect([...known.stale, ...more.stale].toSorted()).toEqual(listed("stale.tsv"));
  });
});

describe("keeping what refusals advised (collector/features/kinds/releases/advice.ts)", () => {
  test("nearly all projects that were refused get an answer", () => {
    expect(known.advised).toEqual({
      right: 18298,
      "another file": 303,
      "a release behind": 196,
      stale: 311,
      told: 459,
      ahead: 138,
      refused: 31,
    });
    expect(more.advised).toEqual({
      right: 4372,
      ahead: 44,
      "another file": 18,
      "a release behind": 6,
      told: 246,
      stale: 4,
      refused: 121,
    });
  });

  test("no answer is stale in silence because of it, but for reasons that are listed", () => {
    expect([...known.kept, ...more.kept].toSorted()).toEqual(listed("kept.tsv"));
  });
});
