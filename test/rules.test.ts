// The first rule: collector → snapshots ← server, with cli above them. Checked here in every import, and by the linter.
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { lint, ROOT, sourcesIn, specifiersOf } from "./support/imports.ts";

const SERVING = ["h3", "listhen", "@modelcontextprotocol/sdk"];
const COLLECTING = ["undici", "node-cron"];

/** The folders that each program may import from, and the packages that it must not import. */
const PROGRAMS: Record<string, { from: string[]; without: string[] }> = {
  snapshots: { from: ["snapshots"], without: [...SERVING, ...COLLECTING] },
  collector: { from: ["collector", "snapshots"], without: SERVING },
  server: { from: ["server", "snapshots"], without: COLLECTING },
  cli: { from: ["cli", "collector", "server", "snapshots", "package.json"], without: [] },
};

/** The only file with a computed import: it loads a vendor's own source. */
const LOADS_FROM_OUTSIDE = "collector/sources/module/module-thread.ts";

/** The imports of a file that break the rule. `path`: relative to the root. */
function violations(path: string, source: string): string[] {
  const [name = ""] = path.split("/");
  const program = PROGRAMS[name];
  if (!program) throw new Error(`${path} belongs to no program`);
  return specifiersOf(source).flatMap((specifier) => {
    if (specifier === undefined && path === LOADS_FROM_OUTSIDE) return [];
    if (specifier === undefined) return [`${path}: a computed import cannot be checked`];
    if (/^(\/|file:|#)/.test(specifier)) return [`${path}: import ${specifier} by a relative path`];
    const isOurs = specifier.startsWith(".");
    const [target = ""] = relative(ROOT, resolve(ROOT, dirname(path), specifier)).split("/");
    const isWrong = isOurs
      ? !program.from.includes(target)
      : program.without.some((other) => `${specifier}/`.startsWith(`${other}/`));
    return isWrong ? [`${path}: ${name} must not import ${specifier}`] : [];
  });
}

test.for(Object.keys(PROGRAMS))("%s imports only from permitted folders and packages", async (program) => {
  const paths = await sourcesIn(program);
  expect(paths.length).toBeGreaterThan(0);
  const found = await Promise.all(
    paths.map(async (path) => violations(path, await readFile(join(ROOT, path), "utf8"))),
  );
  expect(found.flat()).toEqual([]);
});

describe("the check fails if", () => {
  test.for([
    ["collector/sources/x.ts", 'import { Mirror } from "../../server/mirror/mirror.ts";'],
    ["collector/x.ts", 'import type { Mirror } from "../server/mirror/mirror.ts";'],
    ["collector/x.ts", 'import "../server/mirror/mirror.ts";'],
    ["collector/x.ts", "import {\n  Mirror,\n} from '../server/mirror/mirror.ts';"],
    ["collector/x.ts", 'export * from "../server/mirror/mirror.ts";'],
    ["collector/x.ts", 'export type { Mirror } from "../server/mirror/mirror.ts";'],
    ["collector/x.ts", 'const { Mirror } = await import("../server/mirror/mirror.ts");'],
    ["collector/x.ts", "await import(`../server/mirror/mirror.ts`);"],
    ["collector/x.ts", 'await import(\n  "../server/mirror/mirror.ts"\n);'],
    ["collector/x.ts", "await import(name);"],
    ["collector/x.ts", "await import(`../${name}/mirror.ts`);"],
    ["collector/x.ts", 'type Mirror = import("../server/mirror/mirror.ts").Mirror;'],
    ["collector/x.ts", 'import.meta.resolve("../server/mirror/mirror.ts");'],
    ["collector/x.ts", 'const { Mirror } = require("../server/mirror/mirror.ts");'],
    ["collector/x.ts", 'import x from "../server/mirror/mirror.ts";'],
    ["collector/x.ts", 'import x from "/srv/server/mirror.ts";'],
    ["collector/x.ts", 'import x from "#server/mirror.ts";'],
    ["collector/x.ts", 'import { configure } from "../cli/settings/configure.ts";'],
    ["collector/x.ts", 'import { H3 } from "h3";'],
    ["collector/x.ts", 'import { toNodeHandler } from "h3/node";'],
    ["collector/x.ts", 'import { listen } from "listhen";'],
    ["collector/x.ts", 'import { Server } from "@modelcontextprotocol/sdk/server/index.js";'],
    ["server/x.ts", 'import { collect } from "../collector/run/collect.ts";'],
    ["server/x.ts", 'import { configure } from "../cli/settings/configure.ts";'],
    ["server/x.ts", 'import { request } from "undici";'],
    ["server/x.ts", 'import { createTask } from "node-cron";'],
    ["snapshots/stores/x.ts", 'import { collect } from "../../collector/run/collect.ts";'],
    ["snapshots/x.ts", 'import { Mirror } from "../server/mirror/mirror.ts";'],
    ["snapshots/x.ts", 'import { configure } from "../cli/settings/configure.ts";'],
    ["snapshots/x.ts", 'import { temporaryDirectory } from "../test/support/directory.ts";'],
    ["snapshots/x.ts", 'import { request } from "undici";'],
  ] as const)("%s contains %s", ([path, source]) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  test("no permitted import is reported", () => {
    const source =
      'import { z } from "zod";\nimport { openStore } from "../snapshots/open-store.ts";\nimport "./y.ts";';
    for (const program of ["collector", "server", "cli"]) expect(violations(`${program}/x.ts`, source)).toEqual([]);
    expect(violations("server/x.ts", 'import { H3 } from "h3";\nconst from = "../cli/x.ts";')).toEqual([]);
  });
});

describe("the linter", () => {
  test.for([
    ["collector/planted.ts", "../server/mirror/mirror.ts"],
    ["collector/sources/planted.ts", "../../server/mirror/mirror.ts"],
    ["collector/planted.ts", "../cli/settings/configure.ts"],
    ["server/planted.ts", "../collector/run/collect.ts"],
    ["server/planted.ts", "../cli/settings/configure.ts"],
    ["snapshots/planted.ts", "../collector/run/collect.ts"],
    ["snapshots/stores/planted.ts", "../../server/mirror/mirror.ts"],
    ["snapshots/planted.ts", "../cli/settings/configure.ts"],
  ] as const)("fails if %s imports %s", async ([path, imported]) => {
    expect(await lint([[path, imported]])).toMatch(/^[^\n]*no-restricted-imports[^\n]*\n\n1 problem/);
  });

  test.for([
    ["collector/planted.ts", "../snapshots/schema.ts"],
    ["server/planted.ts", "../snapshots/schema.ts"],
    ["cli/planted.ts", "../server/serve.ts"],
  ] as const)("accepts that %s imports %s", async ([path, imported]) => {
    expect(await lint([[path, imported]])).toBe("");
  });
});
