// What an operator types of the past: a name, a revision or a date, and where in the history that is.
import * as z from "zod";
import type { Place } from "../snapshots/history-entry.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../snapshots/snapshot.ts";
import { nearest } from "./did-you-mean.ts";
import { minute, shortName } from "./output/terminal.ts";

/** What was typed names nothing there is; the message says what there is. */
export class NotThere extends Error {
  override name = "NotThere";
}

/** A state of a snapshot: a revision, or what held at an instant, milliseconds since the epoch. */
export type Point = { revision: number } | { instant: number };

/** `macos` and `release-macos` are one. @throws NotThere */
export function readName(text: string): SnapshotName {
  const known = SNAPSHOT_NAMES.find((name) => text === name || text === shortName(name));
  if (known) return known;
  const names = SNAPSHOT_NAMES.map(shortName);
  const meant = nearest(text, names);
  throw new NotThere(`no snapshot is named "${text}"${meant ? `; did you mean ${meant}?` : ""} (${names.join(", ")})`);
}

/** `12` or `r12`; `2026-11-01`, which is its beginning in UTC; `2026-11-01T12:00Z`. Undefined for anything else. */
export function readPoint(text: string): Point | undefined {
  const revision = /^r?(?<digits>[1-9]\d{0,14})$/.exec(text)?.groups?.digits;
  if (revision !== undefined) return { revision: Number(revision) };
  const isTime = z.union([z.iso.date(), z.iso.datetime()]).safeParse(text).success;
  return isTime ? { instant: Date.parse(text) } : undefined;
}

/** The entry of a state. `places`: of one name, newest first. @throws NotThere */
export function find(places: readonly Place[], point: Point): Place {
  const found = places.find(({ revision, changedAt }) =>
    "revision" in point ? revision === point.revision : Date.parse(changedAt) <= point.instant,
  );
  if (found) return found;
  const name = shortName(places[0]?.name ?? "");
  const what = "revision" in point ? `revision ${point.revision} of ${name} is not kept` : nothingBefore(name, point);
  throw new NotThere(`${what}; kept are ${kept(places)}`);
}

/** Where to begin to tell what has changed since a state. Before the first change there was nothing; where the changes of
 * that time are not kept any more, the oldest one is the best there is, and `note` says so. @throws NotThere */
export function findSince(places: readonly Place[], point: Point): { place: Place | undefined; note?: string } {
  const oldest = places.at(-1);
  if (!oldest || "revision" in point || Date.parse(oldest.changedAt) <= point.instant)
    return { place: find(places, point) };
  if (oldest.revision === 1) return { place: undefined };
  return { place: oldest, note: `${nothingBefore(shortName(oldest.name), point)}: this is since the oldest that is` };
}

function nothingBefore(name: string, { instant }: { instant: number }): string {
  return `nothing of ${name} is kept from before ${minute(new Date(instant).toISOString())}`;
}

const MOST_SHOWN = 10;

function kept(places: readonly Place[]): string {
  const shown = places.slice(0, MOST_SHOWN).map(({ revision, changedAt }) => `${revision} (${minute(changedAt)})`);
  const oldest =
    places.length > MOST_SHOWN ? [`… ${places.at(-1)?.revision} (${minute(places.at(-1)!.changedAt)})`] : [];
  return [...shown, ...oldest].join(", ");
}
