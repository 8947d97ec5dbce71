// The past over HTTP: the revisions of each snapshot, and with `?at=` the payload as it was served then, byte for byte, or a 404
// where that is not known: an old price is never a guess. All of it comes from memory; no request waits for the store.
import * as z from "zod";
import { isSamePlace, replacedBy } from "../../../snapshots/features/history/entry.ts";
import { chainOf, type Chained, type Link } from "../../../snapshots/features/history/timeline.ts";
import { SNAPSHOT_NAMES, type Snapshot, type SnapshotName, subjectOf } from "../../../snapshots/snapshot.ts";
import type { LiveRead, Site } from "../../answers/addition.ts";
import { error, json, type Answer } from "../../answers/answer.ts";
import { RETRY_AFTER_SECONDS } from "../../answers/facts.ts";
import { prepare, type Prepared } from "../../answers/prepared.ts";
import type { Servable } from "../../mirror/mirror.ts";
import type { PastRevision, RecentChanges } from "./recent-changes.ts";

export function historyPath(name: SnapshotName): string {
  return `/history/${subjectOf(name)}`;
}

/** The answer of feeds and history until the history has been read. An empty one would say that nothing has changed, and caches
 * would keep it. */
export const HISTORY_UNAVAILABLE = error(502, "The history is temporarily unavailable. Please try again later.", {
  headers: { "retry-after": RETRY_AFTER_SECONDS },
});
const NO_HISTORY = error(404, "There is no history here. The server that this one follows may have one.");
const AT_FORM = "Use at once, with a date (00:00 UTC) or a time: at=2026-11-22 or at=2026-11-22T01:15:00Z.";

/** Caches keep it no longer, because a change may be taken back. */
const HEADERS = { "cache-control": "public, max-age=60" };

type Held = Chained & Pick<PastRevision, "body">;

/** A revision in its chain. `until`: how long it was served; null where earlier versions did not record it. */
interface Revision extends Link<Held> {
  until: string | null;
}

interface HistoryOptions extends Pick<Site, "base" | "mirror" | "facts"> {
  changes: RecentChanges;
}

/** The reads by path. */
export function historyReads(options: HistoryOptions): Record<string, LiveRead> {
  return Object.fromEntries(SNAPSHOT_NAMES.map((name) => [historyPath(name), historyRead(name, options)]));
}

function historyRead(name: SnapshotName, { base, mirror, facts, changes }: HistoryOptions): LiveRead {
  let known: { past: unknown; present: unknown; revisions: readonly Revision[]; list: Prepared } | undefined;
  return (query) => {
    if (!changes.areOffered) return NO_HISTORY;
    const times = query.getAll("at");
    const at = timeOf(times);
    if (Number.isNaN(at) || [...query].length > times.length) return error(400, AT_FORM);
    const past = changes.past();
    if (!past || !mirror.isAnswered) return HISTORY_UNAVAILABLE;
    const lookup = mirror.get(name);
    const present = lookup.state === "missing" ? undefined : lookup.snapshot;
    if (known?.past !== past || known.present !== present) {
      const kept = past.filter((one) => one.name === name);
      const entries = present ? withPresent(kept, present, mirror.replaced(name)) : kept;
      if (!entries) return HISTORY_UNAVAILABLE;
      const revisions = chainOf<Held>(entries, present, facts.trust !== undefined).map(revisionOf);
      known = { past, present, revisions, list: listed(revisions, base + historyPath(name)) };
    }
    if (times.length === 0) return known.list;
    return at > facts.clock.wall() ? error(404, "This time is in the future.") : answerAt(at, known.revisions);
  };
}

/** The kept revisions with the present one as it is served; undefined if it is not known what that has replaced. The collector writes
 * its entry only after it has published it: until then that is `replaced`, which this server served before, unless it has missed one. */
function withPresent(
  kept: readonly PastRevision[],
  present: Servable,
  replaced: Snapshot | undefined,
): readonly Held[] | undefined {
  const own = kept.find((one) => isSamePlace(one, present));
  const before = own ? own.before : replacedBy(present, replaced);
  if (!own && !before && kept.length > 0) return undefined;
  return [{ ...present, before }, ...kept.filter((one) => one !== own)];
}

function revisionOf(link: Link<Held>, at: number, links: readonly Link<Held>[]): Revision {
  const { freshUntil = null } = link.last ?? {};
  const next = links[at - 1]?.entry.changedAt;
  const isCut = next !== undefined && freshUntil !== null && Date.parse(next) < Date.parse(freshUntil);
  return { ...link, until: isCut ? next : freshUntil };
}

function listed(revisions: readonly Revision[], url: string): Prepared {
  const rows = revisions.map(({ entry, last, until, isGenuine }) => ({
    rev: entry.revision,
    changedAt: entry.changedAt,
    confirmedAt: last?.confirmedAt ?? null,
    until,
    sha256: last?.sha256 ?? entry.sha256 ?? null,
    url: isGenuine && entry.body ? `${url}?at=${entry.changedAt}` : null,
    proof: last?.proof ?? null,
    gaps: last?.gaps,
    takenBack: entry.isTakenBack,
  }));
  return prepare(json(200, JSON.stringify({ revisions: rows }), HEADERS));
}

/** `at`: in ms since the epoch. `revisions`: newest first. */
function answerAt(at: number, revisions: readonly Revision[]): Prepared | Answer {
  const found = revisions.find(({ entry }) => Date.parse(entry.changedAt) <= at);
  if (!found) {
    const oldest = revisions.at(-1)?.entry.changedAt;
    return error(404, oldest === undefined ? "Nothing is kept." : `Nothing is kept from before ${oldest}.`);
  }
  const { entry, last, until, isGenuine } = found;
  const { changedAt, body, isTakenBack } = entry;
  if (until === null && Date.parse(changedAt) !== at)
    return error(404, `It is not known for how long the revision of ${changedAt} was confirmed.`);
  const isGap = last?.gaps?.some(({ from, until: end }) => Date.parse(from) <= at && at < Date.parse(end));
  if (isGap || (until !== null && Date.parse(until) <= at))
    return error(404, "Nothing was served at this time: what had been confirmed last was out of date.");
  if (isTakenBack) return error(404, "What was served at this time has been taken back.");
  if (!isGenuine) return error(404, "What was served at this time is damaged in the store.");
  if (!body) return error(404, "What was served at this time was too large to keep.");
  const headers = { ...HEADERS, "last-modified": new Date(changedAt).toUTCString() };
  return prepare(json(200, body, headers), last?.sha256 ?? entry.sha256);
}

const Time = z.iso
  .date()
  .or(z.iso.datetime({ offset: true }))
  .or(z.iso.datetime({ offset: true, precision: -1 }));

/** Milliseconds since the epoch; the year 0 without a text, and NaN for more than one, or one in another form. A date is 00:00 UTC. */
export function timeOf([text = "0000-01-01", ...others]: readonly string[]): number {
  // The sign of an offset that was sent as it is.
  const time = text.replace(" ", "+");
  return others.length === 0 && Time.safeParse(time).success ? Date.parse(time) : Number.NaN;
}
