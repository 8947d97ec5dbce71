// Every kind of run asks a source once, translates its answer, and checks it at the gate.
import type { ReleaseFile } from "../../snapshots/schema.ts";
import type { Fact, SnapshotName } from "../../snapshots/snapshot.ts";
import { StoreError } from "../../snapshots/store.ts";
import { orAborted } from "../http/deadline.ts";
import { UpstreamError } from "../http/errors.ts";
import { publishedFiles } from "../features/kinds/releases/files.ts";
import { gate, type Candidate, type Source, type SourceRequest, type UpstreamAnswer } from "../source.ts";
import { warningsOf } from "./warnings.ts";

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

/** A fact that has passed the gate, and how it was found. */
export type Found = Omit<Candidate, "payload" | "files"> & {
  fact: Fact;
  /** The installers of a published release. */
  files?: ReleaseFile[] | undefined;
  remarks: string[];
  warnings: string[];
};

/** Finds the fact for one snapshot in an answer, with all warnings. @throws UpstreamError */
export function find(source: Source, name: SnapshotName, { upstream }: UpstreamAnswer): Found {
  const { payload, files: stated, remarks = [], warnings = [], ...candidate } = source.translate(upstream, name);
  // Whoever edits a file corrects all of it at once.
  const fact = gate(name, payload, source.kind === "file" ? 50 : undefined);
  const { files, leftOut } = publishedFiles(fact.payload, stated);
  return {
    ...candidate,
    fact,
    files,
    remarks: [...remarks, ...leftOut],
    warnings: [...warnings, ...warningsOf(fact.payload)],
  };
}

/** Of an unexpected error, the operator gets only its name. */
export function reasonOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof StoreError) return error.message;
  return `internal error in the source (${error instanceof Error ? error.name : typeof error})`;
}
