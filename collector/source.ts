// What a source is: the adapter from one upstream to one snapshot, or to two that the upstream keeps in one place.
// A source throws when it does not know. It never caches, never retries, never rescues: "I could not find out" must not
// look like "there is none".
import type { SnapshotName } from "../snapshots/snapshot.ts";
import type { Validators } from "./http/fetch.ts";
import type { Environment } from "./http/secrets.ts";
import type { StandIns } from "./http/stand-ins.ts";

export interface Source {
  /** Kind of source, such as `json`; written into the snapshot, so no address and no secret. */
  readonly kind: string;
  readonly names: readonly SnapshotName[];
  /** Reads the upstream once. `unchanged` only when asked with validators. @throws UpstreamError */
  fetch(request: SourceRequest): Promise<UpstreamAnswer | "unchanged">;
  /** Pure: what the answer says for one snapshot. @throws UpstreamError when it does not say. */
  translate(upstream: unknown, name: SnapshotName): Candidate;
}

export interface SourceRequest {
  signal: AbortSignal;
  validators: Validators | undefined;
}

export interface UpstreamAnswer {
  upstream: unknown;
  validators?: Validators;
}

/** What a source is opened with. */
export interface SourceContext {
  /** The snapshots that the source is to fill. */
  names: readonly SnapshotName[];
  /** What relative paths are relative to. */
  directory: string;
  environment: Environment;
  standIns?: StandIns | undefined;
  /** Takes a line for the operator from a source that has something to say. */
  log?: (line: string) => void;
}

/** A payload that the gate has not seen yet, and how it came about. */
export interface Candidate {
  payload: unknown;
  /** How many fields were left behind because nobody listed them. */
  dropped: number;
  /** Their places, for the operator: `plans[0].cost`. The upstream's words, so through `nameText`; the first few do. */
  droppedFields?: string[];
  /** What was chosen from several, for the operator: `Notes-4.2.1-universal.dmg of v4.2.1`. */
  picked?: string;
  /** What was left and why, for the operator: `v4.3.0-beta.1: a prerelease`. The upstream's words in it are names only. */
  skipped?: string[];
}
