// House rules for the product's sources: small folders and files, one meaning per type name, and plain words in comments.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, sourcesIn } from "./support/imports.ts";

const MAX_FILES_PER_FOLDER = 17;
const MAX_LINES_PER_FILE = 250;
const MAX_SHARED_TYPE_NAMES = 4;

/** Words that hide the actor or the subject of a sentence, and their highest rate per 1,000 words of comments. */
const VAGUE_WORDS = [
  { words: ["what", "whatever"], maxRate: 3 },
  { words: ["who", "whoever", "whom", "whose", "nobody"], maxRate: 1 },
  { words: ["tell", "tells", "told"], maxRate: 1 },
];

const BLOCK_COMMENT = /\/\*(?<text>[^]*?)\*\//g;
/** Not part of a URL, because white space precedes it. */
const LINE_COMMENT = /(?:^|\s)\/\/(?<text>.*)$/gm;
const TYPE_NAME = /^(?:export )?(?:interface|type) (?<name>\w+)\b(?! *,)/gm;

interface SourceFile {
  path: string;
  text: string;
}

const programs = await Promise.all(["cli", "collector", "server", "snapshots"].map(sourcesIn));
const files: SourceFile[] = await Promise.all(
  programs.flat().map(async (path) => ({ path, text: await readFile(join(ROOT, path), "utf8") })),
);

/** Values by key, in the order of their first appearance. */
function grouped(pairs: readonly (readonly [key: string, value: string])[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [key, value] of pairs) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return groups;
}

/** The words of all comments, in lower case. */
function commentWords(text: string): string[] {
  const comments = [BLOCK_COMMENT, LINE_COMMENT].flatMap((pattern) => [...text.matchAll(pattern)]);
  return comments.flatMap(({ groups }) => groups?.text?.toLowerCase().match(/[a-z][a-z']*/g) ?? []);
}

test(`no folder has more than ${MAX_FILES_PER_FOLDER} source files`, () => {
  const folders = [...grouped(files.map(({ path }) => [dirname(path), path]))];
  const tooLarge = folders.filter(([, paths]) => paths.size > MAX_FILES_PER_FOLDER);
  expect(tooLarge.map(([folder, paths]) => `${folder}: ${paths.size}`)).toEqual([]);
});

test(`no file has more than ${MAX_LINES_PER_FILE} lines`, () => {
  const lengths = files.map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }));
  expect(lengths.filter(({ lines }) => lines > MAX_LINES_PER_FILE)).toEqual([]);
});

test(`at most ${MAX_SHARED_TYPE_NAMES} type names are declared in more than one file`, () => {
  const declarations = files.flatMap(({ path, text }) =>
    [...text.matchAll(TYPE_NAME)].map(({ groups }) => [groups?.name ?? "", path] as const),
  );
  const shared = [...grouped(declarations)].filter(([, paths]) => paths.size > 1);
  const list = shared.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`);
  expect(list.length, list.join("\n")).toBeLessThanOrEqual(MAX_SHARED_TYPE_NAMES);
});

test.for(VAGUE_WORDS)("comments seldom say $words.0: at most $maxRate per 1,000 words", ({ words, maxRate }) => {
  const all = files.map(({ path, text }) => ({ path, words: commentWords(text) }));
  const total = all.flatMap((file) => file.words).length;
  const found = all
    .map((file) => ({ path: file.path, count: file.words.filter((word) => words.includes(word)).length }))
    .filter(({ count }) => count > 0);
  const rate = (1_000 * found.reduce((sum, { count }) => sum + count, 0)) / total;
  const list = found.toSorted((a, b) => b.count - a.count).map(({ path, count }) => `${count} in ${path}`);
  expect(rate, list.join("\n")).toBeLessThanOrEqual(maxRate);
});

test("the words of comments are found, and only those", () => {
  const text = '/** One\n * two. */\nconst x = "https://three"; // Four\n// five\nconst y = `six`;';
  expect(commentWords(text)).toEqual(["one", "two", "four", "five"]);
});
