// Results of the tools. The facts are in `structuredContent`, exactly as in the REST body, and in a text for hosts that
// pass only text on to the model. A second text has the note on the facts, for the model and the person it answers: as
// of when, whose fact it is, and how to read it; or the advice while it is unavailable.
import { PLATFORMS, type Platform, type Release } from "../../snapshots/schema.ts";
import { releaseName, type FactState, type SnapshotName } from "../../snapshots/snapshot.ts";
import { FACT_TARGETS, RETRY_AFTER_SECONDS } from "../answers/facts.ts";
import { count, dateTime, PLATFORM_NAMES } from "../format.ts";
import type { Mirror, Servable } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";

export interface ToolResult {
  [extra: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The tools' source. */
export interface Facts {
  get(name: SnapshotName): DatedFact;
  note(name: SnapshotName, fact: DatedFact): string;
}

type Dates = Pick<Servable, "confirmedAt" | "freshUntil">;

/** The part of a look-up that a result contains. */
export type DatedFact = FactState<{ snapshot: Dates & Pick<Servable, "payload" | "body"> }, { snapshot: Dates }>;

/** The facts of a mirror. */
export function factsOf(mirror: Pick<Mirror, "get">, identity: Identity): Facts {
  return {
    get: (name) => mirror.get(name),
    note: (name, fact) => noteOn(name, fact, { identity, other: otherRelease(name, fact, mirror) }),
  };
}

export function factResult(facts: Facts, name: SnapshotName): ToolResult {
  const fact = facts.get(name);
  const note = facts.note(name, fact);
  if (fact.state === "missing") return errorResult(note);
  const { confirmedAt, freshUntil } = fact.snapshot;
  const dated = { _meta: { confirmedAt, freshUntil } };
  if (fact.state === "stale") return { ...errorResult(note), ...dated };
  const { payload } = fact.snapshot;
  return {
    content: [textBlock(shownBody(fact.snapshot)), textBlock(note)],
    structuredContent: { ...payload },
    ...dated,
  };
}

export function errorResult(message: string): ToolResult {
  return { content: [textBlock(message)], isError: true };
}

/** The result with a further text. */
export function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, content: [...result.content, textBlock(text)] };
}

/** Whether a release of the other platform is published; undefined where the note does not mention it. */
export type OtherRelease = "published" | "none" | "unknown" | undefined;

export function otherRelease(name: SnapshotName, fact: DatedFact, mirror: Pick<Mirror, "get">): OtherRelease {
  if (fact.state !== "fresh" || !isWithoutRelease(fact.snapshot)) return undefined;
  const lookup = mirror.get(releaseName(platformsOf(name).other));
  if (lookup.state !== "fresh") return "unknown";
  return isWithoutRelease(lookup.snapshot) ? "none" : "published";
}

interface NoteContext {
  identity: Identity;
  other: OtherRelease;
}

/** Lines, the first of which is `Confirmed 22 Nov 2026 01:15 UTC, valid until 22 Nov 2026 02:15 UTC.` */
export function noteOn(name: SnapshotName, fact: DatedFact, { identity, other }: NoteContext): string {
  const { title, base } = identity;
  if (fact.state !== "fresh") return unavailableNote(name, fact, title);
  const { confirmedAt, freshUntil, payload } = fact.snapshot;
  const lines = [`Confirmed ${minute(confirmedAt)}, valid until ${minute(freshUntil)}.`];
  if ("plans" in payload) lines.push(PRICES_NOTE);
  else if (!payload.hasUpdate) lines.push(noReleaseNote(name, title, other));
  else if (isShortened(payload.latest)) lines.push(shortenedNote(payload.latest));
  lines.push(`Source: ${title}${base === undefined ? "" : `, ${base}${FACT_TARGETS[name].at(-1)}`}`);
  lines.push(`Questions and answers: product://faq${base === undefined ? "" : `, ${base}/faq.md`}`);
  return lines.join("\n");
}

const PRICES_NOTE =
  "A price in `prices` is for the whole billing cycle with the same key. All prices are in major units of the currency.";

function noReleaseNote(name: SnapshotName, title: string, otherRelease: OtherRelease): string {
  const { platform, other } = platformsOf(name);
  const [here, there] = [PLATFORM_NAMES[platform], PLATFORM_NAMES[other]];
  const hint = {
    published: `One for ${there} is published: ask with platform ${other}.`,
    none: `None for ${there} is published either.`,
    unknown: `It cannot be confirmed now whether one for ${there} is.`,
  };
  return `${title} currently has no published release for ${here}. ${hint[otherRelease ?? "unknown"]}`;
}

function shortenedNote({ changelog }: Release): string {
  const length = count(changelog.length, "character");
  return `The text above has the beginning of the changelog; structuredContent and the source have all ${length}.`;
}

const SUBJECTS: Record<SnapshotName, string> = {
  plans: "the plans and prices are",
  "release-macos": "the release for macOS is",
  "release-windows": "the release for Windows is",
};

function unavailableNote(name: SnapshotName, fact: Exclude<DatedFact, { state: "fresh" }>, title: string): string {
  const last = fact.state === "stale" ? ` (last confirmed ${minute(fact.snapshot.confirmedAt)})` : "";
  return (
    `${title}: ${SUBJECTS[name]} temporarily unavailable${last}. Do not answer from memory, which may be out of date. ` +
    `Ask again in ${RETRY_AFTER_SECONDS} seconds.`
  );
}

function isWithoutRelease({ payload }: Pick<Servable, "payload">): boolean {
  return "hasUpdate" in payload && !payload.hasUpdate;
}

/** The platform of a release, and the other one. */
function platformsOf(name: SnapshotName): { platform: Platform; other: Platform } {
  const [macos, windows] = PLATFORMS;
  return name === releaseName(windows) ? { platform: windows, other: macos } : { platform: macos, other: windows };
}

/** `22 Nov 2026 01:15 UTC`. `instant`: ISO 8601, UTC. */
function minute(instant: string): string {
  return dateTime(instant).replace(",", "");
}

function textBlock(text: string): ToolResult["content"][number] {
  return { type: "text", text };
}

/** In characters. A changelog may have 256,000, which would fill a model's context. */
const MAX_SHOWN_CHANGELOG = 4_000;

function isShortened({ changelog }: Release): boolean {
  return changelog.length > MAX_SHOWN_CHANGELOG;
}

/** The REST body, but with a short changelog. */
function shownBody({ payload, body }: Pick<Servable, "payload" | "body">): string {
  if (!("hasUpdate" in payload && payload.hasUpdate && isShortened(payload.latest)))
    return Buffer.from(body).toString();
  const { latest } = payload;
  return JSON.stringify({ ...payload, latest: { ...latest, changelog: beginning(latest.changelog) } });
}

/** Whole lines, or whole characters of a line that is too long. */
function beginning(changelog: string): string {
  const start = changelog.slice(0, MAX_SHOWN_CHANGELOG);
  const end = start.lastIndexOf("\n");
  return `${end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, "")}\n…`;
}
