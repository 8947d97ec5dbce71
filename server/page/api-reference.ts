// The reference of an operation as the page shows it: its parameters and the fields of its answer, a row each.
import type { Operation } from "../documents/openapi.ts";
import { SCHEMAS, type JsonSchema } from "../documents/openapi-schemas.ts";

/** `path`: such as `plans[].id`. `type`: in words. */
export interface ReferenceRow {
  path: string;
  type: string;
  meaning: string;
}

/** Parameters first. */
export function referenceRows({ parameters, responses }: Operation): ReferenceRow[] {
  const schema = SCHEMAS[responses[200]?.body?.schema ?? ""] ?? {};
  return [
    ...parameters.map(({ name, description, schema }) => ({
      path: `?${name}`,
      type: typeOf(schema),
      meaning: description,
    })),
    ...distinct(fieldRows(schema, "")),
  ];
}

/** JSON Schema also allows a boolean for a schema; ours has none. */
type AnySchema = JsonSchema | boolean;

/** Follows a `$ref`; keywords beside it win. */
function resolved(schema: AnySchema): JsonSchema {
  if (typeof schema === "boolean") return {};
  return { ...SCHEMAS[schema.$ref?.split("/").at(-1) ?? ""], ...schema };
}

function fieldRows(schema: AnySchema, path: string): ReferenceRow[] {
  const { properties = {}, items, oneOf } = resolved(schema);
  if (oneOf) return oneOf.flatMap((variant) => fieldRows(variant, path));
  if (items && !Array.isArray(items)) return fieldRows(items, `${path}[]`);
  return Object.entries(properties).flatMap(([name, property]) => {
    const here = path === "" ? name : `${path}.${name}`;
    const row = { path: here, type: typeOf(property), meaning: resolved(property).description ?? "" };
    return [row, ...fieldRows(property, here)];
  });
}

const TYPE_WORDS: Record<string, string> = { string: "text", integer: "whole number", array: "list" };

function typeOf(schema: AnySchema): string {
  const { anyOf, enum: values, type = "" } = resolved(schema);
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.join(" or ");
  return TYPE_WORDS[String(type)] ?? String(type);
}

/** Merges the rows of a field that several variants have, with all its types. */
function distinct(rows: readonly ReferenceRow[]): ReferenceRow[] {
  const merged = new Map<string, ReferenceRow>();
  for (const row of rows) {
    const earlier = merged.get(row.path);
    if (!earlier) merged.set(row.path, row);
    else if (!earlier.type.split(" or ").includes(row.type))
      merged.set(row.path, { ...earlier, type: `${earlier.type} or ${row.type}` });
  }
  return [...merged.values()];
}
