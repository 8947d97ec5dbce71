// Judge → seal → publish: a fact becomes the published snapshot, or is held back. If another one was published meanwhile, the newer one
// wins.
import { isDeepStrictEqual } from "node:util";
import { OtherProduct, publish, readSnapshot, type Facts, type SnapshotRead } from "../../snapshots/facts.ts";
import { heldReasons, writeHeld, type Held, type LinkRecord } from "../../snapshots/records.ts";
import { MAX_GAPS, type Fact, type Gaps, type Snapshot } from "../../snapshots/snapshot.ts";
import { Conflict, StoreError, type Store } from "../../snapshots/store.ts";
import type { Publication, Signing } from "../hooks.ts";
import { judge, type Rules } from "./judge.ts";

export interface Publishing extends Rules {
  facts: Facts<Store>;
  /** How long a confirmed snapshot stays fresh, in ms. */
  staleAfter: number;
  /** Without it, snapshots are published unsigned. */
  signing?: Signing | undefined;
  /** Ends the run. */
  signal: AbortSignal;
}

/** `notes`: for the operator. */
export type Confirmed = { notes: string[]; link?: LinkRecord | undefined } & (
  | { result: "changed" | "confirmed"; snapshot: Snapshot }
  // The published snapshot stays, and ages.
  | { result: "held"; reason: string; held: Held }
  | { result: "failed"; reason: string }
);

const MAX_ATTEMPTS = 3;

/** Publishes a fact unless a judge refuses it or holds it back. `read`: the published snapshot, as read before.
 * @throws StoreError when nothing could be published; the last snapshot then stays. UpstreamError */
export async function confirm(
  publication: Publication,
  read: SnapshotRead,
  publishing: Publishing & Parameters<typeof judge>[2],
): Promise<Confirmed> {
  const { name } = publication;
  const { facts, signing } = publishing;
  for (let attempt = 1; ; attempt++) {
    if (read.damage?.reason === "other") throw new OtherProduct(read.damage);
    const last = read.state === "found" ? read.snapshot : undefined;
    const { problem, held, heldBefore, notes, link, why } = await judge(publication, read, publishing);
    if (problem !== undefined) return { result: "failed", reason: problem, notes, link };
    // Before it is held: what is older than the published snapshot is a failure, and no sighting.
    const sealed = seal(publication, last, publishing);
    const snapshot = signing ? signing.sign(sealed) : sealed;
    if (held) {
      await writeHeld(facts, name, held);
      return { result: "held", reason: why ?? heldReasons(held).join("; "), held, notes, link };
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
    if (heldBefore) await writeHeld(facts, name, undefined).catch(() => {});
    const result = snapshot.revision === last?.revision ? "confirmed" : "changed";
    return { result, snapshot, notes: [...replacementOf(read), ...(why === undefined ? [] : [why]), ...notes], link };
  }
}

function replacementOf({ damage }: SnapshotRead): string[] {
  if (!damage) return [];
  const isWhole = damage.reason === "forbidden" || damage.reason === "skewed";
  return [`replaced a ${isWhole ? "" : "damaged "}snapshot (${damage.text})`];
}

/** Compares as JSON, in which -0 equals 0 and the order of keys has no meaning. */
export function isSame(a: Fact, b: Fact): boolean {
  return a.sha256 === b.sha256 || isDeepStrictEqual(JSON.parse(a.text), JSON.parse(b.text));
}

/** Makes the snapshot of a fact. An equal fact keeps its bytes and `changedAt`; only `confirmedAt` and `freshUntil` move,
 * `confirmedAt` never backwards. `last`: the published snapshot, if it can be read. @throws StoreError if the answer is older
 * than the published snapshot. */
function seal(
  { name, fact, names, files, askedAt, kind }: Publication,
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
