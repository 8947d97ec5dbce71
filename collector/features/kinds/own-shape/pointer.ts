// JSON Pointers (RFC 6901) in the settings, what lies there in a document, and conditions on it:
// `{ "/status": ["active", "trialing"], "/archived": false }`.
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

const MOST_MEMBERS = 50;

/** The pointers to the lists of objects in a document, without those inside of another. */
export function listsIn(part: unknown, depth = 3): string[] {
  if (typeof part !== "object" || part === null) return [];
  if (Array.isArray(part)) return typeof part[0] === "object" ? [""] : [];
  const members = depth > 0 ? Object.entries(part).slice(0, MOST_MEMBERS) : [];
  return members.flatMap(([key, value]) =>
    listsIn(value, depth - 1).map((rest) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`),
  );
}

const value = z.union([z.string().max(500), z.number(), z.boolean(), z.null()]);

/** The value at each pointer must be the one that is named, or one of several. `null`: the value is null or missing. */
export const conditions = z.record(pointer, z.union([value, z.array(value).min(1).max(100)]));
export type Conditions = z.infer<typeof conditions>;

/** The first pointer whose value is not as named; undefined if all are. */
export function unmetIn(part: unknown, named: Conditions): string | undefined {
  return Object.keys(named).find((at) => {
    const found = valueAt(part, at) ?? null;
    return ![named[at]].flat().some((wanted) => wanted === found);
  });
}
