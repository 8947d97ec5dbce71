// The server's memory copy of the latest changes in the history, for documents that tell of them. Read when the program
// starts, when the store hints and every few seconds, never in a request. What cannot be read is left out, and while nothing
// can be, what is held stands.
import { listHistory, readEntry } from "../../snapshots/history.ts";
import type { Entry, Place } from "../../snapshots/history-entry.ts";
import { clip } from "../../snapshots/rules.ts";
import { SNAPSHOT_NAMES, type Payload } from "../../snapshots/snapshot.ts";
import type { Store } from "../../snapshots/store.ts";
import { Follower, LATER } from "./follower.ts";

/** A change as it is told. `changelog`: of a release, cut short. */
export interface Change extends Place {
  changes: readonly string[];
  changelog: string;
  /** What was published, as far as a chart needs it; undefined when it was too large to be kept. */
  published: Published | undefined;
}

/** `prices`: by the month, by the ids of the first plans. `version`: null when no release was published. */
export type Published = { currency: string; prices: ReadonlyMap<string, number> } | { version: string | null };

/** How often the store is asked, milliseconds. */
const POLL = 2_000;
/** Most changes of each snapshot that are held, and most entries that are looked at for them. */
const MOST_HELD = 50;
const MOST_READ = 70;
/** Most plans whose prices a change tells. */
const MOST_PLANS = 30;
/** Longest changelog, in UTF-16 units. */
const MAX_CHANGELOG = 2_000;

export class Changes extends Follower {
  #known: ReadonlyMap<string, Change> = new Map();
  #keys = "";

  constructor(store: Store) {
    super(store, POLL, LATER);
  }

  /** Newest first. */
  latest(): readonly Change[] {
    return [...this.#known.values()];
  }

  protected override async read(): Promise<void> {
    const places = await listHistory(this.store).catch(() => undefined);
    const keys = places?.map(({ key }) => key).join("\n");
    if (places === undefined || keys === undefined || keys === this.#keys) return;
    const known = new Map<string, Change>();
    const counts = new Map(SNAPSHOT_NAMES.map((name) => [name, { read: 0, held: 0 }]));
    for (const place of places) {
      const count = counts.get(place.name);
      if (!count || count.read === MOST_READ || count.held === MOST_HELD) continue;
      count.read += 1;
      const change = this.#known.get(place.key) ?? told(place, await readEntry(this.store, place));
      if (!change) continue;
      known.set(place.key, change);
      count.held += 1;
    }
    this.#known = known;
    this.#keys = keys;
    this.changed();
  }
}

/** Undefined for a damaged entry, and for one in which nothing changed. */
function told(place: Place, entry: Entry | undefined): Change | undefined {
  if (!entry || entry.changes.length === 0) return undefined;
  const { changes, payload } = entry;
  const release = payload && "hasUpdate" in payload && payload.hasUpdate ? payload.latest : undefined;
  return {
    ...place,
    changes,
    changelog: clip(release?.changelog ?? "", MAX_CHANGELOG),
    published: payload && briefly(payload),
  };
}

function briefly(payload: Payload): Published {
  if ("hasUpdate" in payload) return { version: payload.hasUpdate ? payload.latest.version : null };
  const { currency, plans } = payload;
  return { currency, prices: new Map(plans.slice(0, MOST_PLANS).map(({ id, monthlyPrice }) => [id, monthlyPrice])) };
}
