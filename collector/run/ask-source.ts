// Asking a source once, so that the run always goes on, and saying in our own words why it came to nothing.
import { StoreError } from "../../snapshots/store.ts";
import type { Payload, SnapshotName } from "../../snapshots/snapshot.ts";
import { gate } from "../gate.ts";
import { UpstreamError } from "../http/upstream-error.ts";
import type { UpstreamAnswer, Candidate, Source, SourceRequest } from "../source.ts";

/** A source that ignores its signal is left behind. @throws UpstreamError */
export async function ask(source: Source, request: SourceRequest): Promise<UpstreamAnswer | "unchanged"> {
  const { signal } = request;
  const stopped = () => new UpstreamError("the run was stopped before it answered");
  if (signal.aborted) throw stopped();
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(stopped()), { once: true });
    source.fetch(request).then(resolve, reject);
  });
}

/** What an answer says for one snapshot: translate → gate. @throws UpstreamError */
export function read(
  source: Source,
  name: SnapshotName,
  { upstream }: UpstreamAnswer,
): Candidate & { payload: Payload } {
  const candidate = source.translate(upstream, name);
  return { ...candidate, payload: gate(name, candidate.payload) };
}

/** Why it failed, for the operator; of an error that is not ours, its kind only. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof StoreError) return error.message;
  return `a bug in the source (${error instanceof Error ? error.name : typeof error})`;
}
