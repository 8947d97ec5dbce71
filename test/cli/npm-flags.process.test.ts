// Flags before `--` of a real npm, which keeps them for itself; command-hints.test.ts has each of them.
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/imports.ts";

describe("flags that npm keeps (cli/invoke.ts)", () => {
  test("the program refuses to run without the flags that npm has kept", () => {
    const { stderr, status } = spawnSync("npm", ["run", "-s", "collect", "--watch", "--accept", "plans"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(
        "✖ npm kept --watch and --accept NAMES for itself: npm run collect -- --watch --accept NAMES\n",
      ),
    });
  });
});
