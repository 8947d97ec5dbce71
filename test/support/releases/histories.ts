// Reads the histories of real projects (test/external/replay/replay.check.ts says how they are written), and feeds them to the
// choice of a release, one at a time, as a collector would have met them.
import { UpstreamError } from "../../../collector/http/errors.ts";
import { newestRelease } from "../../../collector/features/kinds/releases/release-list.ts";
import type { ListedRelease, ReleaseCriteria } from "../../../collector/features/kinds/releases/listed-release.ts";
import type { Candidate } from "../../../collector/source.ts";
import type { Platform } from "../../../snapshots/schema.ts";

export interface Manifest {
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

export function readHistories(text: string): Manifest[] {
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

export type Result = "right" | "refused" | "another file" | "a release behind" | "stale" | "ahead";

/** The settings that an operator has written, one after the other, as refusals named them. */
export type Kept = Partial<Pick<ReleaseCriteria, "tag" | "since" | "asset" | "arch" | "prereleases">>;

export interface Replayed {
  result: Result;
  /** The run names a later release that the settings leave out. */
  isTold: boolean;
  kept: Kept;
  now: NamedRelease;
  message: string;
}

/** What the collector answers after each release. `isAdvised`: each refusal is answered with the first setting that it names, and the
 * setting is kept; else all settings are the defaults. */
export function replay(
  { repository, platform, events }: Manifest,
  report: (replayed: Replayed) => void,
  { isAdvised = false } = {},
): void {
  const criteria: ReleaseCriteria = {
    prereleases: false,
    forceUpdate: false,
    product: repository.replace(/^.*\//, ""),
    platform,
  };
  const kept: Kept = {};
  const releases: ListedRelease[] = [];
  let refusals = 0;
  for (const [index, event] of events.entries()) {
    publish(releases, event);
    if (refusals >= TOLD && index % 10 !== 0) continue;
    const askedAt = Date.parse(event.day) + DAY_MS;
    let answer = answerOf(releases, criteria, askedAt);
    for (let tries = 0; isAdvised && typeof answer === "string" && tries < MAX_ADVICE; tries++) {
      const advice = firstSetting(answer);
      if (!advice || isKept(advice, kept)) break;
      Object.assign(kept, advice);
      Object.assign(criteria, advice);
      answer = answerOf(releases, criteria, askedAt);
    }
    const isRefused = typeof answer === "string";
    refusals = isRefused ? refusals + 1 : 0;
    report({
      result: typeof answer === "string" ? "refused" : compared(answer.picked ?? "none", events, index),
      isTold: typeof answer !== "string" && answer.beyond !== undefined,
      kept: { ...kept },
      now: event,
      message: typeof answer === "string" ? answer : `${answer.picked ?? "none"}`,
    });
  }
}

/** One refusal's setting may lead to the next refusal. */
const MAX_ADVICE = 3;

function firstSetting(message: string): Kept | undefined {
  const [, name = "", value = ""] =
    /"(tag|since|asset|arch|prereleases)": ("(?:[^"\\]|\\.)*"|true)/.exec(message) ?? [];
  return name === "" ? undefined : { [name]: JSON.parse(value) as string | true };
}

function isKept(advice: Kept, kept: Kept): boolean {
  return Object.entries(advice).every(([name, value]) => kept[name as keyof Kept] === value);
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

/** The candidate, or the message of a refusal. */
function answerOf(all: ListedRelease[], criteria: ReleaseCriteria, askedAt: number): Candidate | string {
  try {
    const list = { releases: all.slice(0, LISTED), isWhole: all.length <= LISTED, askedAt };
    return newestRelease(list, criteria);
  } catch (error) {
    if (error instanceof UpstreamError) return error.message;
    throw error;
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

type Counts<Key extends string> = Partial<Record<Key, number>>;

/** Replays with default settings. `stale`: how many answers were stale, by manifest. */
export function replayDefaults(manifests: readonly Manifest[]) {
  const counts: Counts<Result> = {};
  const stale = new Map<string, number>();
  const refused = new Set<string>();
  for (const manifest of manifests.filter(({ isChannel }) => !isChannel)) {
    replay(manifest, ({ result }) => {
      counts[result] = (counts[result] ?? 0) + 1;
      if (result === "refused") refused.add(manifest.id);
      if (result === "stale") stale.set(manifest.id, (stale.get(manifest.id) ?? 0) + 1);
    });
  }
  return { counts, stale, refused: refused.size, all: manifests.length };
}

/** Replays with the advice of each refusal. `kept`: how many answers are stale in silence that are not with default settings. */
export function replayAdvised(manifests: readonly Manifest[]) {
  const counts: Counts<Result | "told"> = {};
  const kept = new Map<string, number>();
  for (const manifest of manifests.filter(({ isChannel }) => !isChannel)) {
    const late = new Set<string>();
    replay(manifest, ({ result, now: { day, tag } }) => void (result === "stale" && late.add(`${day} ${tag}`)));
    const report: Parameters<typeof replay>[1] = ({ result, isTold, now: { day, tag } }) => {
      const told = isTold ? "told" : result;
      counts[told] = (counts[told] ?? 0) + 1;
      if (result === "stale" && !isTold && !late.has(`${day} ${tag}`)) {
        kept.set(manifest.id, (kept.get(manifest.id) ?? 0) + 1);
      }
    };
    replay(manifest, report, { isAdvised: true });
  }
  return { counts, kept };
}

/** Counts as lines of a table: the manifest, a tab and the number. */
export function linesOf(all: readonly (ReadonlyMap<string, number> | undefined)[]): string[] {
  return all.flatMap((counts) => [...(counts ?? [])].map(([id, releases]) => `${id}\t${releases}`)).toSorted();
}

/** The lines of a table, without those that give reasons. */
export function listedIn(table: string): string[] {
  return table
    .split("\n")
    .filter((line) => /^[^#=]/.test(line))
    .toSorted();
}
