// Asks a source once. The run always continues, and failures get a reason in our own words.
import { StoreError } from "../../snapshots/store.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { gate } from "../gate.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { UpstreamAnswer, Candidate, Source, SourceRequest } from "../source.ts";

/** Abandons a source that ignores its signal. @throws UpstreamError */
export async function fetchFrom(source: Source, request: SourceRequest): Promise<UpstreamAnswer | "unchanged"> {
  const { signal } = request;
  const stopped = () => new UpstreamError("the run was stopped before the source answered");
  if (signal.aborted) throw stopped();
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(stopped()), { once: true });
    source.fetch(request).then(resolve, reject);
  });
}

/** The payload of one snapshot in an answer, checked by the gate. @throws UpstreamError */
export function translateAndGate(
  source: Source,
  name: SnapshotName,
  { upstream }: UpstreamAnswer,
): Candidate & { payload: Payload } {
  const candidate = source.translate(upstream, name);
  return { ...candidate, payload: gate(name, candidate.payload) };
}

/** The reason for a failure, for the operator; for an unexpected error, only its name. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof StoreError) return error.message;
  return `a bug in the source (${error instanceof Error ? error.name : typeof error})`;
}
