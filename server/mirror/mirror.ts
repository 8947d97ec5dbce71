// The server's memory copy of the store. Requests look here and nowhere else: no request ever waits for a disk.
// What is held is replaced only by something newer: a damaged, missing, older or future-dated snapshot never evicts it.
import {
  decodeServable,
  MAX_AHEAD,
  SNAPSHOT_NAMES,
  type Servable,
  type SnapshotName,
} from "../../snapshots/snapshot.ts";
import { readNewer } from "../../snapshots/snapshot-io.ts";
import type { Store, Version } from "../../snapshots/store.ts";
import { Follower } from "./follower.ts";

/** `left`: milliseconds for which it may still be believed. */
export type Fresh = { state: "fresh"; snapshot: Servable; left: number };
export type Look = Fresh | { state: "stale"; snapshot: Servable } | { state: "missing" };

/** Time as the mirror reads it, milliseconds. `wall` may be set back by an operator; `steady` only runs. */
export interface Clock {
  wall(): number;
  steady(): number;
}

/** How often the store is asked, milliseconds. */
const POLL = 1_000;

/** How long what is damaged is not looked into again unless it is replaced: a large one takes its time. Milliseconds. */
const DAMAGE_PAUSE = 30_000;

interface Damage {
  what: string;
  /** Of what is damaged; undefined when it is gone. */
  version: Version | undefined;
  /** When it was last looked into, by the steady clock. */
  at: number;
}

/** How long a comparison of the clocks holds, unless the wall clock shows less than at its time: looking at both for each
 * request is felt. Milliseconds. */
const COMPARED_FOR = 1_000;

interface Held {
  snapshot: Servable;
  /** Milliseconds since the epoch. */
  freshUntil: number;
  loadedAt: { wall: number; steady: number };
  /** By how much the wall clock has been set back since, as the clocks said when they were last compared, milliseconds. */
  setBack: number;
}

export class Mirror extends Follower {
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #versions = new Map<SnapshotName, Version>();
  readonly #damages = new Map<SnapshotName, Damage>();
  #held: ReadonlyMap<SnapshotName, Held> = new Map();
  /** When the clocks were last compared, by the wall clock. */
  #comparedAt = 0;

  /** `warn` gets one line for each new damage. */
  constructor(store: Store, clock: Clock, warn: (message: string) => void) {
    super(store, POLL);
    this.#clock = clock;
    this.#warn = warn;
  }

  /** What is held under a name, and whether it may be believed now. */
  look(name: SnapshotName): Look {
    const held = this.#held.get(name);
    if (!held) return { state: "missing" };
    const { snapshot } = held;
    const left = this.left(name);
    return left > 0 ? { state: "fresh", snapshot, left } : { state: "stale", snapshot };
  }

  /** Milliseconds for which what is held may still be believed; 0 or less when it may not, or when nothing is held. */
  left(name: SnapshotName): number {
    const held = this.#held.get(name);
    if (!held) return 0;
    const wall = this.#clock.wall();
    if (wall <= this.#comparedAt || wall > this.#comparedAt + COMPARED_FOR) this.#compareClocks();
    return held.freshUntil - wall - held.setBack;
  }

  /** A clock that is set back must not make anything younger. */
  #compareClocks(): void {
    const [wall, steady] = [this.#clock.wall(), this.#clock.steady()];
    this.#comparedAt = wall;
    for (const held of this.#held.values()) {
      const { loadedAt } = held;
      held.setBack = Math.max(0, loadedAt.wall + steady - loadedAt.steady - wall);
    }
  }

  protected override async read(): Promise<void> {
    this.#compareClocks();
    const newer = await Promise.all(SNAPSHOT_NAMES.map((name) => this.#readNewer(name)));
    const changes = newer.filter((held) => held !== undefined).map((held) => [held.snapshot.name, held] as const);
    if (changes.length === 0) return;
    this.#held = new Map([...this.#held, ...changes]);
    this.#compareClocks();
    this.changed();
  }

  async #readNewer(name: SnapshotName): Promise<Held | undefined> {
    const loadedAt = { wall: this.#clock.wall(), steady: this.#clock.steady() };
    const damage = this.#damages.get(name);
    const isPaused = damage !== undefined && loadedAt.steady - damage.at < DAMAGE_PAUSE;
    const ifNot = isPaused ? damage.version : this.#versions.get(name);
    const read = await readNewer(this.store, name, {
      now: loadedAt.wall,
      decode: decodeServable,
      ifNot,
      withPrevious: !isPaused,
    });
    if (read.state === "unchanged" || (isPaused && read.version === damage.version)) return undefined;
    const isGone = read.state === "missing" && this.#held.has(name);
    this.#noteDamage(name, read.damage ?? (isGone ? "the file is missing" : undefined), read.version);
    // What is damaged is read again now and then: a snapshot from the future, for one, comes of age.
    if (read.version !== undefined && read.damage === undefined) this.#versions.set(name, read.version);
    if (read.state === "missing" || !this.#isWanted(read.snapshot, loadedAt.wall)) return undefined;
    const { snapshot } = read;
    return { snapshot, freshUntil: Date.parse(snapshot.freshUntil), loadedAt, setBack: 0 };
  }

  #noteDamage(name: SnapshotName, what: string | undefined, version: Version | undefined): void {
    if (what !== undefined && what !== this.#damages.get(name)?.what) {
      this.#warn(`snapshot ${name} is damaged: ${what}; the last good copy stands until it is stale`);
    }
    if (what === undefined) this.#damages.delete(name);
    else this.#damages.set(name, { what, version, at: this.#clock.steady() });
  }

  /** What is held and fresh gives way only to what is newer. Stale, or dated by a clock that was ahead, to anything. */
  #isWanted(candidate: Servable, now: number): boolean {
    const look = this.look(candidate.name);
    if (look.state !== "fresh") return true;
    const { revision, confirmedAt } = look.snapshot;
    if (Date.parse(confirmedAt) > now + MAX_AHEAD) return true;
    return candidate.revision > revision || Date.parse(candidate.confirmedAt) > Date.parse(confirmedAt);
  }
}
