// What a run comes to for each snapshot.
import type { Held, LinkRecord } from "../snapshots/records.ts";
import type { Fact, Payload, Snapshot, SnapshotName } from "../snapshots/snapshot.ts";

/** The result for one snapshot; `milliseconds` since its source was asked. */
export type Outcome = Result & {
  name: SnapshotName;
  milliseconds: number;
  /** True if there was a last snapshot, which stays published if the run has no newer one. */
  isKept: boolean;
};

export type Result = { link?: LinkRecord | undefined } & (
  | PublishedResult
  | { result: "held"; reason: string; held: Held; notes: string[] }
  | FailedResult
);

interface PublishedResult {
  result: "changed" | "confirmed";
  snapshot: Snapshot;
  payload: Payload;
  /** As the source found it; undefined if the upstream says unchanged. */
  found?: { fact: Fact; beyond?: { release: string; setting: string } | undefined } | undefined;
  /** Remarks for the operator, in our own words. */
  notes: string[];
}

export interface FailedResult {
  result: "failed";
  reason: string;
  /** True if the upstream asked for a pause and was not asked; the operator may ask all the same. */
  isPaused?: boolean;
}
