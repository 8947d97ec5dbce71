// A document in Vitrine's own shape, and what it says for each snapshot: past the gate already, so that whatever else it
// holds is left behind here.
import type { TypedText } from "../../http/fetch.ts";
import { gate } from "../../gate.ts";
import { parseJson } from "../../parsing/json.ts";
import { fromOwnShape } from "./translate.ts";
import { resolvePointer } from "../../parsing/json-pointer.ts";
import { UpstreamError } from "../../http/upstream-error.ts";
import type { Candidate } from "../../source.ts";
import type { SnapshotName } from "../../../snapshots/snapshot.ts";

export interface Wanted {
  names: readonly SnapshotName[];
  /** JSON Pointer to what is in our shape; or every snapshot stands under its own name, as a module answers. */
  at: { pointer: string } | "names";
}

/** What it says for each of the names, or why it does not. */
export type OwnShape = ReadonlyMap<SnapshotName, Candidate | { problem: string }>;

/** @throws UpstreamError when it says nothing for any. */
export function readFeed(text: TypedText, { names, at }: Wanted): OwnShape {
  const document = parseJson(text);
  const upstream = at === "names" ? document : resolvePointer(document, at.pointer);
  const read = (name: SnapshotName) =>
    at === "names" ? fromOwnShape(named(upstream, name), name, [name]) : fromOwnShape(upstream, name, names);
  return new Map(names.map((name) => [name, contained(() => gated(name, read(name)))]));
}

/** What such a document, as a source's own `fetch` gave it, says for one snapshot. @throws UpstreamError */
export function ownCandidate(upstream: unknown, name: SnapshotName): Candidate {
  const said = (upstream as OwnShape).get(name);
  if (!said || "problem" in said) throw new UpstreamError(said?.problem ?? `says nothing of "${name}"`);
  return said;
}

function gated(name: SnapshotName, candidate: Candidate): Candidate {
  return { ...candidate, payload: gate(name, candidate.payload) };
}

/** One of two releases that cannot be read is no reason to lose the other. */
function contained(read: () => Candidate): Candidate | { problem: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof UpstreamError) return { problem: error.message };
    throw error;
  }
}

function named(answer: unknown, name: SnapshotName): unknown {
  if (typeof answer === "object" && answer !== null && Object.hasOwn(answer, name)) return Reflect.get(answer, name);
  throw new UpstreamError(`the module's answer has no "${name}"`);
}
