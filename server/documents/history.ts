// The past over HTTP: the revisions of each snapshot, and with `?at=` the payload as it was served then, byte for byte. It is not
// found where this is not known: an old price is never a guess. All of it comes from memory, which readers of the past share.
import * as z from "zod";
import { isSamePlace, type LastConfirmation } from "../../snapshots/history.ts";
import { subjectOf } from "../../snapshots/proof.ts";
import { SNAPSHOT_NAMES, type SnapshotName } from "../../snapshots/snapshot.ts";
import { error, json, type Answer } from "../answers/answer.ts";
import { RETRY_AFTER_SECONDS } from "../answers/facts.ts";
import { prepare, type Prepared } from "../answers/prepared.ts";
import type { Clock, Mirror, Servable } from "../mirror/mirror.ts";
import type { PastRevision, RecentChanges } from "../mirror/recent-changes.ts";

export function historyPath(name: SnapshotName): string {
  return `/history/${subjectOf(name)}`;
}

/** Of feeds and past until the history has been read. An empty answer would say that nothing has changed, and caches would
 * keep it. */
export const HISTORY_UNAVAILABLE = error(502, "The history is temporarily unavailable. Please try again later.", {
  headers: { "retry-after": RETRY_AFTER_SECONDS },
});
const NO_HISTORY = error(404, "There is no history here. The server that this one follows may have one.");
const AT_FORM = "Use at once, with a date (00:00 UTC) or a UTC time: at=2026-11-22 or at=2026-11-22T01:15:00Z.";

/** Not for longer, because a change may be taken back. */
const HEADERS = { "cache-control": "public, max-age=60" };

/** A revision with the time in which it was served. What is null is not known: versions before this one did not keep it. */
interface Revision extends PastRevision, Pick<LastConfirmation, "gaps"> {
  confirmedAt: string | null;
  until: string | null;
  proof: string | null;
}

interface HistoryOptions {
  /** The public base URL, without a trailing slash. */
  base: string;
  mirror: Mirror;
  changes: RecentChanges;
  clock: Clock;
}

type Read = (query: URLSearchParams) => Prepared | Answer;

/** The answers by path. */
export function historyReads(options: HistoryOptions): Record<string, Read> {
  return Object.fromEntries(SNAPSHOT_NAMES.map((name) => [historyPath(name), historyRead(name, options)]));
}

function historyRead(name: SnapshotName, { base, mirror, changes, clock }: HistoryOptions): Read {
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
      const revisions = revisionsOf(kept, present, changes.isTrusting);
      known = { past, present, revisions, list: listed(revisions, base + historyPath(name)) };
    }
    if (times.length === 0) return known.list;
    return at > clock.wall() ? error(404, "This time is in the future.") : answerAt(at, known.revisions);
  };
}

/** Newest first, as `past` is. `present`: the snapshot that is served, if any. What is dated after it is not served yet, or was dated
 * by a clock that was ahead, as was what lies between a revision and the one that it replaced. `isTrusting`: without what is not
 * proven. */
function revisionsOf(past: readonly PastRevision[], present: Servable | undefined, isTrusting: boolean): Revision[] {
  const revisions: Revision[] = [];
  if (present) {
    const before = past.find((one) => isSamePlace(one, present))?.before;
    const { name, revision, changedAt, sha256, body } = present;
    revisions.push(revisionOf({ key: "", name, revision, changedAt, sha256, body, before }, present));
  }
  for (const one of past) {
    const next = revisions.at(-1);
    const changed = Date.parse(one.changedAt);
    if (next && changed >= Date.parse(next.changedAt)) continue;
    const isReplaced =
      next?.before !== undefined && isSamePlace(one, next.before) && (!one.sha256 || one.sha256 === next.before.sha256);
    if (isTrusting && !isReplaced && !one.isTakenBack) continue;
    if (next?.before && !isReplaced && changed > Date.parse(next.before.changedAt)) continue;
    revisions.push(revisionOf(one, isReplaced ? next.before : undefined, next));
  }
  return revisions;
}

function revisionOf(one: PastRevision, last: LastConfirmation | undefined, next?: Revision): Revision {
  const { confirmedAt = null, freshUntil = null, gaps, proof = null } = last ?? {};
  const isCut = next && freshUntil !== null && Date.parse(next.changedAt) < Date.parse(freshUntil);
  return { ...one, confirmedAt, until: isCut ? next.changedAt : freshUntil, gaps, proof };
}

function listed(revisions: readonly Revision[], url: string): Prepared {
  const rows = revisions.map(({ revision, changedAt, confirmedAt, until, sha256, body, proof, gaps, isTakenBack }) => ({
    rev: revision,
    changedAt,
    confirmedAt,
    until,
    sha256: sha256 ?? null,
    url: body ? `${url}?at=${changedAt}` : null,
    proof,
    gaps,
    takenBack: isTakenBack,
  }));
  return prepare(json(200, JSON.stringify({ revisions: rows }), HEADERS));
}

/** `at`: in ms since the epoch. `revisions`: newest first. */
function answerAt(at: number, revisions: readonly Revision[]): Prepared | Answer {
  const found = revisions.find(({ changedAt }) => Date.parse(changedAt) <= at);
  if (!found) {
    const oldest = revisions.at(-1)?.changedAt;
    return error(404, oldest === undefined ? "Nothing is kept." : `Nothing is kept from before ${oldest}.`);
  }
  const { changedAt, until, gaps = [], sha256, body, isTakenBack } = found;
  if (until === null && Date.parse(changedAt) !== at)
    return error(404, `It is not known for how long the revision of ${changedAt} was confirmed.`);
  const isGap = gaps.some(({ from, until: end }) => Date.parse(from) <= at && at < Date.parse(end));
  if (isGap || (until !== null && Date.parse(until) <= at))
    return error(404, "Nothing was served at this time: what had been confirmed last was out of date.");
  if (isTakenBack) return error(404, "What was served at this time has been taken back.");
  if (sha256 === undefined) return error(404, "What was served at this time is damaged in the store.");
  if (!body) return error(404, "What was served at this time was too large to keep.");
  const headers = { ...HEADERS, "last-modified": new Date(changedAt).toUTCString() };
  return prepare(json(200, body, headers), sha256);
}

const Time = z.iso
  .date()
  .or(z.iso.datetime({ offset: true }))
  .or(z.iso.datetime({ offset: true, precision: -1 }));

/** It is in ms since the epoch, long ago without a text, and NaN unless that is one time in one of these forms. A date is 00:00 UTC. */
export function timeOf([text = "0000-01-01", ...others]: readonly string[]): number {
  return others.length === 0 && Time.safeParse(text).success ? Date.parse(text) : Number.NaN;
}
