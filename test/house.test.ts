// The size of the house: files and a core that one can hold in one's head, and short ways through them. The linter
// checks which file may import which (oxlint.config.mjs); here are the ceilings, the imports that it cannot see, and the place of tests.
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import floors from "./floors.json" with { type: "json" };
import { ROOT, sourcesIn, specifiersOf } from "./support/imports.ts";

const MAX_LINES_PER_FILE = 350;
/** A stranger must read the core. */
const MAX_CORE_LINES = 9_000;
/** In files, along the imports of one program; those of types count. */
const MAX_HEIGHT = 10;

/** The programs that each one may import from. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  snapshots: ["snapshots"],
  collector: ["collector", "snapshots"],
  server: ["server", "snapshots"],
  cli: ["cli", "collector", "server", "snapshots"],
};

interface SourceFile {
  path: string;
  lines: number;
  /** Paths from the root, each once. */
  imports: ReadonlySet<string>;
}

async function sourceFile(path: string): Promise<SourceFile> {
  const text = await readFile(join(ROOT, path), "utf8");
  const own = specifiersOf(text).filter((specifier) => specifier?.startsWith("."));
  const imports = own.map((specifier = "") => posix.join(posix.dirname(path), specifier));
  return { path, lines: text.trimEnd().split("\n").length, imports: new Set(imports) };
}

const paths = (await Promise.all(Object.keys(PROGRAMS).map(sourcesIn))).flat();
const files = new Map((await Promise.all(paths.map(sourceFile))).map((file) => [file.path, file]));

/** The longest way from a file along imports of its own program. `files` has no circle, which the linter forbids. */
function chainFrom(path: string, known: Map<string, string[]>): string[] {
  const found = known.get(path);
  if (found) return found;
  const own = [...(files.get(path)?.imports ?? [])].filter((to) => files.has(to) && programOf(to) === programOf(path));
  const below = own.map((next) => chainFrom(next, known));
  const chain = [path, ...below.reduce((longest, other) => (other.length > longest.length ? other : longest), [])];
  known.set(path, chain);
  return chain;
}

function programOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function featureOf(path: string): string | undefined {
  return /\/features\/([^/]+)\//.exec(path)?.[1];
}

test(`no file has more than ${MAX_LINES_PER_FILE} lines`, () => {
  expect([...files.values()].filter(({ lines }) => lines > MAX_LINES_PER_FILE)).toEqual([]);
});

test(`the core has at most ${MAX_CORE_LINES} lines`, () => {
  const core = [...files.values()].filter(({ path }) => !featureOf(path) && !path.includes("/build/"));
  expect(core.length).toBeGreaterThan(80);
  expect(core.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(MAX_CORE_LINES);
});

test("every file of the core stands on a floor", () => {
  const stands = (path: string) =>
    Object.keys(PROGRAMS).some((program) =>
      (floors as unknown as Record<string, string[][]>)[program]
        ?.flat()
        .some((floor) =>
          floor.endsWith("/") ? path.startsWith(`${program}/${floor}`) : path === `${program}/${floor}`,
        ),
    );
  expect(paths.filter((path) => !featureOf(path) && !path.includes("/build/") && !stands(path))).toEqual([]);
});

test(`in each program, the longest chain of imports has at most ${MAX_HEIGHT} files`, () => {
  const known = new Map<string, string[]>();
  const long = paths.map((path) => chainFrom(path, known)).filter(({ length }) => length > MAX_HEIGHT);
  expect(long.map((chain) => chain.join(" → "))).toEqual([]);
});

test("a feature imports only the features that its heads name, and they name no others", async () => {
  const [named, imported] = [new Set<string>(), new Set<string>()];
  for (const { path, imports } of files.values()) {
    const feature = featureOf(path);
    if (feature === undefined) continue;
    const [, after = ""] = /^(?:\/\/.*\n)*?\/\/ after: (.+)\n/.exec(await readFile(join(ROOT, path), "utf8")) ?? [];
    for (const other of after.split(", ").filter(Boolean)) named.add(`${feature} after ${other}`);
    const others = [...imports].map(featureOf).filter((other) => other !== undefined && other !== feature);
    for (const other of others) imported.add(`${feature} after ${other}`);
  }
  expect([...named].toSorted()).toEqual([...imported].toSorted());
});

test("no program imports late, or by a computed name, from one that it must not import from", async () => {
  const allowed = ({ path, imports }: SourceFile) =>
    [...imports].filter((target) => !PROGRAMS[path.split("/")[0] ?? ""]?.includes(target.split("/")[0] ?? ""));
  expect([...files.values()].flatMap(allowed)).toEqual([]);
  const computed = paths.map(async (path) =>
    specifiersOf(await readFile(join(ROOT, path), "utf8")).includes(undefined),
  );
  const found = await Promise.all(computed);
  expect(paths.filter((_, index) => found[index])).toEqual([]);
});

/** What of test/support starts Vitrine, a script that only the build makes, or Redis. */
const STARTING =
  /\b(?:launch|vitrine|start(?:Redis|Program|Child|Contained|Talking|Stdio|Demo)|PROGRAM|SOURCE|builtProgram|builtScript)\b/;

test("a test that starts Vitrine or Redis is no unit test: its folder or its name says so (vitest.config.ts)", async () => {
  const units = (await sourcesIn("test")).filter(
    (path) => /(?<!\.process)\.test\.ts$/.test(path) && !/^test[\\/](?:program|examples)[\\/]/.test(path),
  );
  expect(units.length).toBeGreaterThan(80);
  const startsProgram = async (path: string) => {
    const text = await readFile(join(ROOT, path), "utf8");
    const imports = text.matchAll(/^import \{([^}]*)\} from "[^"]*\/support\/(?:program\/[^"]*|redis\.ts)";$/gm);
    return [...imports].some(([, names = ""]) => STARTING.test(names));
  };
  const found = await Promise.all(units.map(startsProgram));
  expect(units.filter((_, index) => found[index])).toEqual([]);
});
