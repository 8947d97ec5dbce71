// JSON Pointers (RFC 6901) in the settings, what lies there in a document, and conditions on it:
// `{ "/status": ["active", "trialing"], "/archived": false }`.
import * as z from "zod";
import { displayName } from "../../../parsing/issues.ts";

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
const MOST_NAMED = 8;

/** What to write for a pointer that finds nothing: another spelling of it that finds something, or the names of what is there. */
export function foundNear(document: unknown, pointer: string): string {
  if (valueAt(document, pointer) === null) return "";
  const spelt = pointer.replaceAll(/\[(\d+)\]/g, "/$1").replace(/\/+$/, "");
  if (spelt !== pointer && valueAt(document, spelt) !== undefined) return `: write ${JSON.stringify(spelt)}`;
  const steps = pointer.split("/");
  const parents = steps.map((_, up) => steps.slice(0, steps.length - up - 1).join("/")).slice(0, -1);
  const parent = parents.find((at) => valueAt(document, at) !== undefined) ?? "";
  const names = Object.keys(Object(valueAt(document, parent)) as object).slice(0, MOST_NAMED);
  const places = names.map((name) => displayName(`${parent}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`));
  return places.length === 0 ? "" : `: there is ${places.join(", ")}`;
}

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

/** What is where a condition is not met, and what to write if only its case or type differs. */
export function foundAt(part: unknown, at: string, named: Conditions): string {
  const found = valueAt(part, at);
  if (found === undefined) return foundNear(part, at);
  const isNear = [named[at]].flat().some((one) => String(one).toLowerCase() === String(found).toLowerCase());
  return typeof found === "object" ? "" : `: ${isNear ? "write" : "it is"} ${displayName(JSON.stringify(found))}`;
}
