// JSON Pointers (RFC 6901) in the settings, and what lies there in a document.
import * as z from "zod";

export const pointer = z
  .string()
  .max(500)
  .regex(/^(\/.*)?$/, "must be a JSON Pointer, which starts with /, such as /data/version");

/** Finds a value by its JSON Pointer (RFC 6901) such as `/data/plans/0`; `""` is the whole document. Returns undefined if
 * there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((value, step) => {
    // A list has places, and other things of its own, such as its length.
    const isMember = Array.isArray(value) ? /^(?:0|[1-9]\d*)$/.test(step) : typeof value === "object" && value !== null;
    return isMember && Object.hasOwn(value as object, step) ? Reflect.get(value as object, step) : undefined;
  }, document);
}
