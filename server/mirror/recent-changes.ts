// The memory copy of the latest changes in the history, for the page and the feeds. Unreadable entries are omitted; while the
// history cannot be listed, or belongs to another product, the copy stays as it is.
import { listHistory, readEntry, type HistoryEntry, type HistoryKey } from "../../snapshots/history.ts";
import { clip } from "../../snapshots/rules.ts";
import { refuseOtherProduct, SNAPSHOT_NAMES, type Payload } from "../../snapshots/snapshot.ts";
import type { Reader } from "../../snapshots/store.ts";
import { Follower, HINT_DELAY_MS } from "./follower.ts";

/** `changelog`: of a release, cut short. `published`: undefined if the payload was too large for the history. */
export interface Change extends HistoryKey, Pick<HistoryEntry, "changes" | "differences"> {
  changelog: string;
  published: Published | undefined;
}

/** The part of a payload that a chart needs. `prices`: of a month, by plan id, of the first plans only. `version`: null
 * if no release was published. */
export type Published = { currency: string; prices: ReadonlyMap<string, number> } | { version: string | null };

const POLL_MS = 2_000;
/** The page gets so many changes of each snapshot. */
const MAX_LATEST = 50;
/** One read takes so many entries of each snapshot; the next reads go on with older ones. */
const MAX_ENTRIES_READ = 70;
/** A change keeps the prices of so many plans. */
const MAX_PLANS = 30;
/** A changelog is cut after so many UTF-16 units. */
const MAX_CHANGELOG = 2_000;

export class RecentChanges extends Follower {
  /** False if the store has no history: then nothing promises one. */
  readonly areOffered: boolean;
  /** A damaged entry is undefined. */
  #known: ReadonlyMap<string, Change | undefined> = new Map();
  #all: readonly Change[] | undefined;
  #latest: readonly Change[] | undefined;
  #keys: string | undefined;

  constructor(store: Reader) {
    super(store, POLL_MS, HINT_DELAY_MS);
    this.areOffered = store.canList ?? true;
  }

  /** Newest first, without gaps; the same list until it changes. Undefined until the history has been read: unknown is not none. */
  all(): readonly Change[] | undefined {
    return this.#all;
  }

  latest(): readonly Change[] | undefined {
    return this.#latest;
  }

  protected override async read(): Promise<void> {
    if (!this.areOffered) return;
    const listed = await listHistory(this.store).catch(() => undefined);
    const keys = listed?.map(({ key }) => key).join("\n");
    if (listed === undefined || keys === undefined || keys === this.#keys) return;
    // Entries of an earlier version do not name their product.
    const isOurs = await refuseOtherProduct(this.store).then(
      () => true,
      () => false,
    );
    if (!isOurs) return;
    const known = new Map<string, Change | undefined>();
    const [all, latest]: [Change[], Change[]] = [[], []];
    const counts = new Map(SNAPSHOT_NAMES.map((name) => [name, { read: 0, kept: 0 }]));
    let isWhole = true;
    for (const entryKey of listed) {
      const count = counts.get(entryKey.name);
      if (!count) continue;
      const isKnown = this.#known.has(entryKey.key);
      isWhole &&= isKnown || count.read < MAX_ENTRIES_READ;
      if (!isKnown && ++count.read > MAX_ENTRIES_READ) continue;
      const change = isKnown
        ? this.#known.get(entryKey.key)
        : changeOf(entryKey, await readEntry(this.store, entryKey));
      known.set(entryKey.key, change);
      if (!change) continue;
      if (isWhole) all.push(change);
      if (++count.kept <= MAX_LATEST) latest.push(change);
    }
    this.#known = known;
    this.#all = all;
    this.#latest = latest;
    // If it is not, the next read goes on.
    this.#keys = isWhole ? keys : undefined;
    this.changed();
  }
}

/** Undefined for a damaged entry, and for one in which nothing changed. */
function changeOf(key: HistoryKey, entry: HistoryEntry | undefined): Change | undefined {
  if (!entry || entry.changes.length === 0) return undefined;
  const { changes, differences, payload } = entry;
  const release = payload && "hasUpdate" in payload && payload.hasUpdate ? payload.latest : undefined;
  const changelog = clip(release?.changelog ?? "", MAX_CHANGELOG);
  return { ...key, changes, differences, changelog, published: payload && publishedOf(payload) };
}

function publishedOf(payload: Payload): Published {
  if ("hasUpdate" in payload) return { version: payload.hasUpdate ? payload.latest.version : null };
  const { currency, plans } = payload;
  return { currency, prices: new Map(plans.slice(0, MAX_PLANS).map(({ id, monthlyPrice }) => [id, monthlyPrice])) };
}
