// Holds SOURCES.md and the pages in docs/sources to the program: every example is collected as it stands, with servers of the test
// in place of the upstreams, and every kind has one.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SOURCE_KINDS } from "../support/collecting/kinds.ts";

import { openStore } from "../../snapshots/stores/open-store.ts";
import { readSnapshot } from "../../snapshots/facts.ts";
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { ACME, ACME_ENVIRONMENT, ACME_UPSTREAMS } from "../support/collecting/acme.ts";
import { startUpstream } from "../support/collecting/upstream.ts";
import { ROOT } from "../support/imports.ts";
import { isIn } from "../support/program/feature.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory, UNCHECKED_LINKS } from "../support/program/settings.ts";
import { factsIn } from "../support/snapshot.ts";

const FOLDER = "docs/sources";
/** The page of each kind of source. */
const PAGES = await Promise.all(
  (await readdir(join(ROOT, FOLDER))).map(async (name) => ({
    kind: basename(name, ".md"),
    text: await readFile(join(ROOT, FOLDER, name), "utf8"),
  })),
);
const EXAMPLES = PAGES.flatMap(({ kind, text }) =>
  blocks(text, "json settings").map(({ contents }, index) => ({ kind, index, contents })),
);
/** Files that the examples refer to. */
const FILES = PAGES.flatMap(({ text }) => blocks(text, "(?:jsonc|js) (?<path>\\S+)"));

function blocks(text: string, language: string): { contents: string; path: string }[] {
  const pattern = new RegExp(`^\`\`\`${language}\n(?<contents>.*?)\n\`\`\`$`, "gms");
  return [...text.matchAll(pattern)].map(({ groups: { contents = "", path = "" } = {} }) => ({ contents, path }));
}

/** Collects with the settings of an example, whose missing half is a file. Resolves to the payloads, by name. */
async function collectExample(example: string): Promise<Record<string, unknown>> {
  const standIns: Record<string, string> = {};
  for (const [origin, behaviours] of Object.entries(ACME_UPSTREAMS)) {
    const upstream = await startUpstream();
    standIns[origin] = upstream.origin;
    for (const [path, behaviour] of Object.entries(behaviours)) upstream.set(path, behaviour);
  }
  const file = (name: string) => ({ from: "file", path: `product/${name}.json` });
  const settings = {
    plans: file("plans"),
    releases: file("releases"),
    ...JSON.parse(example),
    standIns,
    ...UNCHECKED_LINKS,
  };
  const directory = await settingsDirectory(settings);
  for (const { path, contents } of FILES) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    // A program asks its upstream itself.
    const asked = path.endsWith(".mjs") ? Object.entries(standIns) : [];
    await writeFile(
      join(directory, path),
      asked.reduce((text, [from, to]) => text.replaceAll(from, to), contents),
    );
  }
  if (isIn("check")) {
    const { code, stderr } = await runInProcess(["check"], directory, ACME_ENVIRONMENT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^(! standIns: no source .*\n)?$/) });
  }
  expect(await runInProcess(["collect"], directory, ACME_ENVIRONMENT)).toMatchObject({ code: 0 });
  const store = openStore(join(directory, "facts"));
  const reads = SNAPSHOT_NAMES.map(async (name) => {
    const read = await readSnapshot(factsIn(store), name);
    return [name.replace(/^release-/, ""), read.state === "found" ? read.snapshot.payload : read.state] as const;
  });
  return Object.fromEntries(await Promise.all(reads));
}

describe("the pages of the kinds (collector/sources/sources.ts)", () => {
  test("every kind has a page with an example of it", () => {
    expect(PAGES.map(({ kind }) => kind).toSorted()).toEqual(SOURCE_KINDS.toSorted());
    for (const { kind, text } of PAGES) {
      const own = EXAMPLES.filter((example) => example.kind === kind);
      expect(own.length, `examples in ${FOLDER}/${kind}.md`).toBeGreaterThan(0);
      expect(own.map(({ contents }) => contents).join("\n")).toMatch(`"${kind}"`);
      // Each is run below, or read by one that is.
      const read = blocks(text, "jsonc[^\n]*");
      expect(blocks(text, "json[^\n]*"), kind).toHaveLength(own.length + read.length);
    }
  });
});

test("the choice of kinds links to each of them", async () => {
  const choice = await readFile(join(ROOT, "SOURCES.md"), "utf8");
  for (const { kind } of PAGES) expect(choice).toContain(`[\`${kind}\`](${FOLDER}/${kind}.md)`);
  expect(blocks(choice, "[^\n]*")).toEqual([]);
});

test.runIf(isIn("witnesses"))("both examples of cross-checks are collected", async () => {
  const text = await readFile(join(ROOT, "docs/witnesses.md"), "utf8");
  const [crossChecked, page, ...others] = blocks(text, "json settings");
  expect(blocks(text, "[^\n]*")).toHaveLength(2);
  expect(others).toEqual([]);
  const { macos } = await collectExample(crossChecked?.contents ?? "");
  expect(macos).toMatchObject({ latest: { version: ACME.version } });
  // The page agrees, or the run would end with 5.
  await collectExample(page?.contents ?? "");
});

/** What every example of Acme's has in common: the facts of each kind are tested beside it. */
const PLAN = { id: "pro", popular: expect.any(Boolean), monthlyPrice: expect.any(Number) };

test.for(EXAMPLES)("the example of $kind ($index) publishes Acme's facts", async ({ contents }) => {
  const facts = await collectExample(contents);
  const { plans, ...releases } = facts;
  expect(plans).toMatchObject({ plans: expect.arrayContaining([expect.objectContaining(PLAN)]) });
  for (const release of Object.values(releases) as { hasUpdate: boolean }[]) {
    if (release.hasUpdate) expect(release).toMatchObject({ latest: { version: ACME.version } });
    else expect(release).toEqual({ hasUpdate: false });
  }
});
