// What tests look at in the served OpenAPI document, as far as they need it typed.
import { z } from "zod";
import { ask } from "./_server.ts";

const Content = z.record(
  z.string(),
  z.object({ schema: z.object({ $ref: z.string() }), example: z.unknown().optional() }),
);
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content })),
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
  components: z.strictObject({ schemas: z.record(z.string(), Schema) }),
});
export type Description = z.infer<typeof Description>;

/** The served document: typed, and the whole of it as it is. */
export async function describedBy(port: number): Promise<{ description: Description; document: object }> {
  const document = (await ask(port, "/openapi.json")).json();
  return { description: Description.parse(document), document: z.looseObject({}).parse(document) };
}
