// A source is the adapter from one upstream to one snapshot, or to both releases if the upstream has them in one place.
// A source throws when it cannot find out. It never caches, retries or recovers: "I could not find out" must not look
// like "there is none".
import type { SnapshotName } from "../snapshots/snapshot.ts";
import type { Validators } from "./http/fetch.ts";
import type { Environment } from "./http/secrets.ts";
import type { StandIns } from "./http/stand-ins.ts";

export interface Source {
  /** Kind of source, such as `json`; written into the snapshot, so no address and no secret. */
  readonly kind: string;
  readonly names: readonly SnapshotName[];
  /** Asks the upstream once. Returns `unchanged` only if validators were given. @throws UpstreamError */
  fetch(request: SourceRequest): Promise<UpstreamAnswer | "unchanged">;
  /** Pure: makes the candidate for one snapshot from the answer. @throws UpstreamError if the answer has none. */
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

export interface SourceContext {
  /** The snapshots that the source fills. */
  names: readonly SnapshotName[];
  /** The base of relative paths. */
  directory: string;
  environment: Environment;
  standIns?: StandIns | undefined;
  /** Logs a line for the operator. */
  log?: (line: string) => void;
}

/** A payload that has not passed the gate yet, and how it was found. */
export interface Candidate {
  payload: unknown;
  /** The number of fields dropped because the public shape does not list them. */
  dropped: number;
  /** The first of them, for the operator: `plans[0].cost`. Upstream text, so made printable by `nameText`. */
  droppedFields?: string[];
  /** The choice among several, for the operator: `Notes-4.2.1-universal.dmg of v4.2.1`. */
  picked?: string;
  /** Other architectures with an installer: `x64: Notes-4.2.1-x64.dmg`. */
  architectures?: string[];
  /** Probable mistakes, for the operator, in our own words. */
  warnings?: string[];
  /** The rejected ones and why, for the operator: `v4.3.0-beta.1: a prerelease`. Names are the only upstream text. */
  skipped?: string[];
}
