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

/** Probable mistakes that pass the gate, for the operator. */
export function warningsOf(payload: Payload): string[] {
  const isKnown = !("currency" in payload) || Intl.supportedValuesOf("currency").includes(payload.currency);
  return isKnown ? [] : ["the currency is not an ISO 4217 code such as USD"];
}
