// Seal → guard → publish: a fact becomes the published snapshot, or is held back. If another one was published meanwhile, the
// newer one wins.
import { isDeepStrictEqual } from "node:util";
import { readHistory } from "../../snapshots/features/history/history.ts";
import { heldReasons, readHeld, writeHeld, type Held, type HoldReason } from "../../snapshots/records.ts";
import type { PlanNames, ReleaseFile } from "../../snapshots/schema.ts";
import {
  OtherProduct,
  publish,
  readSnapshot,
  type Facts,
  type SnapshotRead,
  type Trust,
} from "../../snapshots/facts.ts";
import { MAX_GAPS } from "../../snapshots/snapshot.ts";
import type { Fact, Gaps, Payload, Snapshot, SnapshotName } from "../../snapshots/snapshot.ts";
import { Conflict, StoreError, Unreachable, type Store } from "../../snapshots/store.ts";
import { guard, type GuardSettings, type Verdict } from "../features/guard/guard.ts";

export interface Rules {
  /** Holds back likely accidents; false disables it. */
  guard: GuardSettings | false;
  known?: KnownFacts | undefined;
  /** Snapshots to publish even if the guard would hold them. */
  accept?: ReadonlySet<SnapshotName> | undefined;
}

export interface KnownFacts {
  /** True for made-up facts, which the guard lets anything replace. */
  isSample?: (payload: Payload) => boolean;
  /** The payload that the server of this process read last, though the store may have lost it. */
  mirrored?: ((name: SnapshotName) => Payload | undefined) | undefined;
}

interface Candidate {
  name: SnapshotName;
  fact: Fact;
  /** The upstream was asked at this time, in ms since the epoch, and its answer is true of it. */
  askedAt: number;
  /** These reasons to hold it are not in the payload. */
  doubts: readonly HoldReason[];
}

/** What a collector signs with; the feature `signatures` makes it. */
export interface Signing {
  /** It believes only what it has signed: else it would sign what others have put into its store. */
  trust: Trust;
  /** Adds a proof of all that the snapshot shows, and the public keys. @throws StoreError if the proof would be too long */
  sign(snapshot: Snapshot): Snapshot;
  /** The key's only signature of a text, which must have a space, as no proof does. */
  signText(text: string): string;
}

export interface Publishing extends Rules {
  facts: Facts<Store>;
  /** How long a confirmed snapshot stays fresh, in ms. */
  staleAfter: number;
  /** Without it, snapshots are published unsigned. */
  signing?: Signing | undefined;
}

interface Confirmed {
  result: "changed" | "confirmed";
  snapshot: Snapshot;
  notes: string[];
}

/** The result of a candidate that the guard holds back; the published snapshot stays, and ages. */
export interface HeldBack {
  result: "held";
  reason: string;
  held: Held;
}

const MAX_ATTEMPTS = 3;

/** The source gives these to the envelope: plans have `names`, a published release has `files`. */
interface Described extends Candidate {
  kind: string;
  names?: PlanNames | undefined;
  files?: ReleaseFile[] | undefined;
}

/** Publishes a fact, or holds it back. `read`: the published snapshot, as read before.
 * @throws StoreError when nothing could be published; the last snapshot then stays. */
export async function confirm(
  candidate: Described,
  read: SnapshotRead,
  publishing: Publishing,
): Promise<Confirmed | HeldBack> {
  const { name } = candidate;
  const { facts, signing } = publishing;
  for (let attempt = 1; ; attempt++) {
    if (read.damage?.reason === "other") throw new OtherProduct(read.damage);
    const last = read.state === "found" ? read.snapshot : undefined;
    const sealed = seal(candidate, last, publishing);
    const snapshot = signing ? signing.sign(sealed) : sealed;
    const { verdict, held } = await judge(candidate, read, publishing);
    if (!verdict.publish) {
      await writeHeld(facts, name, verdict.held);
      const reason = heldReasons(verdict.held).join("; ");
      return { result: "held", reason, held: verdict.held };
    }
    try {
      await publish(facts.store, snapshot, read);
    } catch (error) {
      if (!(error instanceof Conflict) || attempt === MAX_ATTEMPTS) throw error;
      // The stored snapshot is no longer the one that was read: read it again, and let the newer one win.
      read = await readSnapshot(facts, name);
      continue;
    }
    // A failure is ignored: the snapshot is published, and the next run clears the record again.
    if (held) await writeHeld(facts, name, undefined).catch(() => {});
    const result = snapshot.revision === last?.revision ? "confirmed" : "changed";
    const { damage } = read;
    const isWhole = damage?.reason === "forbidden" || damage?.reason === "skewed";
    const replaced = damage ? [`replaced a ${isWhole ? "" : "damaged "}snapshot (${damage.text})`] : [];
    return { result, snapshot, notes: [...replaced, ...(verdict.why === undefined ? [] : [verdict.why])] };
  }
}

/** Asks the guard about a fact, compared with `last`: the published snapshot, else the newest trace of earlier facts in the
 * history or in the server of this process. Otherwise a bad sector, a wrong clock or an emptied store would let an accident
 * pass as a first publication. */
export async function judge(
  { name, fact, askedAt, doubts }: Candidate,
  read: SnapshotRead,
  { facts, guard: given, known, accept }: Rules & { facts: Facts },
): Promise<{ verdict: Verdict; last: Payload | undefined; held: Held | undefined }> {
  const published = read.state === "found" ? read.snapshot.payload : await newestRecorded(facts, name);
  const last = published ?? known?.mirrored?.(name);
  // Anything may replace a sample.
  const settings = last !== undefined && known?.isSample?.(last) ? false : given;
  const held = await readHeld(facts, name);
  const isAccepted = accept?.has(name) ?? false;
  const verdict = guard(fact.payload, { last, held, doubts, settings, isAccepted, askedAt });
  return { verdict, last, held };
}

async function newestRecorded(facts: Facts, name: SnapshotName): Promise<Payload | undefined> {
  try {
    for await (const { payload } of readHistory(facts, name)) if (payload) return payload;
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof Unreachable) throw error;
  }
  return undefined;
}

/** Compares as JSON, in which -0 equals 0 and the order of keys has no meaning. */
export function isSame(a: Fact, b: Fact): boolean {
  return a.sha256 === b.sha256 || isDeepStrictEqual(JSON.parse(a.text), JSON.parse(b.text));
}

/** Makes the snapshot of a fact. An equal fact keeps its bytes and `changedAt`; only `confirmedAt` and `freshUntil` move,
 * `confirmedAt` never backwards. `last`: the published snapshot, if it can be read. @throws StoreError if the answer is older
 * than the published snapshot. */
function seal(
  { name, fact, names, files, askedAt, kind }: Described,
  last: Snapshot | undefined,
  { facts, staleAfter }: Publishing,
): Snapshot {
  const isNewer = last !== undefined && Date.parse(last.confirmedAt) > askedAt;
  const same = last !== undefined && isSame(fact, last) ? last : undefined;
  if (isNewer && !same) throw new StoreError("the stored snapshot is newer than this answer: check the system clock");
  const confirmedAt = isNewer ? last.confirmedAt : new Date(askedAt).toISOString();
  const { payload, text, sha256 } = same ?? fact;
  return {
    product: facts.product,
    name,
    revision: same?.revision ?? (last?.revision ?? 0) + 1,
    changedAt: same?.changedAt ?? confirmedAt,
    confirmedAt,
    // It does not count from `confirmedAt`, which is later than the answer if the clock was ahead at the last run.
    freshUntil: new Date(askedAt + staleAfter).toISOString(),
    source: kind,
    names: isNewer ? last.names : names,
    files: isNewer ? last.files : files,
    gaps: same && gapsUntil(confirmedAt, same),
    payload,
    text,
    sha256,
  };
}

/** Adds the time that this confirmation ends to those in which a revision was stale; the oldest two become one when there are
 * too many. */
function gapsUntil(confirmedAt: string, { freshUntil, gaps = [] }: Snapshot): Gaps | undefined {
  const isStale = Date.parse(freshUntil) < Date.parse(confirmedAt);
  const [first, second, ...rest] = isStale ? [...gaps, { from: freshUntil, until: confirmedAt }] : gaps;
  if (!first || !second) return first && [first];
  return rest.length < MAX_GAPS - 1 ? [first, second, ...rest] : [{ from: first.from, until: second.until }, ...rest];
}
