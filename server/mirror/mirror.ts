// The server's memory copy of the snapshots. Requests read this copy and nothing else, so no request ever waits for a
// disk. Only something newer replaces an entry, even a stale one: a damaged, missing, future-dated or older snapshot never
// evicts it, nor does one of another product; an older one does if the entry itself is from the future.
import { currentKey, type Damage, GONE, readSnapshot, type Facts, type Trust } from "../../snapshots/facts.ts";
import {
  type FactState,
  MAX_AHEAD_MS,
  type Payload,
  type Snapshot,
  SNAPSHOT_NAMES,
  type SnapshotName,
} from "../../snapshots/snapshot.ts";
import type { Reader, Unreachable, Version } from "../../snapshots/store.ts";
import { Follower, startLimit } from "./follower.ts";

/** `body`: the payload's JSON in UTF-8. `stored`: the snapshot as it is in the store; only for a server that shares it. */
export type Servable = Snapshot & { body: Uint8Array; stored?: Uint8Array };
/** `timeLeft`: for how many ms a fresh snapshot may still be served. */
export type Lookup = FactState<{ snapshot: Servable; timeLeft: number }, { snapshot: Servable }>;

/** A place of the server's own for the last good snapshots, with which a restart begins; the feature `follow` has one. */
export interface LastCopy {
  store: Reader;
  /** Returns at once. Until the value is written, a newer one takes its place. */
  keep(key: string, bytes: Uint8Array): void;
}

/** Something that the operator should know of the facts of a server at `base`; undefined if all is well. */
export type Remark = (mirror: Mirror, base: string) => string | undefined;

interface MirrorEntry {
  snapshot: Servable;
  /** Milliseconds since the epoch. */
  freshUntil: number;
  loadedAt: { wall: number; steady: number };
}

export class Mirror extends Follower {
  readonly #warn: (message: string) => void;
  readonly #isSharing: boolean;
  readonly #lastCopy: LastCopy | undefined;
  readonly #versions = new Map<SnapshotName, Version>();
  /** The damages that were reported, in words. */
  readonly #damages = new Map<SnapshotName, string>();
  /** Why the ones in the store are refused that are older than those in memory, in words. */
  readonly #older = new Map<SnapshotName, string>();
  #entries: ReadonlyMap<SnapshotName, MirrorEntry> = new Map();
  /** The last snapshot that this server had of the revision before. */
  readonly #replaced = new Map<SnapshotName, Snapshot>();
  /** Undefined until the first read has ended. */
  #isAway: boolean | undefined;
  #hasAnswer = false;
  #isStarted = false;
  /** What the last copy had at the start, until the first read has ended. */
  #copies: readonly MirrorEntry[] = [];
  /** Undefined until the last copy was read: nothing may replace what it has, before that is known. */
  #keep: LastCopy["keep"] | undefined;

  /** `warn` gets one line for each new damage, and when the store is away or back. `share`: keeps the stored bytes, too.
   * `lastCopy`: what the mirror begins with; it gets all that is newer. */
  constructor(
    facts: Facts,
    {
      warn,
      share = false,
      lastCopy,
    }: { warn: (message: string) => void; share?: boolean | undefined; lastCopy?: LastCopy | undefined },
  ) {
    super(facts, 0);
    this.#warn = warn;
    this.#isSharing = share;
    this.#lastCopy = lastCopy;
  }

  /** The copies come first: then the store replaces them by the rule for everything newer, whether it answers or not. */
  override async start(): Promise<void> {
    if (this.#lastCopy) await Promise.race([this.#takeCopies(this.#lastCopy), startLimit()]);
    await super.start();
  }

  /** Reads all snapshots in sequence: on a volume that hangs, each read would hold one of Node's four threads. */
  async #takeCopies({ store, keep }: LastCopy): Promise<void> {
    const found: MirrorEntry[] = [];
    for (const name of SNAPSHOT_NAMES) {
      const loadedAt = this.#now();
      const read = await readSnapshot({ ...this.facts, store }, name);
      if (read.state === "found") found.push(this.#entryOf(read, loadedAt));
      else if (read.damage !== undefined) {
        const why = read.damage.reason === "forbidden" ? "this user may not read it" : read.damage.text;
        this.#warn(`snapshot ${name} in lastCopy is ignored: ${why}`);
      }
    }
    this.#copies = this.#take(found);
    this.#keep = keep;
    // Otherwise the copy would be of no use to a platform that waits for the start.
    this.#isStarted ||= SNAPSHOT_NAMES.every((name) => this.timeLeft(name) > 0);
  }

  /** Whose signatures count; undefined if any snapshot is believed. */
  get trust(): Trust | undefined {
    return this.facts.trust;
  }

  get isAnswered(): boolean {
    return this.#isAway === false;
  }

  /** From then on that a read of the store has ended with an answer for any snapshot, be it that there is none, or that the last copy
   * had all of them fresh. Until then, a server that has run for longer has facts that this one lacks. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The snapshot of a name, and whether it may be served now. */
  get(name: SnapshotName): Lookup {
    const entry = this.#entries.get(name);
    if (!entry) return { state: "missing" };
    const { snapshot } = entry;
    const timeLeft = this.timeLeft(name);
    return timeLeft > 0 ? { state: "fresh", snapshot, timeLeft } : { state: "stale", snapshot };
  }

  /** The last confirmation of the revision before, if this server has seen it. */
  replaced(name: SnapshotName): Snapshot | undefined {
    return this.#replaced.get(name);
  }

  /** The payload read last, stale or not, though the store may have lost it: for the collector of the same process. */
  lastPayload(name: SnapshotName): Payload | undefined {
    return this.#entries.get(name)?.snapshot.payload;
  }

  /** Why the snapshot in the store is refused, if it is older than the one in memory. */
  refused(name: SnapshotName): string | undefined {
    return this.#older.get(name);
  }

  /** The snapshot may be served for so many ms; 0 or less if it is stale or missing. */
  timeLeft(name: SnapshotName): number {
    const entry = this.#entries.get(name);
    if (!entry) return 0;
    const { freshUntil, loadedAt } = entry;
    // Setting the wall clock back must not make a snapshot younger.
    return freshUntil - Math.max(this.facts.clock.wall(), loadedAt.wall + this.facts.clock.steady() - loadedAt.steady);
  }

  protected override async read(): Promise<void> {
    const read = await Promise.allSettled(SNAPSHOT_NAMES.map((name) => this.#readNewer(name)));
    this.#take(read.flatMap((entry) => (entry.status === "fulfilled" && entry.value ? [entry.value] : [])));
    // One snapshot that cannot be read, as behind a proxy, leaves the others alone.
    for (const entry of read) if (entry.status === "rejected") throw entry.reason;
  }

  /** Takes over those that are still newer, and returns them: at the edge another read may have ended first. */
  #take(found: readonly MirrorEntry[]): readonly MirrorEntry[] {
    const newer = found.filter(({ snapshot, loadedAt }) => this.#isNewer(snapshot, loadedAt.wall));
    if (newer.length === 0) return newer;
    for (const { snapshot } of newer) {
      const seen = this.#entries.get(snapshot.name)?.snapshot;
      if (seen && seen.revision !== snapshot.revision) this.#replaced.set(snapshot.name, seen);
    }
    this.#entries = new Map([...this.#entries, ...newer.map((entry) => [entry.snapshot.name, entry] as const)]);
    this.changed();
    return newer;
  }

  protected override onRead(unreachable: Unreachable | undefined): void {
    if (unreachable && !this.#isAway)
      this.#warn(`the store cannot be read: ${unreachable.message}; ${this.#consequence()}`);
    else if (!unreachable && this.#isAway) this.#warn("the store can be read again");
    this.#isAway = unreachable !== undefined;
    this.#isStarted ||= this.#hasAnswer;
    this.#copies = [];
  }

  /** What follows from a store that cannot be read. */
  #consequence(): string {
    const fresh = SNAPSHOT_NAMES.filter((name) => this.timeLeft(name) > 0);
    if (fresh.length === 0) return "answered with 502 until it can";
    const copied = fresh.filter((name) => this.#copies.some((entry) => this.#entries.get(name) === entry));
    if (copied.length === 0) return "each last good copy is served until it is stale";
    return `served from lastCopy until stale: ${copied.join(", ")}`;
  }

  async #readNewer(name: SnapshotName): Promise<MirrorEntry | undefined> {
    const loadedAt = this.#now();
    const read = await readSnapshot(this.facts, name, this.#versions.get(name));
    this.#hasAnswer ||= read.damage?.reason !== "forbidden";
    if (read.state === "unchanged") return undefined;
    const isGone = read.state === "missing" && this.#entries.has(name);
    this.#noteDamage(name, read.damage ?? (isGone ? GONE : undefined));
    // The version of a damaged file is not kept, so it is read again: a snapshot from the future becomes valid in time.
    if (read.version !== undefined && read.damage === undefined) this.#versions.set(name, read.version);
    const isNewer = read.state === "found" && this.#isNewer(read.snapshot, loadedAt.wall);
    this.#noteOlder(name, read.state === "found" && !isNewer && !read.damage ? read.snapshot : undefined);
    if (read.state !== "found" || !isNewer) return undefined;
    this.#keep?.(currentKey(name), read.bytes);
    return this.#entryOf(read, loadedAt);
  }

  #entryOf(read: { snapshot: Snapshot; bytes: Uint8Array }, loadedAt: MirrorEntry["loadedAt"]): MirrorEntry {
    const body = Buffer.from(read.snapshot.text);
    // A copy, because the bytes may be a part of a larger buffer, or, at the edge, still the platform's.
    const snapshot = { ...read.snapshot, body, ...(this.#isSharing && { stored: new Uint8Array(read.bytes) }) };
    // A proof ends at a whole second, and its fact no later.
    const unit = snapshot.proof === undefined ? 1 : 1000;
    return { snapshot, freshUntil: Math.floor(Date.parse(snapshot.freshUntil) / unit) * unit, loadedAt };
  }

  #now(): MirrorEntry["loadedAt"] {
    return { wall: this.facts.clock.wall(), steady: this.facts.clock.steady() };
  }

  #noteDamage(name: SnapshotName, damage: Damage | undefined): void {
    if (!damage) return void this.#damages.delete(name);
    const { reason, text } = damage;
    if (text === this.#damages.get(name)) return;
    this.#damages.set(name, text);
    const isServed = this.#entries.has(name);
    const consequence = isServed ? "the last good copy is served until it is stale" : "it is answered with 502";
    this.#warn(`snapshot ${name}${reason === "damaged" ? " is damaged" : ""}: ${text}; ${consequence}`);
  }

  /** `old`: in the store, and not taken over, such as one of a backup, or of a cache on the way. */
  #noteOlder(name: SnapshotName, old: Snapshot | undefined): void {
    const seen = this.#entries.get(name)?.snapshot;
    const isOlder = old && seen && Date.parse(old.confirmedAt) < Date.parse(seen.confirmedAt);
    if (!isOlder) return void this.#older.delete(name);
    const why = `in the store was confirmed at ${old.confirmedAt}, before the one in memory (${seen.confirmedAt}), which stays`;
    if (why === this.#older.get(name)) return;
    this.#older.set(name, why);
    this.#warn(
      `snapshot ${name} ${why}; once that is stale, it is answered with 502 until a collection publishes a newer one`,
    );
  }

  /** One that was confirmed before never replaces one that was seen, unless that was dated by a clock that was ahead. */
  #isNewer(candidate: Snapshot, now: number): boolean {
    const seen = this.#entries.get(candidate.name)?.snapshot;
    if (!seen) return true;
    // No signature covers a part of a second.
    const unit = this.trust ? 1000 : 1;
    const [confirmed = 0, seenConfirmed = 0] = [candidate, seen].map(
      ({ confirmedAt }) => Math.floor(Date.parse(confirmedAt) / unit) * unit,
    );
    if (confirmed !== seenConfirmed) return confirmed > seenConfirmed || seenConfirmed > now + MAX_AHEAD_MS;
    if (candidate.revision !== seen.revision) return candidate.revision > seen.revision;
    // Confirmed again after the clock, which was a little ahead, was corrected: only `freshUntil` differs.
    return candidate.freshUntil !== seen.freshUntil || candidate.proof !== seen.proof;
  }
}
