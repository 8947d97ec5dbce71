// The schema check between a source and a snapshot: only payloads that are exactly in their public shape get past it.
import { PAYLOADS, type Payload, type SnapshotName } from "../snapshots/snapshot.ts";
import { UpstreamError } from "./http/upstream-error.ts";
import { issuesText } from "./parsing/shape.ts";

/** @throws UpstreamError with the fields and what they must be, never their values. */
export function gate(name: SnapshotName, candidate: unknown): Payload {
  const checked = PAYLOADS[name].safeParse(candidate);
  if (checked.success) return checked.data;
  throw new UpstreamError(issuesText(checked.error.issues));
}
