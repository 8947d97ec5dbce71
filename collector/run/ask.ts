// Every kind of run asks a source once, translates its answer, and checks it at the gate.
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError } from "../../snapshots/store.ts";
import { orAborted } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";
import { gate, type Found, type Source, type SourceRequest, type UpstreamAnswer } from "../source.ts";

/** Asks a source once, and abandons one that ignores its signal. @throws UpstreamError */
export async function ask(source: Source, request: SourceRequest): Promise<UpstreamAnswer | "unchanged"> {
  const { signal } = request;
  const stopped = new UpstreamError("the run was stopped before the source answered");
  if (signal.aborted) throw stopped;
  return orAborted(source.fetch(request), signal, stopped);
}

/** Asks without validators, so never gets `unchanged`. @throws UpstreamError */
export async function askAnew(source: Source, signal: AbortSignal): Promise<UpstreamAnswer> {
  const answer = await ask(source, { signal, validators: undefined });
  if (answer === "unchanged") throw new TypeError("unchanged, though not asked with validators");
  return answer;
}

/** Finds the fact for one snapshot in an answer, with what is said of it. @throws UpstreamError */
export function find(source: Source, name: SnapshotName, { upstream }: UpstreamAnswer): Found {
  const candidate = source.translate(upstream, name);
  const { payload, files: _, remarks = [], warnings = [], ...others } = candidate;
  // Whoever edits a file corrects all of it at once.
  const fact = gate(name, payload, source.kind === "file" ? 50 : undefined);
  const found: Found = { ...others, fact, remarks, warnings };
  for (const describe of source.describers ?? []) Object.assign(found, describe(found, candidate));
  return found;
}

/** Of an unexpected error, the operator gets only its name. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof StoreError) return error.message;
  return `internal error in the source (${error instanceof Error ? error.name : typeof error})`;
}
