// The one rule: collector → snapshots ← server, and cli above them. Held here by reading every import, and by the linter.
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { lint, ROOT, sourcesIn, specifiersOf } from "./support/imports.ts";

const SERVING = ["h3", "listhen", "@modelcontextprotocol/sdk"];
const COLLECTING = ["undici", "node-cron"];

/** Which rooms a room may import from, and which packages it must not pull in. */
const ROOMS: Record<string, { from: string[]; without: string[] }> = {
  snapshots: { from: ["snapshots"], without: [...SERVING, ...COLLECTING] },
  collector: { from: ["collector", "snapshots"], without: SERVING },
  server: { from: ["server", "snapshots"], without: COLLECTING },
  cli: { from: ["cli", "collector", "server", "snapshots", "package.json"], without: [] },
};

/** The one file that imports what nobody here wrote: a vendor's own source. */
const LOADS_FROM_OUTSIDE = "collector/sources/module/module-thread.ts";

/** What in a file breaks the rule. `path`: from the root. */
function violations(path: string, source: string): string[] {
  const [name = ""] = path.split("/");
  const room = ROOMS[name];
  if (!room) throw new Error(`${path} is in no room`);
  return specifiersOf(source).flatMap((specifier) => {
    if (specifier === undefined && path === LOADS_FROM_OUTSIDE) return [];
    if (specifier === undefined) return [`${path}: imports what cannot be read from here`];
    if (/^(\/|file:|#)/.test(specifier)) return [`${path}: ${specifier} is no way to import`];
    const isOurs = specifier.startsWith(".");
    const [target = ""] = relative(ROOT, resolve(ROOT, dirname(path), specifier)).split("/");
    const isWrong = isOurs
      ? !room.from.includes(target)
      : room.without.some((other) => `${specifier}/`.startsWith(`${other}/`));
    return isWrong ? [`${path}: ${name} must not import ${specifier}`] : [];
  });
}

test.for(Object.keys(ROOMS))("%s imports only what it may", async (room) => {
  const paths = await sourcesIn(room);
  expect(paths.length).toBeGreaterThan(0);
  const found = await Promise.all(
    paths.map(async (path) => violations(path, await readFile(join(ROOT, path), "utf8"))),
  );
  expect(found.flat()).toEqual([]);
});

describe("the reading goes red when", () => {
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
  ] as const)("%s says %s", ([path, source]) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  test("and only then", () => {
    const source =
      'import { z } from "zod";\nimport { openStore } from "../snapshots/open-store.ts";\nimport "./y.ts";';
    for (const room of ["collector", "server", "cli"]) expect(violations(`${room}/x.ts`, source)).toEqual([]);
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
  ] as const)("goes red when %s imports %s", async ([path, imported]) => {
    expect(await lint([[path, imported]])).toMatch(/^[^\n]*no-restricted-imports[^\n]*\n\n1 problem/);
  });

  test.for([
    ["collector/planted.ts", "../snapshots/schema.ts"],
    ["server/planted.ts", "../snapshots/schema.ts"],
    ["cli/planted.ts", "../server/serve.ts"],
  ] as const)("has nothing against it when %s imports %s", async ([path, imported]) => {
    expect(await lint([[path, imported]])).toBe("");
  });
});
