// The memory copy of the history, for the page, the feeds and readers of the past, so that none of them waits for a disk. Feeds omit
// unreadable entries; while the history cannot be listed, or belongs to another product, the copy stays as it is.
import { listHistory, readEntry, type HistoryEntry, type HistoryKey } from "../../snapshots/history.ts";
import { beforeOf, provenEntries } from "../../snapshots/past.ts";
import { clip } from "../../snapshots/rules.ts";
import {
  FACTS,
  readSnapshot,
  refuseOtherProduct,
  SNAPSHOT_NAMES,
  type SnapshotName,
} from "../../snapshots/snapshot.ts";
import type { Payload } from "../../snapshots/schema.ts";
import { parseDocument, type Reader, type Trust, type Unreachable } from "../../snapshots/store.ts";
import { Follower, HINT_DELAY_MS } from "./follower.ts";

/** `changelog`: of a release, cut short. `published`: undefined if the payload was too large for the history. */
export interface Change extends HistoryKey, Pick<HistoryEntry, "changes" | "differences"> {
  changelog: string;
  published: Published | undefined;
}

/** The part of a payload that a chart needs. `prices`: of a month, by plan id, of the first plans only. `version`: null
 * if no release was published. */
export type Published = { currency: string; prices: ReadonlyMap<string, number> } | { version: string | null };

/** A revision, for readers of the past. `sha256`: undefined if its entry was taken back or is damaged. `body`: the payload's JSON in
 * UTF-8; undefined if it was too large, too. */
export interface PastRevision extends HistoryKey, Pick<HistoryEntry, "before" | "sha256"> {
  body: Uint8Array | undefined;
}

const POLL_MS = 2_000;
/** The page gets so many changes of each snapshot. */
const MAX_LATEST = 50;
/** One read takes so many entries of each snapshot; the next reads go on with older ones. */
const MAX_ENTRIES_READ = 70;
/** A change keeps the prices of so many plans. */
const MAX_PLANS = 30;
/** Older payloads beyond so many bytes are dropped: a hundred revisions with three plans have 100 KB. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** A changelog is cut after so many UTF-16 units. */
const MAX_CHANGELOG = 2_000;

export class RecentChanges extends Follower {
  /** False if the store has no history: then nothing promises one. */
  readonly areOffered: boolean;
  /** True if only what a trusted key has signed may be shown of the past. */
  readonly isTrusting: boolean;
  /** The change is undefined for a damaged entry, and for one in which nothing changed. */
  #known: ReadonlyMap<string, { change: Change | undefined; past: PastRevision }> = new Map();
  #past: readonly PastRevision[] | undefined;
  #isAway = false;
  #all: readonly Change[] | undefined;
  #latest: readonly Change[] | undefined;
  #keys: string | undefined;

  constructor(store: Reader) {
    super(store, POLL_MS, HINT_DELAY_MS);
    this.areOffered = store.canList ?? true;
    this.isTrusting = store.trust !== undefined;
  }

  /** Newest first, without gaps; the same list until it changes. Undefined until the history has been read: unknown is not none. */
  all(): readonly Change[] | undefined {
    return this.#all;
  }

  latest(): readonly Change[] | undefined {
    return this.#latest;
  }

  /** Of all snapshots, newest first; the same list until it changes. Undefined until all of it has been read, and while the store
   * is away: what it has taken back since is not known. */
  past(): readonly PastRevision[] | undefined {
    return this.#isAway ? undefined : this.#past;
  }

  protected override onRead(unreachable: Unreachable | undefined): void {
    if (unreachable) this.#isAway = true;
  }

  protected override async read(): Promise<void> {
    if (!this.areOffered) return;
    const listed = await listHistory(this.store).catch(() => undefined);
    this.#isAway = !listed || (listed.length === 0 && this.#known.size > 0 && (await this.#isEmptied()));
    if (!listed || this.#isAway) return;
    const keys = listed.map(({ key }) => key).join("\n");
    if (keys === this.#keys) return;
    // Entries of an earlier version do not name their product.
    const isOurs = await refuseOtherProduct(this.store).then(
      () => true,
      () => false,
    );
    this.#isAway = !isOurs;
    if (!isOurs) return;
    const known = new Map<string, { change: Change | undefined; past: PastRevision }>();
    const [all, latest, past]: [Change[], Change[], PastRevision[]] = [[], [], []];
    // What was taken back since the last read may have changed the entries after it.
    const renewed = new Set(
      listed.filter((one) => one.isTakenBack && !this.#known.has(one.key)).map(({ name }) => name),
    );
    let held = 0;
    const counts = new Map(SNAPSHOT_NAMES.map((name) => [name, { read: 0, kept: 0 }]));
    let isWhole = true;
    for (const entryKey of listed) {
      const count = counts.get(entryKey.name);
      if (!count) continue;
      let one = renewed.has(entryKey.name) ? undefined : this.#known.get(entryKey.key);
      isWhole &&= one !== undefined || count.read < MAX_ENTRIES_READ;
      if (!one && ++count.read > MAX_ENTRIES_READ) continue;
      one ??= copyOf(entryKey, await readEntry(this.store, entryKey), this.store.trust);
      held += one.past.body?.byteLength ?? 0;
      if (held > MAX_HELD_BYTES) one.past.body = undefined;
      known.set(entryKey.key, one);
      past.push(one.past);
      const { change } = one;
      if (!change) continue;
      if (isWhole) all.push(change);
      if (++count.kept <= MAX_LATEST) latest.push(change);
    }
    this.#known = known;
    const proven = this.isTrusting ? await this.#provenChanges(past) : undefined;
    this.#all = proven ?? all;
    this.#latest = proven ?? latest;
    this.#past = isWhole ? past : undefined;
    // If it is not, the next read goes on.
    this.#keys = isWhole ? keys : undefined;
    this.changed();
  }

  /** True for an empty directory, such as that of a volume that is not mounted: what it had is not known to be gone. */
  async #isEmptied(): Promise<boolean> {
    const reads = await Promise.all(SNAPSHOT_NAMES.map((name) => readSnapshot(this.store, name, Date.now())));
    return reads.every(({ state }) => state !== "found");
  }

  /** The changes between revisions that a trusted key has signed. */
  async #provenChanges(past: readonly PastRevision[]): Promise<Change[]> {
    const entries = past.map((one) => ({ ...one, payload: one.body && payloadOf(one.name, one.body) }));
    return (await provenEntries(this.store, entries)).flatMap((entry) => changeOf(entry, entry) ?? []);
  }
}

function copyOf(
  key: HistoryKey,
  entry: HistoryEntry | undefined,
  trust: Trust | undefined,
): { change: Change | undefined; past: PastRevision } {
  const { sha256, payload } = entry ?? {};
  const before = entry && beforeOf(entry, trust);
  const body = payload && Buffer.from(JSON.stringify(payload));
  return { change: changeOf(key, entry), past: { ...key, before, sha256, body } };
}

/** Undefined for a damaged entry, and for one in which nothing changed. */
function changeOf(
  { key, name, revision, changedAt, isTakenBack }: HistoryKey,
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
