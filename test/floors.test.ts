// The second rule: the folders of a program are floors. A file imports only from its own folder and from lower floors.
// Checked here in every import, and by the linter; both read floors.json.
import { readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import floorsJson from "./floors.json" with { type: "json" };
import { lint, ROOT, sourcesIn, specifiersOf } from "./support/imports.ts";

const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = floorsJson;
const PROGRAMS = Object.keys(FLOORS);

/** The folder within its program, or the top-level file, of a path: `http/` for `server/http/app.ts`. */
function placeOf(path: string): string {
  const [, first = "", second] = path.split("/");
  return second === undefined ? first : `${first}/`;
}

function floorOf(path: string): number {
  const [program = ""] = path.split("/");
  return FLOORS[program]?.findIndex((names) => names.includes(placeOf(path))) ?? -1;
}

/** The imports of a source from another place on its own floor or a higher one. */
function upwardImports(path: string, source: string): string[] {
  const [program = ""] = path.split("/");
  return specifiersOf(source).flatMap((specifier) => {
    if (!specifier?.startsWith(".")) return [];
    const target = posix.join(posix.dirname(path), specifier);
    if (!target.startsWith(`${program}/`) || placeOf(target) === placeOf(path)) return [];
    const [from, to] = [floorOf(path), floorOf(target)];
    return from !== -1 && to >= from ? [`${path} → ${target}`] : [];
  });
}

test.for(PROGRAMS)("%s has no import from its own floor or a higher one", async (program) => {
  const paths = await sourcesIn(program);
  const found = await Promise.all(
    paths.map(async (path) => upwardImports(path, await readFile(join(ROOT, path), "utf8"))),
  );
  expect(found.flat()).toEqual([]);
});

test.for(PROGRAMS)("every folder of %s has a floor, and every place in floors.json exists", async (program) => {
  const places = new Set((await sourcesIn(program)).map(placeOf));
  const named = FLOORS[program]?.flat() ?? [];
  expect([...places].filter((place) => place.endsWith("/") && !named.includes(place))).toEqual([]);
  expect(named.filter((name) => !places.has(name))).toEqual([]);
});

/** The imports of a source of one kind that lead into the folder of another; `own-shape` is for all of them. */
function importsOfOtherKinds(path: string, source: string): string[] {
  const kindOf = (file: string) => /^collector\/sources\/([^/]+)\//.exec(file)?.[1];
  const kind = kindOf(path);
  return specifiersOf(source).flatMap((specifier) => {
    const target = posix.join(posix.dirname(path), specifier ?? "");
    const other = specifier?.startsWith(".") ? kindOf(target) : undefined;
    return kind === undefined || [undefined, kind, "own-shape"].includes(other) ? [] : [`${path} → ${target}`];
  });
}

test("no kind of source imports from the folder of another one, except own-shape", async () => {
  const paths = await sourcesIn("collector/sources");
  const found = await Promise.all(
    paths.map(async (path) => importsOfOtherKinds(path, await readFile(join(ROOT, path), "utf8"))),
  );
  expect(found.flat()).toEqual([]);

  const planted = (path: string, specifier: string) => importsOfOtherKinds(path, `import { x } from "${specifier}";`);
  expect(planted("collector/sources/tauri/x.ts", "../github/read.ts")).toHaveLength(1);
  expect(planted("collector/sources/own-shape/x.ts", "../stripe/price.ts")).toHaveLength(1);
  expect(planted("collector/sources/tauri/x.ts", "../own-shape/own-shape.ts")).toEqual([]);
  expect(planted("collector/sources/tauri/x.ts", "../fetch-document.ts")).toEqual([]);
  expect(planted("collector/sources/sources.ts", "./github/source.ts")).toEqual([]);
});

/** Files in each place that import from each other place of the program, either forbidden or permitted. */
function planted(isForbidden: boolean): [path: string, specifier: string][] {
  return PROGRAMS.flatMap((program) => {
    const places = (FLOORS[program] ?? []).flatMap((names, floor) => names.map((name) => ({ name, floor })));
    return places.flatMap((from) =>
      places
        .filter((to) => to !== from && to.floor >= from.floor === isForbidden)
        .map((to): [string, string] => {
          const inFolder = `${program}/${from.name}imports-${to.name.replace(/\W/g, "-")}.ts`;
          const path = from.name.endsWith("/") ? inFolder : `${program}/${from.name}`;
          const target = `${program}/${to.name}${to.name.endsWith("/") ? "x.ts" : ""}`;
          const specifier = posix.relative(dirname(path), target);
          return [path, specifier.startsWith(".") ? specifier : `./${specifier}`];
        }),
    );
  });
}

describe("goes red at every arrow back that is planted:", () => {
  test("the reading", () => {
    for (const [path, specifier] of planted(true))
      expect(upwardImports(path, `import { x } from "${specifier}";`), `${path} imports ${specifier}`).toHaveLength(1);
    for (const [path, specifier] of planted(false))
      expect(upwardImports(path, `import { x } from "${specifier}";`), `${path} imports ${specifier}`).toEqual([]);
  });

  test("the linter", async () => {
    // A file of its own for each import: files at the top of a program are planted with their last one only.
    const imports = new Map(planted(true));
    const complaints = await lint(imports);
    for (const path of imports.keys()) expect(complaints).toContain(`${path}:`);
    expect(await lint(new Map(planted(false)))).toBe("");
  });
});
