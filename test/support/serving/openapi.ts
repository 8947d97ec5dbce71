// The served OpenAPI document, typed as far as the tests need it.
import * as z from "zod";
import { openAjv } from "./ajv.ts";
import { ask } from "./server.ts";

const Reference = z.object({ $ref: z.string() });
const Content = z.object({ schema: Reference, examples: z.record(z.string(), z.object({ value: z.unknown() })) });
const Response = z.strictObject({
  description: z.string(),
  headers: z.record(z.string(), Reference),
  content: z.strictObject({ "application/json": Content }).optional(),
});
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), Response),
});
const Schema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
});
const Description = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.strictObject({ get: Operation })),
  components: z.strictObject({ headers: z.record(z.string(), z.unknown()), schemas: z.record(z.string(), Schema) }),
});
export type Description = z.infer<typeof Description>;

/** The description of one answer. `headers` and `schema`: references. */
export interface DescribedAnswer {
  headers: Record<string, string>;
  /** The body's schema; undefined without a body. */
  schema: string | undefined;
  /** By name. */
  examples: Record<string, unknown>;
}

/** Fetches the document. Returns it typed and as it is, with functions to query it. */
export async function openDescription(port: number) {
  const served = (await ask(port, "/openapi.json")).json();
  const description = Description.parse(served);
  const document = z.looseObject({}).parse(served);
  // The document around the schemas is not a schema, so strict mode requires its keywords to be declared.
  const ajv = openAjv().addVocabulary(Object.keys(document)).addSchema(document, "served");
  return {
    description,
    document,
    /** The errors of a value by the schema at this reference. @throws Error if there is no such schema. */
    faults(value: unknown, reference: string): string[] {
      const validate = ajv.getSchema(`served${reference}`);
      if (!validate) throw new Error(`${reference} is not in the description`);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
    /** @throws Error if the answer is not described. */
    answer(path: string, status: number): DescribedAnswer {
      const response = description.paths[path]?.get.responses[status];
      if (!response) throw new Error(`${status} of ${path} is not described`);
      const { schema, examples = {} } = response.content?.["application/json"] ?? {};
      return {
        headers: mapped(response.headers, ({ $ref }) => $ref),
        schema: schema?.$ref,
        examples: mapped(examples, ({ value }) => value),
      };
    },
    /** Every described answer. */
    answers(): [path: string, status: number][] {
      return Object.entries(description.paths).flatMap(([path, { get }]) =>
        Object.keys(get.responses).map((status): [string, number] => [path, Number(status)]),
      );
    },
  };
}

function mapped<From, To>(values: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
