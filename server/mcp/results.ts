// Results of the tools. The facts are in `structuredContent`, exactly as in the REST body, and in a text for hosts that
// pass only text on to the model. A second text has the note on the facts.
import type { SnapshotName } from "../../snapshots/snapshot.ts";
import type { Mirror, Servable } from "../mirror/mirror.ts";
import type { Identity } from "./identity.ts";
import { isShortened, MAX_SHOWN_CHANGELOG, noteOn, otherRelease, type DatedFact } from "./notes.ts";

export interface ToolResult {
  [extra: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The tools' source. */
export interface Facts {
  get(name: SnapshotName): DatedFact;
  note(name: SnapshotName, fact: DatedFact): string;
}

/** The facts of a mirror. */
export function factsOf(mirror: Pick<Mirror, "get">, identity: Identity): Facts {
  return {
    get: (name) => mirror.get(name),
    note: (name, fact) => noteOn(name, fact, { identity, other: otherRelease(name, fact, mirror) }),
  };
}

export function factResult(facts: Facts, name: SnapshotName): ToolResult {
  const fact = facts.get(name);
  const note = facts.note(name, fact);
  if (fact.state === "missing") return errorResult(note);
  const { confirmedAt, freshUntil } = fact.snapshot;
  const dated = { _meta: { confirmedAt, freshUntil } };
  if (fact.state === "stale") return { ...errorResult(note), ...dated };
  const { payload } = fact.snapshot;
  return {
    content: [textBlock(shownBody(fact.snapshot)), textBlock(note)],
    structuredContent: { ...payload },
    ...dated,
  };
}

export function errorResult(message: string): ToolResult {
  return { content: [textBlock(message)], isError: true };
}

/** The result with a further text. */
export function withText(result: ToolResult, text: string): ToolResult {
  return { ...result, content: [...result.content, textBlock(text)] };
}

function textBlock(text: string): ToolResult["content"][number] {
  return { type: "text", text };
}

/** The REST body, but with a short changelog. */
function shownBody({ payload, body }: Pick<Servable, "payload" | "body">): string {
  if (!("hasUpdate" in payload && payload.hasUpdate && isShortened(payload.latest)))
    return Buffer.from(body).toString();
  const { latest } = payload;
  return JSON.stringify({ ...payload, latest: { ...latest, changelog: beginning(latest.changelog) } });
}

/** Whole lines, or whole characters of a line that is too long. */
function beginning(changelog: string): string {
  const start = changelog.slice(0, MAX_SHOWN_CHANGELOG);
  const end = start.lastIndexOf("\n");
  return `${end > 0 ? start.slice(0, end) : start.replace(/[\uD800-\uDBFF]$/, "")}\n…`;
}
