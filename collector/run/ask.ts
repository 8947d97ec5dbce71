// One answer of a source, as every kind of run takes it: asked once, translated, and checked by the gate.
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError } from "../../snapshots/store.ts";
import { UpstreamError } from "../http/errors.ts";
import { gate, type Candidate, type Source, type SourceRequest, type UpstreamAnswer } from "../source.ts";
import { warningsOf } from "./warnings.ts";

/** Asks a source once, and abandons one that ignores its signal. @throws UpstreamError */
export async function fetchFrom(source: Source, request: SourceRequest): Promise<UpstreamAnswer | "unchanged"> {
  const { signal } = request;
  const stopped = () => new UpstreamError("the run was stopped before the source answered");
  if (signal.aborted) throw stopped();
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(stopped()), { once: true });
    source.fetch(request).then(resolve, reject);
  });
}

/** The payload of one snapshot in an answer, checked by the gate, with all warnings. @throws UpstreamError */
export function translateAndGate(
  source: Source,
  name: SnapshotName,
  { upstream }: UpstreamAnswer,
): Candidate & { payload: Payload; warnings: string[] } {
  const candidate = source.translate(upstream, name);
  const payload = gate(name, candidate.payload);
  return { ...candidate, payload, warnings: [...(candidate.warnings ?? []), ...warningsOf(payload)] };
}

/** The reason for a failure, for the operator; for an unexpected error, only its name. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof StoreError) return error.message;
  return `internal error in the source (${error instanceof Error ? error.name : typeof error})`;
}
