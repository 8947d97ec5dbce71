// JSON Pointer (RFC 6901): `/data/plans/0`.
import { UpstreamError } from "../http/upstream-error.ts";

/** The value a pointer leads to; `""` is the whole document. @throws UpstreamError when it leads nowhere. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((value, step) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, step)) return Reflect.get(value, step);
    throw new UpstreamError(`nothing in the answer where "pick" points (${pointer})`);
  }, document);
}
