// The histories of real projects, one release at a time, as a collector would have met them: no answer may stay behind the
// manifest that people install from. A manifest (a Homebrew cask, or one of Scoop or winget) names a tag and a file of a release; what
// it does not show of the list is left out, and so is the vendor's own mark of the latest release.
//
// histories.tsv: `=` begins a manifest: repository, platform, kind and name of the manifest, marks (`channel`: of a beta or of an old
// line; its releases are left out). `@` is a template for the lines under it: the tag, then the files, best first; `~` is a file
// for another processor. A line is a day, the manifest's version V, and up to two values more, {a} and {b}. {v} is V, {1} {2} {3} its
// parts between commas, and {u} {h} {n} the first of them with `_`, `-` or nothing in place of dots.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newestRelease } from "../../../../collector/features/kinds/releases/release-list.ts";
import type { ListedRelease, ReleaseCriteria } from "../../../../collector/features/kinds/releases/listed-release.ts";
import type { Platform } from "../../../../snapshots/schema.ts";

interface Manifest {
  /** Repository, platform and name. */
  id: string;
  repository: string;
  platform: Platform;
  isChannel: boolean;
  events: NamedRelease[];
}

/** On that day the manifest began to name this release. */
interface NamedRelease {
  day: string;
  tag: string;
  files: string[];
  /** Those for the most usual processor. */
  best: string[];
}

function readHistories(text: string): Manifest[] {
  const manifests: Manifest[] = [];
  let template: string[] = [];
  for (const line of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [first = "", ...cells] = line.split("\t");
    if (first === "=") manifests.push(manifestOf(cells));
    else if (first === "@") template = cells;
    else manifests.at(-1)?.events.push(releaseOf(first, template, cells));
  }
  return manifests;
}

function manifestOf([repository = "", platform = "", , name = "", ...marks]: string[]): Manifest {
  const id = `${repository} ${platform} ${name}`;
  const isChannel = marks.includes("channel");
  return { id, repository, platform: platform === "macos" ? "macos" : "windows", isChannel, events: [] };
}

function releaseOf(day: string, template: readonly string[], [version = "", a = "", b = ""]: string[]): NamedRelease {
  const [dotted = "", second = "", third = ""] = version.split(",");
  const [u, h, n] = ["_", "-", ""].map((mark) => dotted.replaceAll(".", mark));
  const values: Record<string, string | undefined> = { v: version, 1: dotted, 2: second, 3: third, a, b, u, h, n };
  const [tag = "", ...marked] = template.map((text) => text.replace(/\{(\w)\}/g, (_, name) => values[name] ?? ""));
  const files = marked.map((name) => decoded(name.replace(/^~/, "")));
  return { day, tag, files, best: files.filter((_, index) => !marked[index]?.startsWith("~")) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const DAY_MS = 86_400_000;
/** A page of a list. */
const LISTED = 100;
/** After so many refusals in a row, the vendor has been told: only every tenth release is asked for. */
const TOLD = 20;

type Result = "right" | "refused" | "another file" | "a release behind" | "stale" | "ahead";

/** What the collector answers after each release, with default settings. */
function replay({ repository, platform, events }: Manifest, report: (result: Result) => void): void {
  const criteria = { prereleases: false, forceUpdate: false, product: repository.replace(/^.*\//, ""), platform };
  const releases: ListedRelease[] = [];
  let refusals = 0;
  for (const [index, event] of events.entries()) {
    publish(releases, event);
    if (refusals >= TOLD && index % 10 !== 0) continue;
    const picked = answerOf(releases, criteria, Date.parse(event.day) + DAY_MS);
    refusals = picked === undefined ? refusals + 1 : 0;
    report(picked === undefined ? "refused" : compared(picked, events, index));
  }
}

/** Newest first. A tag that comes again has more files, or the manifest has gone back to it. */
function publish(releases: ListedRelease[], { day, tag, files }: NamedRelease): void {
  let release = releases.find((other) => other.tag === tag);
  if (!release) {
    release = { tag, isDraft: false, isPrerelease: false, date: `${day}T00:00:00Z`, notes: "", files: [] };
    releases.unshift(release);
  }
  const known = new Set(release.files.map(({ name }) => name));
  const added = files.filter((name) => !known.has(name));
  release.files.push(
    ...added.map((name) => ({
      name,
      url: `https://dl.example/${encodeURIComponent(name)}`,
      size: 1,
      isUploaded: true,
    })),
  );
}

/** `FILE of TAG`, or nothing for a refusal. */
function answerOf(all: ListedRelease[], criteria: ReleaseCriteria, askedAt: number): string | undefined {
  try {
    const list = { releases: all.slice(0, LISTED), isWhole: all.length <= LISTED, askedAt };
    return newestRelease(list, criteria).picked ?? "none";
  } catch {
    return undefined;
  }
}

/** An older answer is stale after two releases, or after 30 days. */
function compared(picked: string, events: readonly NamedRelease[], index: number): Result {
  const now = events[index];
  const [, file = "", tag = ""] = /^(.*) of (.*)$/.exec(picked) ?? [];
  if (tag === now?.tag.slice(0, 80)) {
    return now.best.some((name) => name.slice(0, 70) === file.slice(0, 70)) ? "right" : "another file";
  }
  const tags = events.map((event) => event.tag);
  const at = tags.indexOf(tag);
  if (at > tags.indexOf(now?.tag ?? "")) return "ahead";
  const since = Date.parse(events[at + 1]?.day ?? "");
  const until = Date.parse(events[index + 1]?.day ?? now?.day ?? "");
  const passed = new Set(tags.slice(at + 1, index + 1).filter((other) => other !== tag)).size;
  return passed >= 2 || until - since >= 30 * DAY_MS ? "stale" : "a release behind";
}

const COUNTS: Record<Result, number> = {
  right: 14_875,
  refused: 2_018,
  "another file": 82,
  "a release behind": 207,
  stale: 347,
  ahead: 112,
};

const dataOf = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const histories = readHistories(dataOf("histories.tsv"));
const counts = Object.fromEntries(Object.keys(COUNTS).map((result) => [result, 0])) as Record<Result, number>;
const stale = new Map<string, number>();
for (const manifest of histories.filter(({ isChannel }) => !isChannel)) {
  replay(manifest, (result) => {
    counts[result]++;
    if (result === "stale") stale.set(manifest.id, (stale.get(manifest.id) ?? 0) + 1);
  });
}

describe("choosing releases for years (collector/features/kinds/releases/rivals.ts)", () => {
  test("hundreds of projects are replayed, and most answers are right", () => {
    expect(new Set(histories.map(({ repository }) => repository)).size).toBeGreaterThan(300);
    expect(counts).toEqual(COUNTS);
  });

  test("no answer is stale but for reasons that are listed", () => {
    const listed = dataOf("stale.tsv")
      .split("\n")
      .filter((line) => /^[^#=]/.test(line));
    expect([...stale].map(([id, releases]) => `${id}\t${releases}`).toSorted()).toEqual(listed.toSorted());
  });
});
