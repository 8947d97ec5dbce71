// The public shapes as JSON Schema, made from the Zod schemas once.
import * as z from "zod";
import {
  BillingCycle,
  LatestReleaseResponse,
  Plan,
  PlansResponse,
  Release,
  dropSafeBounds,
  type JsonSchema,
} from "../snapshots/schema.ts";
import { ApiIndex } from "./api-index.ts";

/** Loose, because the specification lets errors gain fields. */
const ErrorBody = z
  .looseObject({
    error: z.string().describe("Human-readable message"),
    allowed: z.array(z.string()).optional().describe("The accepted values"),
  })
  .describe("An error");

const SHAPES = { ApiIndex, BillingCycle, Error: ErrorBody, LatestReleaseResponse, Plan, PlansResponse, Release };
export type SchemaName = keyof typeof SHAPES;

export const SCHEMAS: Readonly<Record<string, JsonSchema>> = jsonSchemas();

export function schemaReference(name: string): string {
  return `#/components/schemas/${name}`;
}

function jsonSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(SHAPES)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: schemaReference,
    override({ jsonSchema }) {
      dropSafeBounds(jsonSchema);
      // Many generators of clients narrow a union by `enum` only.
      if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
    },
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas;
}
