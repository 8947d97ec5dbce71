// The judges' verdict on a fact: published, held back, or refused. A run and a dry run ask them alike.
import { readHeld, type Held, type HoldReason, type Reported } from "../../snapshots/records.ts";
import type { Facts, SnapshotRead } from "../../snapshots/facts.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import type { Judge, Judgement, Publication, Trace } from "../hooks.ts";

export interface Rules {
  /** Asked in this order, until one refuses the fact or holds it back. */
  judges?: readonly Judge[];
  traces?: readonly Trace[];
  known?: KnownFacts | undefined;
  /** Snapshots to publish even if a judge would hold them. */
  accept?: ReadonlySet<SnapshotName> | undefined;
}

export interface KnownFacts {
  /** True for made-up facts. */
  isSample?: (payload: Payload) => boolean;
  /** The payload that the server of this process read last, though the store may have lost it. */
  mirrored?: ((name: SnapshotName) => Payload | undefined) | undefined;
}

interface Judging extends Rules {
  facts: Facts;
  /** What the report has of the last collections. */
  reported?: ReadonlyMap<SnapshotName, Reported> | undefined;
  signal: AbortSignal;
}

/** All judgements as one. `last` and `held`: what the fact was compared with. */
export interface Verdict extends Omit<Judgement, "doubts" | "notes"> {
  notes: string[];
  last: Payload | undefined;
  heldBefore: Held | undefined;
}

/** Asks the judges about a fact, compared with the published one, else with the newest trace of earlier facts. Otherwise a bad sector,
 * a wrong clock or an emptied store would let an accident pass as a first publication. `read`: the published snapshot.
 * @throws Unreachable, UpstreamError */
export async function judge(publication: Publication, read: SnapshotRead, judging: Judging): Promise<Verdict> {
  const { name } = publication;
  const { judges = [], facts, known, accept, reported, signal } = judging;
  const published = read.state === "found" ? read.snapshot : undefined;
  const last = published?.payload ?? (await newestTrace(name, judging));
  const held = await readHeld(facts, name);
  const circumstances = {
    facts,
    published,
    last,
    isSample: last !== undefined && (known?.isSample?.(last) ?? false),
    held,
    reported: reported?.get(name),
    isAccepted: accept?.has(name) ?? false,
    now: facts.clock.wall(),
    signal,
  };
  const verdict: Verdict = { notes: [], last, heldBefore: held };
  const doubts: HoldReason[] = [];
  for (const ask of judges) {
    const { notes = [], doubts: further = [], ...judgement } = await ask(publication, { ...circumstances, doubts });
    Object.assign(verdict, judgement);
    verdict.notes.push(...notes);
    doubts.push(...further);
    if (verdict.problem !== undefined || verdict.held) break;
  }
  return verdict;
}

async function newestTrace(name: SnapshotName, { facts, traces = [], known }: Judging): Promise<Payload | undefined> {
  for (const trace of traces) {
    const payload = await trace(facts, name);
    if (payload) return payload;
  }
  return known?.mirrored?.(name);
}
