// The note with each fact, for the model and the person it answers: as of when, whose fact it is, and how to read it; or
// the advice while it is unavailable.
import { PLATFORMS, type Platform, type Release } from "../../snapshots/schema.ts";
import { releaseName, type SnapshotName } from "../../snapshots/snapshot.ts";
import { FACT_TARGETS, RETRY_AFTER_SECONDS } from "../answers/facts.ts";
import { count, dateTime, PLATFORM_NAMES } from "../format.ts";
import type { Mirror, Servable } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";

type Dates = Pick<Servable, "confirmedAt" | "freshUntil">;

/** The part of a look-up that a result contains. */
export type DatedFact =
  | { state: "fresh"; snapshot: Dates & Pick<Servable, "payload" | "body"> }
  | { state: "stale"; snapshot: Dates }
  | { state: "missing" };

/** In characters. A changelog may have 256,000, which would fill a model's context. */
export const MAX_SHOWN_CHANGELOG = 4_000;

export function isShortened({ changelog }: Release): boolean {
  return changelog.length > MAX_SHOWN_CHANGELOG;
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
  if (fact.state !== "fresh") return unavailable(name, fact, title);
  const { confirmedAt, freshUntil, payload } = fact.snapshot;
  const lines = [`Confirmed ${minute(confirmedAt)}, valid until ${minute(freshUntil)}.`];
  if ("plans" in payload) lines.push(PRICES);
  else if (!payload.hasUpdate) lines.push(noRelease(name, title, other));
  else if (isShortened(payload.latest)) lines.push(shortened(payload.latest));
  lines.push(`Source: ${title}${base === undefined ? "" : `, ${base}${FACT_TARGETS[name].at(-1)}`}`);
  lines.push(`Questions and answers: product://faq${base === undefined ? "" : `, ${base}/faq.md`}`);
  return lines.join("\n");
}

const PRICES =
  "A price in `prices` is for the whole billing cycle with the same key. All prices are in major units of the currency.";

function noRelease(name: SnapshotName, title: string, otherRelease: OtherRelease): string {
  const { platform, other } = platformsOf(name);
  const [here, there] = [PLATFORM_NAMES[platform], PLATFORM_NAMES[other]];
  const hint = {
    published: `One for ${there} is published: ask with platform ${other}.`,
    none: `None for ${there} is published either.`,
    unknown: `It cannot be confirmed now whether one for ${there} is.`,
  };
  return `${title} currently has no published release for ${here}. ${hint[otherRelease ?? "unknown"]}`;
}

function shortened({ changelog }: Release): string {
  const length = count(changelog.length, "character");
  return `The text above has the beginning of the changelog; structuredContent and the source have all ${length}.`;
}

const SUBJECTS: Record<SnapshotName, string> = {
  plans: "the plans and prices are",
  "release-macos": "the release for macOS is",
  "release-windows": "the release for Windows is",
};

function unavailable(name: SnapshotName, fact: Exclude<DatedFact, { state: "fresh" }>, title: string): string {
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
