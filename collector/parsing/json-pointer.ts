// JSON Pointer (RFC 6901): `/data/plans/0`.
import { UpstreamError } from "../http/upstream-error.ts";

/** The value at a pointer; `""` is the whole document. @throws UpstreamError if there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((value, step) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, step)) return Reflect.get(value, step);
    throw new UpstreamError(`the answer has nothing at the JSON Pointer of "pick" (${pointer})`);
  }, document);
}
