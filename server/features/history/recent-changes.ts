// The memory copy of the history, for the page, the feeds and `/history/…`, so that no request waits for a disk. Feeds omit
// unreadable entries; while the history cannot be listed, or belongs to another product, the copy stays as it is.
import {
  listHistory,
  readEntry,
  type HistoryEntry,
  type HistoryPlace,
} from "../../../snapshots/features/history/history.ts";
import { beforeOf, provenEntries } from "../../../snapshots/features/history/past.ts";
import { clip } from "../../../snapshots/rules.ts";
import { readSnapshot, refuseOtherProduct, type Facts, type Trust } from "../../../snapshots/facts.ts";
import { FACTS, type Payload, SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { parseDocument, type Unreachable } from "../../../snapshots/store.ts";
import { Follower, HINT_DELAY_MS } from "../../mirror/follower.ts";

/** `changelog`: of a release, cut short. `published`: undefined if the payload was too large for the history. */
export interface Change extends HistoryPlace, Pick<HistoryEntry, "changes" | "differences"> {
  changelog: string;
  published: Published | undefined;
}

/** The part of a payload that a chart needs. `prices`: those by the month, by plan id, of the first MAX_PLANS. `version`: null
 * if no release was published. */
export type Published = { currency: string; prices: ReadonlyMap<string, number> } | { version: string | null };

/** A revision as `/history/…` needs it. `sha256`: undefined if its entry was taken back or is damaged. `body`: the payload's JSON
 * in UTF-8; undefined for these, and for one that is too large to keep. */
export interface PastRevision extends HistoryPlace, Pick<HistoryEntry, "before" | "sha256"> {
  body: Uint8Array | undefined;
}

/** What this server holds of one entry. */
interface Copy {
  change: Change | undefined;
  past: PastRevision;
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
  readonly areOffered: boolean;
  /** True if only what a trusted key has signed may be shown of the past. */
  readonly isTrusting: boolean;
  /** The entries by their keys. */
  #known: ReadonlyMap<string, Copy> = new Map();
  #past: readonly PastRevision[] | undefined;
  #isAway = false;
  #all: readonly Change[] | undefined;
  #latest: readonly Change[] | undefined;
  #keys: string | undefined;

  constructor(facts: Facts) {
    super(facts, HINT_DELAY_MS);
    this.areOffered = offersHistory(facts);
    this.isTrusting = facts.trust !== undefined;
  }

  /** Newest first, without gaps; the same list until it changes. Undefined until the history has been read: unknown is not none. */
  all(): readonly Change[] | undefined {
    return this.#all;
  }

  /** The changes of `all`, at most MAX_LATEST of each snapshot; with trust all of them. */
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
    const copies = await this.#copiesOf(listed);
    const read = copies.filter((copy) => copy !== undefined);
    const past = read.map((copy) => copy.past);
    this.#known = new Map(read.map((copy) => [copy.past.key, copy]));
    const proven = this.isTrusting ? await this.#provenChanges(past) : undefined;
    const isWhole = read.length === copies.length;
    const unbroken = isWhole ? read : copies.slice(0, copies.indexOf(undefined));
    this.#all = proven ?? unbroken.flatMap((copy) => copy?.change ?? []);
    this.#latest = proven ?? latestOf(read.flatMap(({ change }) => change ?? []));
    this.#past = isWhole ? past : undefined;
    // If it is not, the next read goes on.
    this.#keys = isWhole ? keys : undefined;
    this.changed();
  }

  /** A copy for each place; undefined for the entries that are left to the next read. @throws Unreachable */
  async #copiesOf(listed: readonly HistoryPlace[]): Promise<(Copy | undefined)[]> {
    // Taking a change back may have rewritten the entries after it.
    const rewritten = new Set(
      listed.filter((place) => place.isTakenBack && !this.#known.has(place.key)).map(({ name }) => name),
    );
    const reads = new Map<SnapshotName, number>();
    const copies: (Copy | undefined)[] = [];
    let held = 0;
    for (const place of listed) {
      const { name } = place;
      let copy = rewritten.has(name) ? undefined : this.#known.get(place.key);
      if (!copy) {
        const count = (reads.get(name) ?? 0) + 1;
        reads.set(name, count);
        if (count <= MAX_ENTRIES_READ) copy = copyOf(place, await readEntry(this.facts, place), this.facts.trust);
      }
      held += copy?.past.body?.byteLength ?? 0;
      if (copy && held > MAX_HELD_BYTES) copy.past.body = undefined;
      copies.push(copy);
    }
    return copies;
  }

  /** True if the snapshots are gone, too, as from a volume that is not mounted: its history may still be there. */
  async #isEmptied(): Promise<boolean> {
    const reads = await Promise.all(SNAPSHOT_NAMES.map((name) => readSnapshot(this.facts, name)));
    return reads.every(({ state }) => state !== "found");
  }

  /** The changes between revisions that a trusted key has signed. */
  async #provenChanges(past: readonly PastRevision[]): Promise<Change[]> {
    const entries = past.map((one) => ({ ...one, payload: one.body && payloadOf(one.name, one.body) }));
    return (await provenEntries(this.facts, entries)).flatMap((entry) => changeOf(entry, entry) ?? []);
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

/** The first MAX_LATEST of each snapshot. */
function latestOf(changes: readonly Change[]): Change[] {
  const counts = new Map<SnapshotName, number>();
  return changes.filter(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= MAX_LATEST;
  });
}

function copyOf(place: HistoryPlace, entry: HistoryEntry | undefined, trust: Trust | undefined): Copy {
  const { sha256, payload } = entry ?? {};
  const before = entry && beforeOf(entry, trust);
  const body = payload && Buffer.from(JSON.stringify(payload));
  return { change: changeOf(place, entry), past: { ...place, before, sha256, body } };
}

/** Undefined for a damaged entry, and for one in which nothing changed. */
function changeOf(
  { key, name, revision, changedAt, isTakenBack }: HistoryPlace,
  entry: Pick<HistoryEntry, "changes" | "differences" | "payload"> | undefined,
): Change | undefined {
  if (!entry || entry.changes.length === 0) return undefined;
  const { changes, differences, payload } = entry;
  const place = { key, name, revision, changedAt, isTakenBack };
  const release = payload && "hasUpdate" in payload && payload.hasUpdate ? payload.latest : undefined;
  const changelog = clip(release?.changelog ?? "", MAX_CHANGELOG);
  return { ...place, changes, differences, changelog, published: payload && publishedOf(payload) };
}

function publishedOf(payload: Payload): Published {
  if ("hasUpdate" in payload) return { version: payload.hasUpdate ? payload.latest.version : null };
  const { currency, plans } = payload;
  return { currency, prices: new Map(plans.slice(0, MAX_PLANS).map(({ id, monthlyPrice }) => [id, monthlyPrice])) };
}

function payloadOf(name: SnapshotName, body: Uint8Array): Payload | undefined {
  return parseDocument(body, FACTS[name])?.payload;
}
