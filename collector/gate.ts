// The schema check between a source and a snapshot: only payloads that are exactly in their public shape get past it.
import { isCurrencyCode } from "../snapshots/rules.ts";
import { PAYLOADS, type Payload, type SnapshotName } from "../snapshots/snapshot.ts";
import { UpstreamError } from "./http/upstream-error.ts";
import { issuesText, UPSTREAM_WORDS } from "./parsing/shape.ts";

/** @throws UpstreamError with the fields and what they must be, never their values. */
export function gate(name: SnapshotName, candidate: unknown): Payload {
  const checked = PAYLOADS[name].safeParse(candidate, UPSTREAM_WORDS);
  if (checked.success) return checked.data;
  throw new UpstreamError(issuesText(checked.error.issues));
}

const MAX_OTHER_PRICES = 5;

/** Probable mistakes that pass the gate, for the operator. */
export function warningsOf(payload: Payload): string[] {
  if (!("plans" in payload)) return [];
  const cycles = new Set(payload.cycles.map(({ key }) => key));
  const other = payload.plans.flatMap(({ id, prices }) =>
    Object.keys(prices).flatMap((key) => (cycles.has(key) ? [] : [`plan "${id}": the price "${key}" is for no cycle`])),
  );
  return [
    ...(isCurrencyCode(payload.currency) ? [] : ["the currency is not an ISO 4217 code such as USD"]),
    ...other.slice(0, MAX_OTHER_PRICES),
  ];
}
