// A snapshot: a payload in an envelope with its name and its times, and how it is read from a store and published.
// Bytes become a Snapshot only here, and only if format, name, payload, times and checksums are all correct. The checksum
// covers the envelope, too: a flipped bit in `freshUntil` would otherwise serve old facts for years. Format 1 has none, so of
// its envelope only the times are checked. Format 3 is open: a reader ignores the fields that it does not know, and its
// checksum covers them, so whatever is added to it, collectors and servers of different versions work together.
import { createHash } from "node:crypto";
import * as z from "zod";
import { distrust, MAX_KEYS, MAX_PROOF, PublicKey } from "./features/signatures/proof.ts";
import { slugOf } from "./rules.ts";
import type { Platform } from "./schema.ts";
import { LatestReleaseResponse, PlanNames, PlansResponse, ReleaseFiles } from "./schema.ts";
import { parseJson, StoreError, Unreachable, type Reader, type Store, type Stored, type Version } from "./store.ts";

export const SNAPSHOT_NAMES = ["plans", "release-macos", "release-windows"] as const;
export type SnapshotName = (typeof SNAPSHOT_NAMES)[number];

/** Limit for a payload's JSON in UTF-8. The server decodes it between two requests: a few ms for 1,000 plans with two prices
 * each, tens of ms for a MiB of prices. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

export type Payload = PlansResponse | LatestReleaseResponse;

/** A payload with its JSON, which is byte for byte the body of the REST answer, and the SHA-256 of that in hexadecimal. The three
 * are made once, where a payload enters the program, and carried from there. */
export interface Fact {
  payload: Payload;
  text: string;
  sha256: string;
}

/** `payload` has passed its schema. */
export function factOf(payload: Payload): Fact {
  const text = JSON.stringify(payload);
  return { payload, text, sha256: sha256(text) };
}

/** The schema of each payload, for the collector's gate and for every reader; of a release, for one platform only. */
export const FACTS: Record<SnapshotName, z.ZodType<Fact>> = {
  plans: limited(PlansResponse),
  "release-macos": limited(releaseFor("macos")),
  "release-windows": limited(releaseFor("windows")),
};

const instant = z.iso.datetime();
/** The most gaps of one revision; the oldest become one. */
export const MAX_GAPS = 20;

/** Times in which a revision was stale, oldest first. */
const Gaps = z.array(z.object({ from: instant, until: instant })).max(MAX_GAPS);
export type Gaps = z.infer<typeof Gaps>;

const MAX_PRODUCT_LENGTH = 64;

export const Product = z
  .string()
  .regex(/^[a-z0-9-]+$/, "use lowercase letters, digits and hyphens, such as acme-notes")
  .max(MAX_PRODUCT_LENGTH);

/** The short name for a public name. With a hash if the slug leaves out more than marks between words: C++ is not C#. */
export function productOf(name: string): string {
  const slug = slugOf(name).slice(0, MAX_PRODUCT_LENGTH);
  const isWhole =
    slug === slugOf(name) && !/[^\p{Script=Latin}\p{M}\d\s\-_.,:;/&'’"()!|·–—®™©]/u.test(name.normalize("NFKD"));
  if (slug !== "" && isWhole) return slug;
  const hash = sha256(name.normalize("NFKD")).slice(0, 8);
  return `${(slug || "product").slice(0, MAX_PRODUCT_LENGTH - hash.length - 1).replace(/-$/, "")}-${hash}`;
}

/** Times are ISO 8601, UTC. `changedAt`: when the payload last changed; `confirmedAt`: when the source last confirmed
 * it; `freshUntil`: until when it may be served. `revision` counts the changes; `sha256` is of the payload's JSON.
 * `product`: since format 3, if the collector knows it. `names`: of the plans; `files`: the installers of a release; `proof`:
 * the token that covers all of this; `keys`: the public keys beside it; `gaps`: when it was stale since `changedAt`, before
 * `confirmedAt`. What a newer version adds to these is not known here, and what is not readable counts as none. */
export const Envelope = z.object({
  product: Product.optional(),
  name: z.enum(SNAPSHOT_NAMES),
  revision: z.int().min(1),
  changedAt: instant,
  confirmedAt: instant,
  freshUntil: instant,
  source: z.string().max(64),
  sha256: z.string().length(64),
  names: PlanNames.optional().catch(undefined),
  files: ReleaseFiles.optional().catch(undefined),
  proof: z.string().max(MAX_PROOF).optional().catch(undefined),
  keys: z.array(PublicKey).max(MAX_KEYS).optional().catch(undefined),
  gaps: Gaps.optional().catch(undefined),
});
export type Envelope = z.infer<typeof Envelope>;
export type Snapshot = Envelope & Fact;

export function releaseName(platform: Platform): SnapshotName {
  return `release-${platform}`;
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export const FACT_STATES = ["fresh", "stale", "missing"] as const;

/** Whether a snapshot may be served now, and what is known of it: nothing of one that is missing. */
export type FactState<Fresh extends object, Stale extends object = Fresh> =
  | ({ state: "fresh" } & Fresh)
  | ({ state: "stale" } & Stale)
  | { state: "missing" };

/** True while the snapshot may be served. `now`: in ms since the epoch. */
export function isFresh(snapshot: Snapshot, now: number): boolean {
  return now < Date.parse(snapshot.freshUntil);
}

/** The snapshot may be served for so many ms in all. */
export function lifetime({ confirmedAt, freshUntil }: Pick<Envelope, "confirmedAt" | "freshUntil">): number {
  return Date.parse(freshUntil) - Date.parse(confirmedAt);
}

/** True for a fresh snapshot past half of its lifetime: several runs have failed to confirm it, and there is still time
 * to fix that. `timeLeft`: for how long it may still be served, in ms. */
export function isAging(envelope: Pick<Envelope, "confirmedAt" | "freshUntil">, timeLeft: number): boolean {
  return timeLeft > 0 && timeLeft < lifetime(envelope) / 2;
}

/** Why a snapshot is not used. `damaged`: it cannot be decoded; `forbidden`: this user may not read it; `skewed`: a wrong clock has
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

/** A program that reads calls it; one that does not know its product accepts any. @throws OtherProduct, Unreachable */
export async function refuseOtherProduct(store: Reader): Promise<void> {
  if (store.product !== undefined) await readOwn(store, Infinity);
}

/** Reads every snapshot with its previous copy for a program that writes, and therefore knows its product, or that there is
 * none. `now`: in ms since the epoch. @throws OtherProduct if any of them names another, Unreachable */
export async function readOwn(store: Reader, now: number): Promise<Map<SnapshotName, SnapshotRead>> {
  const readOne = async (name: SnapshotName) => {
    const current = await readKey(store, currentKey(name), { name, now });
    const previous = await readKey(store, previousKey(name), { name, now });
    for (const read of [current, previous]) {
      const damage = read.state === "found" ? ofOther(read.snapshot, store.product) : read.damage;
      if (damage?.reason === "other") throw new OtherProduct(damage);
    }
    return [name, current.state === "found" ? current : inPlaceOf(current, previous)] as const;
  };
  return new Map(await Promise.all(SNAPSHOT_NAMES.map(readOne)));
}

/** The previous copy, if it can be read, in place of a snapshot that is damaged or gone. */
function inPlaceOf(current: SnapshotRead, previous: SnapshotRead): SnapshotRead {
  if (previous.state !== "found") return current;
  return { ...previous, version: current.version, damage: current.damage ?? GONE };
}

/** Undefined for a snapshot that names no product, or this one. */
function ofOther({ product }: Envelope, ours: string | undefined): Damage | undefined {
  if (product === undefined || product === ours) return undefined;
  const not = ours === undefined ? "and the settings name none" : `not of "${ours}"`;
  const remedy = `use another location, or after a rename set "product": "${product}"`;
  return { reason: "other", text: `of the product "${product}", ${not}: ${remedy}` };
}

/** Undefined for a snapshot that is not confirmed in the future, as far as clocks may differ. */
function skewed({ confirmedAt }: Envelope, now: number): Damage | undefined {
  const ahead = Date.parse(confirmedAt) - now;
  if (ahead <= MAX_AHEAD_MS) return undefined;
  const cause = "the clock of this computer or that of the collector is wrong: set both by NTP";
  return { reason: "skewed", text: `confirmed in the future by ${Math.round(ahead / 60_000)} min: ${cause}` };
}

/** Reads a snapshot, or its previous copy if it is damaged or gone. Missing and damaged snapshots are to be expected,
 * but nothing is known about a store that does not answer. `now`: in ms since the epoch. @throws Unreachable */
export async function readSnapshot(
  store: Reader,
  name: SnapshotName,
  now: number,
  ifNot?: Version,
): Promise<SnapshotRead> {
  const readCurrent = () => readKey(store, currentKey(name), { name, now, ifNot });
  let current = await readCurrent();
  if (current.state !== "missing") return current;
  const previous = await readKey(store, previousKey(name), { name, now });
  if (previous.state !== "found") return current;
  // A previous copy exists only after a publication, which may have happened between the two reads.
  if (current.damage === undefined) current = await readCurrent();
  return current.state === "missing" ? inPlaceOf(current, previous) : current;
}

/** The snapshot that the last publication replaced, if it can be read. @throws Unreachable */
export async function readPrevious(store: Reader, name: SnapshotName): Promise<Snapshot | undefined> {
  const read = await readKey(store, previousKey(name), { name, now: Infinity });
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

/** Formats 1 and 2 do not have them. */
const since3 = { product: true, names: true, files: true, proof: true, keys: true, gaps: true } as const;
const body = { ...Envelope.omit(since3).shape, payload: z.unknown() };
const checksum = z.string().length(64);
const SnapshotFile = z.discriminatedUnion("format", [
  Envelope.extend({ format: z.literal(3), payload: z.unknown(), checksum }),
  z.strictObject({ format: z.literal(2), ...body, checksum }),
  z.strictObject({ format: z.literal(1), ...body }),
]);

/** A snapshot confirmed further in the future is damaged: clocks differ, but not by so much. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** The longest `staleAfter` of the collector's settings. */
const MAX_LIFETIME_MS = 365 * 24 * 60 * 60_000;

/** The stored form of a snapshot: the same bytes on every server. */
export function encodeSnapshot({ text, ...envelope }: Omit<Snapshot, "payload">): Uint8Array {
  const start = JSON.stringify({ format: 3, ...Envelope.parse(envelope) }).slice(0, -1);
  const covered = `${start},"payload":${text}`;
  return Buffer.from(`${covered},"checksum":"${sha256(`${covered}}`)}"}\n`);
}

/** Decodes the stored form. @throws Error that names the damage, without quoting it. */
export function decodeSnapshot(bytes: Uint8Array, name: SnapshotName): Snapshot {
  const document = parseJson(bytes);
  if (document === undefined) throw new Error("not JSON in UTF-8");
  const { data: file } = SnapshotFile.safeParse(document);
  if (!file) throw new Error("not a snapshot of format 1, 2 or 3");
  if (file.name !== name) throw new Error("the snapshot of another name");
  const { data: fact } = FACTS[name].safeParse(file.payload);
  if (!fact) throw new Error("payload is not in its public shape");
  const envelope = Envelope.parse(file);
  // That of format 3 is of the document, because the file has lost the fields that this version does not know.
  const covered = file.format === 3 ? (document ?? {}) : envelope;
  const isIntact = file.format === 1 || file.checksum === checksumOf(covered);
  // The hash is of the checked payload: the schema puts the fields in its own order, and drops a `__proto__`.
  if (!isIntact || file.sha256 !== fact.sha256) throw new Error("checksum does not match");
  if (!isPossible(envelope)) throw new Error("its times contradict each other");
  return { ...envelope, ...fact };
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

async function readKey(
  store: Reader,
  key: string,
  { name, now, ifNot }: { name: SnapshotName; now: number; ifNot?: Version | undefined },
): Promise<SnapshotRead> {
  let version: Version | undefined;
  try {
    const first = await store.get(key, ifNot);
    if (first === "unchanged") return { state: first, version: ifNot };
    if (first === undefined) return { state: "missing", version };
    version = first.version;
    const { snapshot, stored } = await decodeStored(store, key, { name, first });
    version = stored.version;
    const other = store.product === undefined ? undefined : ofOther(snapshot, store.product);
    const damage = other ?? distrust(stored.bytes, snapshot, store.trust) ?? skewed(snapshot, now);
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

/** It covers the JSON of all fields but the checksum itself, in their order. */
function checksumOf(covered: {}): string {
  return sha256(JSON.stringify(Object.fromEntries(Object.entries(covered).filter(([key]) => key !== "checksum"))));
}

/** `freshUntil` may be before `confirmedAt` only by as much as the clock may have been ahead. */
function isPossible(envelope: Envelope): boolean {
  const isInOrder = Date.parse(envelope.changedAt) <= Date.parse(envelope.confirmedAt);
  return isInOrder && lifetime(envelope) >= -MAX_AHEAD_MS && lifetime(envelope) <= MAX_LIFETIME_MS;
}

function limited(schema: z.ZodType<Payload>): z.ZodType<Fact> {
  const isWithinLimit = ({ text }: Fact) => Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES;
  return schema.transform(factOf).refine(isWithinLimit, "its facts must be at most 1 MiB of JSON");
}

function releaseFor(platform: Platform): z.ZodType<LatestReleaseResponse> {
  const isOfPlatform = (release: LatestReleaseResponse) => !release.hasUpdate || release.latest.platform === platform;
  return LatestReleaseResponse.refine(isOfPlatform, { path: ["latest", "platform"], message: `must be ${platform}` });
}
