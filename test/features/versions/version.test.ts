// The order of versions.
import { describe, expect, test } from "vitest";
import { compareVersions, hasNumber, isUnfinished, newestFirst } from "../../../collector/features/versions/version.ts";

describe("the order of versions (collector/features/versions/version.ts)", () => {
  test.for([
    ["2.9.0", "2.10.0"],
    ["1.9.9", "2.0"],
    ["1.0-beta.2", "1.0-beta.10"],
    ["1.0.0-alpha", "1.0.0-beta"],
    ["1.0.0-rc.1", "1.0.0"],
    ["1.0-rc.1", "1.0.0"],
    ["1.0b1", "1.0"],
    ["1.0b1", "1.0.1"],
    ["99", "241"],
    ["9007199254740993", "9007199254740994"],
    ["", "0.1"],
    ["2.9", "v2.10"],
    ["20260101123456789012344", "20260101123456789012345"],
    ["2026-01-31", "2026-02-01"],
    ["2026-1-9", "2026-1-10"],
    ["2026-08-10", "2026-08-17.3"],
    ["2026-08-17.3", "2026-08-24"],
    ["build 9", "build 10"],
    // The example of Semantic Versioning 2.0.0, 11.4, and its other rules for prereleases.
    ["1.0.0-alpha", "1.0.0-alpha.1"],
    ["1.0.0-alpha.1", "1.0.0-alpha.beta"],
    ["1.0.0-alpha.beta", "1.0.0-beta"],
    ["1.0.0-beta", "1.0.0-beta.2"],
    ["1.0.0-beta.2", "1.0.0-beta.11"],
    ["1.0.0-beta.11", "1.0.0-rc.1"],
    // What vendors mean by a bare number or one letter, in contradiction to rule 9.
    ["1.0.0", "1.0.0-1"],
    ["1.22.3-4", "1.22.3-11"],
    ["3.7.2", "3.7.2a"],
    ["3.7.2a", "3.7.2b"],
    ["9.0", "9.0_1"],
    ["546", "546a"],
    ["546a", "547"],
    ["1.0.0-1", "1.0.1-beta.1"],
    ["83.0.4103.116-1", "83.0.4103.116-1.2"],
    ["7.2-9-10164.3", "7.2-10-10165"],
    ["1.0.1-a", "1.0.1-a.2"],
    ["1.0.1-a.9", "1.0.1-a.10"],
    ["0.12.0-0", "0.12.0"],
    ["1.0.0-rc10", "1.0.0-rc2"],
    // Prereleases that are not written that way.
    ["1.0rc2", "1.0rc10"],
    ["1.0_beta 2", "1.0_beta 10"],
  ])("%s is before %s", ([a, b]) => {
    expect(compareVersions(a!, b!)).toBeLessThan(0);
    expect(compareVersions(b!, a!)).toBeGreaterThan(0);
  });

  test.for([
    ["1.0", "1.0.0"],
    ["1.02", "1.2"],
    ["1.0+5", "1.0+6"],
    ["V1.0", "v1.0"],
  ])("%s and %s are one version", ([a, b]) => {
    expect(compareVersions(a!, b!)).toBe(0);
  });

  test("any mixture of versions has one total order", () => {
    const ascending = [
      "Autumn",
      "0.9",
      "1.0a1",
      "1.0-beta",
      "1.0.0-beta.2",
      "1.0rc",
      "1.0",
      "1.0.1-rc.1",
      "1.0.1",
      "2026-01",
    ];
    const shuffled = ascending.toSorted((a, b) => (a.at(-1)! < b.at(-1)! ? -1 : 1));
    expect(newestFirst(shuffled, (version) => version)).toEqual(ascending.toReversed());
    expect(ascending.filter(hasNumber)).toEqual(ascending.slice(1));
  });

  test("a prerelease is distinguished from a release by its name", () => {
    for (const version of [
      "3.0.0-beta.2",
      "1.0-rc1",
      "2.0.0-preview",
      "1.0b2",
      "1.0.0-nightly.20260101",
      "2.0_alpha",
    ]) {
      expect(isUnfinished(version), version).toBe(true);
    }
    for (const version of ["3.0.0", "1.0.0-1", "2026-01-02", "1.0.0+beta.1", "1.0-prelude", "2.0-3b2f"]) {
      expect(isUnfinished(version), version).toBe(false);
    }
  });
});
