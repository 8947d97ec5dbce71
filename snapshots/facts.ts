// The one reader of facts. Bytes of a store become facts only here: of this product, believed, whole, and not dated by a wrong clock.
// Everything else is missing, with a reason for the operator; a store that does not answer throws. Every door opens its store with `openFacts`, which has no defaults: one
// that forgets product, trust or clock does not compile.
import {
  decodeSnapshot,
  encodeSnapshot,
  MAX_AHEAD_MS,
  SNAPSHOT_NAMES,
  type Envelope,
  type Snapshot,
  type SnapshotName,
} from "./snapshot.ts";
import { StoreError, Unreachable, type Reader, type Store, type Stored, type Version } from "./store.ts";

/** Two clocks, in ms. An operator may set `wall`, which counts since the epoch, back; `steady` only advances. */
export interface Clock {
  wall(): number;
  steady(): number;
}

export const SYSTEM_CLOCK: Clock = { wall: () => Date.now(), steady: () => performance.now() };

/** Whose signatures count; the feature `signatures` makes it of public keys, which are `keys`. */
export interface Trust {
  readonly keys: readonly string[];
  /** Base URLs of the APIs that they may sign for. */
  readonly issuers: readonly string[];
  /** Why a snapshot is not believed; undefined if a trusted key has signed all that it shows. `bytes`: as it is stored, with all that
   * this version does not know. */
  refusal(snapshot: Snapshot, bytes: Uint8Array): string | undefined;
  /** Whether a trusted key has signed a past revision with these times and this proof. */
  isProven(past: Omit<Envelope, "source" | "product" | "keys">): boolean;
}

/** What a program believes of a store. */
export interface Belief {
  /** The product whose snapshots belong in the store; undefined if the program does not know it. */
  product: string | undefined;
  /** Undefined if the program believes any snapshot. */
  trust: Trust | undefined;
  clock: Clock;
}

/** A store with what is believed of it. */
export interface Facts<S extends Reader = Reader> extends Readonly<Belief> {
  readonly store: S;
}

export function openFacts<S extends Reader>(store: S, { product, trust, clock }: Belief): Facts<S> {
  return { store, product, trust, clock };
}

/** Why a snapshot is not used. `damaged`: it cannot be decoded, or no trusted key has signed it; `forbidden`: this user may not read it; `skewed`: a wrong clock has
 * dated it; `other`: it is of another product; `gone`: it was there before. */
export const DAMAGE_REASONS = ["damaged", "forbidden", "skewed", "other", "gone"] as const;

/** `text`: for the operator, with the remedy if there is one. */
export interface Damage {
  reason: (typeof DAMAGE_REASONS)[number];
  text: string;
}

export const GONE: Damage = { reason: "gone", text: "no longer in the store" };

/** What is in the store. `unchanged`: the current key still has the version `ifNot`, if the caller gave one. `bytes`: the snapshot
 * as it is stored, with all that this version does not know. `version`: of the current key, readable or not, for the next read or
 * `publish`. `damage`: of that key, if any. */
export type SnapshotRead = (
  | { state: "found"; snapshot: Snapshot; bytes: Uint8Array }
  | { state: "missing" }
  | { state: "unchanged" }
) & {
  version: Version | undefined;
  damage?: Damage;
};

/** The store has snapshots of another product; the message has the remedies. */
export class OtherProduct extends StoreError {
  override name = "OtherProduct";

  /** `text` is that of the first one's damage. */
  constructor({ text }: Damage) {
    super(`the store has snapshots ${text}`);
  }
}

/** Reads a snapshot, or its previous copy if it is damaged or gone. Missing and damaged snapshots are to be expected,
 * but nothing is known about a store that does not answer. @throws Unreachable */
export async function readSnapshot(facts: Facts, name: SnapshotName, ifNot?: Version): Promise<SnapshotRead> {
  const readCurrent = () => readKey(facts, currentKey(name), name, ifNot);
  let current = await readCurrent();
  if (current.state !== "missing") return current;
  const previous = await readKey(facts, previousKey(name), name);
  if (previous.state !== "found") return current;
  // A previous copy exists only after a publication, which may have happened between the two reads.
  if (current.damage === undefined) current = await readCurrent();
  return current.state === "missing" ? inPlaceOf(current, previous) : current;
}

/** Reads every snapshot with its previous copy for a program that writes, and therefore knows its product, or that there is
 * none. @throws OtherProduct if any of them names another, Unreachable */
export async function readOwn(facts: Facts): Promise<Map<SnapshotName, SnapshotRead>> {
  const readOne = async (name: SnapshotName) => {
    const current = await readKey(facts, currentKey(name), name);
    const previous = await readKey(facts, previousKey(name), name);
    for (const read of [current, previous]) {
      const damage = read.state === "found" ? ofOther(read.snapshot, facts.product) : read.damage;
      if (damage?.reason === "other") throw new OtherProduct(damage);
    }
    return [name, current.state === "found" ? current : inPlaceOf(current, previous)] as const;
  };
  return new Map(await Promise.all(SNAPSHOT_NAMES.map(readOne)));
}

/** The same, whatever clock has dated them. @throws OtherProduct, Unreachable */
export function readDatedAnyhow(facts: Facts): Promise<Map<SnapshotName, SnapshotRead>> {
  return readOwn(atAnyTime(facts));
}

/** A program that reads calls it; one that does not know its product accepts any. @throws OtherProduct, Unreachable */
export async function refuseOtherProduct(facts: Facts): Promise<void> {
  if (facts.product !== undefined) await readDatedAnyhow(facts);
}

/** The snapshot that the last publication replaced, if it can be read. @throws Unreachable */
export async function readPrevious(facts: Facts, name: SnapshotName): Promise<Snapshot | undefined> {
  const read = await readKey(atAnyTime(facts), previousKey(name), name);
  return read.state === "found" ? read.snapshot : undefined;
}

/** Publishes a snapshot, then keeps the last one as `.prev`, as it was stored. Only after success, and only if the last one was
 * readable: neither a lost race nor a damaged file ever becomes the copy to fall back on. @throws Conflict, StoreError */
export async function publish(
  store: Store,
  snapshot: Snapshot,
  last: { bytes?: Uint8Array; version: Version | undefined },
): Promise<void> {
  await store.put(currentKey(snapshot.name), encodeSnapshot(snapshot), { ifVersion: last.version ?? null });
  if (!last.bytes) return;
  // The publication succeeded even if its previous copy cannot be written; then the older copy stays.
  await store.put(previousKey(snapshot.name), last.bytes).catch(() => {});
}

export function currentKey(name: SnapshotName): string {
  return `${name}.json`;
}

export function previousKey(name: SnapshotName): string {
  return `${name}.json.prev`;
}

/** With a clock at the end of time, no snapshot is dated in the future. */
function atAnyTime(facts: Facts): Facts {
  return { ...facts, clock: { ...facts.clock, wall: () => Infinity } };
}

/** The previous copy, if it can be read, in place of a snapshot that is damaged or gone. */
function inPlaceOf(current: SnapshotRead, previous: SnapshotRead): SnapshotRead {
  if (previous.state !== "found") return current;
  return { ...previous, version: current.version, damage: current.damage ?? GONE };
}

async function readKey(facts: Facts, key: string, name: SnapshotName, ifNot?: Version): Promise<SnapshotRead> {
  const { store, product, trust, clock } = facts;
  const now = clock.wall();
  let version: Version | undefined;
  try {
    const first = await store.get(key, ifNot);
    if (first === "unchanged") return { state: first, version: ifNot };
    if (first === undefined) return { state: "missing", version: undefined };
    version = first.version;
    const { snapshot, stored } = await decodeStored(store, key, { name, first });
    version = stored.version;
    const other = product === undefined ? undefined : ofOther(snapshot, product);
    const damage = other ?? distrusted(trust?.refusal(snapshot, stored.bytes)) ?? skewed(snapshot, now);
    return damage ? { state: "missing", version, damage } : { state: "found", snapshot, bytes: stored.bytes, version };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    if (error instanceof StoreError) version = error.version;
    const reason = error instanceof StoreError && error.isForbidden ? "forbidden" : "damaged";
    return {
      state: "missing",
      version,
      damage: { reason, text: error instanceof Error ? error.message : "unreadable" },
    };
  }
}

/** Reads once more what cannot be decoded: a body may be cut on the way and framed as whole. @throws Error that names the damage */
async function decodeStored(
  store: Reader,
  key: string,
  { name, first }: { name: SnapshotName; first: Stored },
): Promise<{ snapshot: Snapshot; stored: Stored }> {
  try {
    return { snapshot: decodeSnapshot(first.bytes, name), stored: first };
  } catch (damage) {
    const stored = await store.get(key);
    if (typeof stored !== "object" || Buffer.compare(stored.bytes, first.bytes) === 0) throw damage;
    return { snapshot: decodeSnapshot(stored.bytes, name), stored };
  }
}

/** Undefined for a snapshot that names no product, or this one. */
function ofOther({ product }: Envelope, ours: string | undefined): Damage | undefined {
  if (product === undefined || product === ours) return undefined;
  const not = ours === undefined ? "and the settings name none" : `not of "${ours}"`;
  const remedy = `use another location, or after a rename set "product": "${product}"`;
  return { reason: "other", text: `of the product "${product}", ${not}: ${remedy}` };
}

function distrusted(text: string | undefined): Damage | undefined {
  return text === undefined ? undefined : { reason: "damaged", text };
}

/** Undefined for a snapshot that is not confirmed in the future, as far as clocks may differ. */
function skewed({ confirmedAt }: Envelope, now: number): Damage | undefined {
  const ahead = Date.parse(confirmedAt) - now;
  if (ahead <= MAX_AHEAD_MS) return undefined;
  const cause = "the clock of this computer or that of the collector is wrong: set both by NTP";
  return { reason: "skewed", text: `confirmed in the future by ${Math.round(ahead / 60_000)} min: ${cause}` };
}
