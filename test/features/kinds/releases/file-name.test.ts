// Patterns for names.
import { describe, expect, test } from "vitest";
import { matchesGlob } from "../../../../collector/features/kinds/releases/file-name.ts";

describe("a pattern (collector/features/kinds/releases/file-name.ts)", () => {
  test.for([
    ["*-x64.msi", "Notes-1.0-x64.msi", true],
    ["*-x64.msi", "Notes-1.0-arm64.msi", false],
    ["*-x64.msi", "-x64.msi.sig", false],
    ["desktop@*", "desktop@2.1.0", true],
    ["desktop@*", "desktop", false],
    ["v?.*", "v1.2", true],
    ["v?.*", "v10.2", false],
    ["*", "", true],
    ["a.c", "abc", false],
    ["[a]*(b)+$", "[a]x(b)+$", true],
    ["a*b*c", "axxbxxcxxc", true],
  ] as const)("%s, and %s: %s", ([pattern, name, matches]) => {
    expect(matchesGlob(name, pattern)).toBe(matches);
  });

  test("of nothing but stars ends for any name", () => {
    expect(matchesGlob("a".repeat(10_000), `${"*a".repeat(50)}*b`)).toBe(false);
  });
});
