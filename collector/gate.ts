// The schema check between a source and a snapshot. Nothing that is not exactly in its public shape gets past it.
import type * as z from "zod";
import { PAYLOADS, type Payload, type SnapshotName } from "../snapshots/snapshot.ts";
import { UpstreamError } from "./http/upstream-error.ts";

const MOST_SHOWN = 3;

/** @throws UpstreamError naming the fields and what they must be, never what they are. */
export function gate(name: SnapshotName, candidate: unknown): Payload {
  const checked = PAYLOADS[name].safeParse(candidate);
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const shown = issues.slice(0, MOST_SHOWN).map((issue) => `${fieldPath(issue.path)}: ${issue.message}`);
  const more = issues.length > MOST_SHOWN ? [`and ${issues.length - MOST_SHOWN} more`] : [];
  throw new UpstreamError([...shown, ...more].join("; "));
}

// A key of `prices` is the vendor's own text and may be anything until it is checked: the place names it by a star.
/** Where in a payload: `plans[0].id`. */
export function fieldPath(path: z.core.$ZodIssue["path"]): string {
  const steps = path.map((step, index) => {
    if (path[index - 1] === "prices") return ".*";
    return typeof step === "number" ? `[${step}]` : `.${String(step)}`;
  });
  return steps.join("").replace(/^\./, "") || "the answer";
}
