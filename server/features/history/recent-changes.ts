// The memory copy of the history, for the page, the feeds and `/history/…`, so that no request waits for a disk. Feeds omit
// unreadable entries; while the history cannot be listed, or belongs to another product, the copy stays as it is.
import type { HistoryEntry, HistoryPlace } from "../../../snapshots/features/history/entry.ts";
import { listHistory, provenEntries, readBelieved } from "../../../snapshots/features/history/timeline.ts";
import { clip } from "../../../snapshots/rules.ts";
import { readSnapshot, refuseOtherProduct, type Facts } from "../../../snapshots/facts.ts";
import { FACTS, type Payload, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { parseDocument, type Unreachable } from "../../../snapshots/store.ts";
import { Follower } from "../../mirror/follower.ts";

/** `changelog`: of a release, cut short. `published`: undefined if the payload was too large for the history. */
export interface Change extends HistoryPlace, Pick<HistoryEntry, "changes" | "differences"> {
  changelog: string;
  published: Published | undefined;
}

/** The part of a payload that a chart needs. `prices`: those by the month, by plan id, of the first MAX_PLANS. `version`: null
 * if no release was published. */
export type Published = { currency: string; prices: ReadonlyMap<string, number> } | { version: string | null };

/** An entry as this server holds it. `changes`: none if it is damaged or was taken back; then `sha256` is undefined. `body`: the
 * payload's JSON in UTF-8; undefined for these, and for one that is too large to keep. */
export interface PastRevision extends Change, Pick<HistoryEntry, "before" | "sha256"> {
  body: Uint8Array | undefined;
}

/** Changes of each snapshot on the page. */
const MAX_LATEST = 50;
/** Entries of each snapshot that one read takes; the next reads go on with older ones. */
const MAX_ENTRIES_READ = 70;
/** Plans whose prices a change keeps. */
const MAX_PLANS = 30;
/** Payloads in memory, the newest first: a hundred revisions with three plans have 100 KB. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** UTF-16 units. */
const MAX_CHANGELOG = 2_000;

export class RecentChanges extends Follower {
  /** False if the store cannot list a history: no document then names its feeds. */
  readonly areOffered = offersHistory(this.facts);
  /** Those that have been read, by their keys. */
  #known: ReadonlyMap<string, PastRevision> = new Map();
  #past: readonly PastRevision[] | undefined;
  #isAway = false;
  #all: readonly Change[] | undefined;
  #latest: readonly Change[] | undefined;
  #keys: string | undefined;

  /** Newest first, without gaps; the same list until it changes. Undefined until the history has been read: unknown is not none. */
  all(): readonly Change[] | undefined {
    return this.#all;
  }

  /** The changes of each snapshot, newest first: at most MAX_LATEST; with trust all of them. */
  latest(): readonly Change[] | undefined {
    return this.#latest;
  }

  /** The revisions of all snapshots, newest first; the same list until it changes. Undefined until all of them have been read, and
   * while the store is away, because a change may have been taken back since. */
  past(): readonly PastRevision[] | undefined {
    return this.#isAway ? undefined : this.#past;
  }

  protected override onRead(unreachable: Unreachable | undefined): void {
    if (unreachable) this.#isAway = true;
  }

  protected override async read(): Promise<void> {
    if (!this.areOffered) return;
    const listed = await listHistory(this.facts).catch(() => undefined);
    this.#isAway = !listed || (listed.length === 0 && this.#known.size > 0 && (await this.#isEmptied()));
    if (!listed || this.#isAway) return;
    const keys = listed.map(({ key }) => key).join("\n");
    if (keys === this.#keys) return;
    // Entries of an earlier version do not name their product.
    this.#isAway = await refuseOtherProduct(this.facts).then(
      () => false,
      () => true,
    );
    if (this.#isAway) return;
    const revisions = await this.#revisionsAt(listed);
    const read = revisions.filter((one) => one !== undefined);
    this.#known = new Map(read.map((one) => [one.key, one]));
    const proven = this.facts.trust ? (await provenEntries(this.facts, read, payloadOf)).filter(hasChanged) : undefined;
    const gap = revisions.indexOf(undefined);
    const isWhole = gap === -1;
    this.#all = proven ?? (isWhole ? read : read.slice(0, gap)).filter(hasChanged);
    this.#latest = proven ?? firstOfEach(read.filter(hasChanged), MAX_LATEST);
    this.#past = isWhole ? read : undefined;
    // If it is not, the next read goes on.
    this.#keys = isWhole ? keys : undefined;
    this.changed();
  }

  /** A revision for each place; undefined for those that are left to the next read. @throws Unreachable */
  async #revisionsAt(listed: readonly HistoryPlace[]): Promise<(PastRevision | undefined)[]> {
    // Taking a change back may have rewritten the entries after it.
    const rewritten = new Set(
      listed.filter((place) => place.isTakenBack && !this.#known.has(place.key)).map(({ name }) => name),
    );
    const known = ({ name, key }: HistoryPlace) => (rewritten.has(name) ? undefined : this.#known.get(key));
    const unread = listed.filter((place) => !known(place));
    const due = new Set(firstOfEach(unread, MAX_ENTRIES_READ));
    const revisions: (PastRevision | undefined)[] = [];
    let held = 0;
    for (const place of listed) {
      const revision = due.has(place) ? revisionOf(place, await readBelieved(this.facts, place)) : known(place);
      held += revision?.body?.byteLength ?? 0;
      if (revision && held > MAX_HELD_BYTES) revision.body = undefined;
      revisions.push(revision);
    }
    return revisions;
  }

  /** True if the snapshots are gone, too, as from a volume that is not mounted: its history may still be there. */
  async #isEmptied(): Promise<boolean> {
    const reads = await Promise.all(SNAPSHOT_NAMES.map((name) => readSnapshot(this.facts, name)));
    return reads.every(({ state }) => state !== "found");
  }
}

const followers = new WeakMap<Facts, RecentChanges>();

/** The one copy for these facts. */
export function changesOf(facts: Facts): RecentChanges {
  const changes = followers.get(facts) ?? new RecentChanges(facts);
  followers.set(facts, changes);
  return changes;
}

/** False if the store cannot list a history. */
export function offersHistory({ store }: Facts): boolean {
  return store.canList ?? true;
}

/** The first `count` of each snapshot. */
function firstOfEach<T extends { name: SnapshotName }>(all: readonly T[], count: number): T[] {
  return SNAPSHOT_NAMES.flatMap((name) => all.filter((one) => one.name === name).slice(0, count));
}

function hasChanged({ changes }: Change): boolean {
  return changes.length > 0;
}

/** `entry`: undefined if it is damaged. */
function revisionOf(place: HistoryPlace, entry: HistoryEntry | undefined): PastRevision {
  const { payload, ...kept } = entry ?? { changes: [], differences: [], payload: undefined };
  const body = payload && Buffer.from(JSON.stringify(payload));
  return { ...kept, ...place, changelog: changelogOf(payload), published: payload && publishedOf(payload), body };
}

function payloadOf({ name, body }: PastRevision): Payload | undefined {
  return body && parseDocument(body, FACTS[name])?.payload;
}

function changelogOf(payload: Payload | undefined): string {
  return payload && "hasUpdate" in payload && payload.hasUpdate ? clip(payload.latest.changelog, MAX_CHANGELOG) : "";
}

function publishedOf(payload: Payload): Published {
  if ("hasUpdate" in payload) return { version: payload.hasUpdate ? payload.latest.version : null };
  const { currency, plans } = payload;
  return { currency, prices: new Map(plans.slice(0, MAX_PLANS).map(({ id, monthlyPrice }) => [id, monthlyPrice])) };
}
