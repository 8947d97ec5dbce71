// Snapshots and points in their history as typed on the command line: `macos`, `12`, `2026-11-01`.
import * as z from "zod";
import type { HistoryPlace } from "../../../snapshots/features/history/entry.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";
import { Refused } from "../../command.ts";
import { didYouMean } from "../../did-you-mean.ts";
import { factNamed, SHORT_NAMES } from "../../fact-names.ts";
import { minute, shortName } from "../../output/terminal.ts";

const MAX_ENTRIES_LISTED = 10;

/** A state of a snapshot: a revision, or the one in force at an instant, in ms since the epoch. */
export type HistoryPoint = { revision: number } | { instant: number };

/** @throws Refused */
export function readName(word: string): SnapshotName {
  const name = factNamed(word);
  if (name) return name;
  throw new Refused(`no snapshot is named "${word}"${didYouMean(word, SHORT_NAMES)} (${SHORT_NAMES.join(", ")})`);
}

/** Reads `12`, `r12`, `2026-11-01T12:00Z` or `2026-11-01` (midnight UTC); undefined for anything else. */
export function readPoint(text: string): HistoryPoint | undefined {
  const revision = /^r?(?<digits>[1-9]\d{0,14})$/.exec(text)?.groups?.digits;
  if (revision !== undefined) return { revision: Number(revision) };
  const isTime = z.union([z.iso.date(), z.iso.datetime()]).safeParse(text).success;
  return isTime ? { instant: Date.parse(text) } : undefined;
}

/** The place of the entry at a point. `places`: of one snapshot, newest first. @throws Refused */
export function findPlace(places: readonly HistoryPlace[], point: HistoryPoint): HistoryPlace {
  const found = places.find(({ revision, changedAt }) =>
    "revision" in point ? revision === point.revision : Date.parse(changedAt) <= point.instant,
  );
  if (found) return found;
  const name = shortName(places[0]?.name ?? "");
  const problem = "revision" in point ? `revision ${point.revision} of ${name} is not kept` : tooEarly(name, point);
  throw new Refused(`${problem}; kept: ${listed(places)}`);
}

/** The place of the entry to compare with for changes since a point: undefined before the first change. If the entries of that
 * time have been pruned, it is that of the oldest one, and `note` says so. @throws Refused */
export function findSince(
  places: readonly HistoryPlace[],
  point: HistoryPoint,
): { place: HistoryPlace | undefined; note?: string } {
  const oldest = places.at(-1);
  if (!oldest || "revision" in point || Date.parse(oldest.changedAt) <= point.instant)
    return { place: findPlace(places, point) };
  if (oldest.revision === 1) return { place: undefined };
  return { place: oldest, note: `${tooEarly(shortName(oldest.name), point)}: compared with its oldest entry` };
}

function tooEarly(name: string, { instant }: { instant: number }): string {
  return `the history of ${name} does not reach back to ${minute(new Date(instant).toISOString())}`;
}

function listed(places: readonly HistoryPlace[]): string {
  const label = ({ revision, changedAt }: HistoryPlace) => `${revision} (${minute(changedAt)})`;
  const shown = places.slice(0, MAX_ENTRIES_LISTED).map(label);
  const oldest = places.at(-1);
  if (oldest && places.length > MAX_ENTRIES_LISTED) shown.push(`… ${label(oldest)}`);
  return shown.join(", ");
}
