// "engines" in package.json decides which Node runs Vitrine.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeRefusal } from "../../cli/node-version.ts";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, specifiersOf } from "../support/imports.ts";

const ENGINES = manifest.engines.node;

describe("the version of Node (cli/node-version.ts)", () => {
  test.for(["20.20.2", "20.21.0", "22.22.2", "22.23.3", "24.14.1", "24.21.0", "26.0.0", "26.10.0", "27.1.0"])(
    "Node %s is supported",
    (version) => expect(nodeRefusal(version, ENGINES)).toBeUndefined(),
  );
});

test.for(["18.20.8", "20.2.0", "20.19.5", "20.20.1", "21.7.3", "22.0.0", "22.22.1", "23.11.1", "24.14.0", "25.8.2"])(
  "Node %s is not",
  (version) => expect(nodeRefusal(version, ENGINES)).toContain(version),
);

test("a build between two releases counts as its release", () => {
  expect(nodeRefusal("26.0.0-nightly20260101", ENGINES)).toBeUndefined();
  expect(nodeRefusal("20.0.0-nightly20230101", ENGINES)).toContain(ENGINES);
});

test("until the version is checked, nothing is loaded that an old Node lacks", async () => {
  const reached = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    const text = await readFile(join(ROOT, "cli", path), "utf8");
    const isLate = (specifier: string) => text.includes(`import("${specifier}")`);
    for (const specifier of specifiersOf(text)) {
      if (specifier === undefined || isLate(specifier) || reached.has(specifier)) continue;
      reached.add(specifier);
      if (specifier.startsWith(".")) await follow(specifier);
    }
  };
  await follow("main.ts");
  expect([...reached].toSorted()).toEqual(["./node-version.ts", "node:fs"]);
});

test("the version that nvm chooses for contributors is a supported line", async () => {
  const line = (await readFile(join(ROOT, ".nvmrc"), "utf8")).trim();
  expect(nodeRefusal(`${line}.999.0`, ENGINES)).toBeUndefined();
});
