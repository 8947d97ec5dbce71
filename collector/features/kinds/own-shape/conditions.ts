// Conditions on what lies at JSON Pointers: `{ "/status": ["active", "trialing"], "/archived": false }`.
import * as z from "zod";
import { pointer, valueAt } from "../pointer.ts";

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
