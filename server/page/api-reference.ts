// The operations as the OpenAPI document describes them, in the rows that a person reads.
import * as z from "zod";

/** A part of a payload. `path`: such as `plans[].id`. `type`: in words. */
export interface Field {
  path: string;
  type: string;
  meaning: string;
}

export interface Operation {
  path: string;
  summary: string;
  description: string;
  statuses: readonly string[];
  parameters: readonly Field[];
  fields: readonly Field[];
}

/** As much of JSON Schema as our own document uses. */
interface Schema {
  type?: string | undefined;
  description?: string | undefined;
  $ref?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  default?: unknown;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  oneOf?: Schema[] | undefined;
  anyOf?: Schema[] | undefined;
}
const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    description: z.string().optional(),
    $ref: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    oneOf: z.array(Schema).optional(),
    anyOf: z.array(Schema).optional(),
  }),
);
const Parameter = z.object({ name: z.string(), description: z.string(), schema: Schema });
const Answer = z.object({ content: z.object({ "application/json": z.object({ schema: Schema }) }) });
const Document = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        summary: z.string(),
        description: z.string(),
        parameters: z.array(Parameter).default([]),
        responses: z.looseObject({ 200: Answer }),
      }),
    }),
  ),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** The operations of our OpenAPI document. @throws ZodError when it is not in the shape that we write. */
export function operationsOf(openApi: unknown): Operation[] {
  const { paths, components } = Document.parse(openApi);
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    const found = name === undefined ? schema : (components.schemas[name] ?? {});
    return { ...found, description: schema.description ?? found.description };
  };
  return Object.entries(paths).map(([path, { get }]) => ({
    path,
    summary: get.summary,
    description: get.description,
    statuses: Object.keys(get.responses),
    parameters: get.parameters.map(({ name, description, schema }) => ({
      path: `?${name}`,
      type: typeOf(schema, resolve),
      meaning: description,
    })),
    fields: distinct(fieldsOf(get.responses[200].content["application/json"].schema, "", resolve)),
  }));
}

type Resolve = (schema: Schema) => Schema;

function fieldsOf(given: Schema, path: string, resolve: Resolve): Field[] {
  const schema = resolve(given);
  const { properties, items, oneOf } = schema;
  if (oneOf) return oneOf.flatMap((variant) => fieldsOf(variant, path, resolve));
  if (items) return fieldsOf(items, `${path}[]`, resolve);
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const here = path === "" ? name : `${path}.${name}`;
    const row = { path: here, type: typeOf(property, resolve), meaning: resolve(property).description ?? "" };
    return [row, ...fieldsOf(property, here, resolve)];
  });
}

const WORDS: Record<string, string> = { string: "text", integer: "whole number", array: "list" };

function typeOf(given: Schema, resolve: Resolve): string {
  const { anyOf, enum: values, const: value, type = "" } = resolve(given);
  if (anyOf) return anyOf.map((variant) => typeOf(variant, resolve)).join(" or ");
  if (values) return values.map(String).join(" or ");
  return value === undefined ? (WORDS[type] ?? type) : String(value);
}

/** A field that more than one variant has is told once, with all its types. */
function distinct(fields: readonly Field[]): Field[] {
  const known = new Map<string, Field>();
  for (const field of fields) {
    const earlier = known.get(field.path);
    const isNews = earlier && !earlier.type.split(" or ").includes(field.type);
    if (!earlier) known.set(field.path, field);
    else if (isNews) known.set(field.path, { ...earlier, type: `${earlier.type} or ${field.type}` });
  }
  return [...known.values()];
}
