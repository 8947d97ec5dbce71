// The OpenAPI 3.1 document, made once at start from the list of operations and the JSON Schemas. Two linters must
// accept it without a finding (`npm run lint:api`).
import { API_VERSION, apiIndex } from "../api-index.ts";
import { isEmail, type ApiSettings } from "../api-settings.ts";
import { HEADERS, type OperationResponse } from "./openapi-responses.ts";
import { schemaReference, SCHEMAS } from "./openapi-schemas.ts";
import { operations, type Operation } from "./operations.ts";

/** `base`: the public base URL, without a trailing slash. */
export function openApi(api: ApiSettings, base: string): object {
  const index = apiIndex(api, base);
  return {
    openapi: "3.1.1",
    info: {
      title: api.name,
      version: API_VERSION,
      description: api.description,
      contact: contact(api.contact ?? index.documentation),
      license: license(api.license, index.documentation),
    },
    servers: [{ url: base }],
    security: [],
    tags: [
      { name: "Index", description: "Links to the documents and operations" },
      { name: "Plans", description: "Subscription plans, billing cycles and prices" },
      { name: "Releases", description: "Desktop releases" },
    ],
    paths: Object.fromEntries(
      operations(index).map((operation) => [operation.path, { get: operationObject(operation) }]),
    ),
    components: { headers: HEADERS, schemas: schemas(api.name) },
  };
}

/** The schemas, in which the name of the index is a constant. */
function schemas(name: string): object {
  const { ApiIndex } = SCHEMAS;
  const constant = { type: "string", const: name, enum: [name], description: "Public name of the API" };
  return { ...SCHEMAS, ApiIndex: { ...ApiIndex, properties: { ...ApiIndex?.properties, name: constant } } };
}

function contact(address: string): object {
  return isEmail(address) ? { email: address } : { url: address };
}

/** OpenAPI linters require a licence, but only the vendor can grant one. */
function license(identifier: string | undefined, documentation: string): object {
  return identifier === undefined
    ? { name: "No licence stated", url: documentation }
    : { name: identifier, identifier };
}

function operationObject({ id, tag, summary, description, parameters, responses }: Operation): object {
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => ({ ...parameter, in: "query", required: false })),
    }),
    responses: mapValues(responses, responseObject),
  };
}

function responseObject({ description, headers, body }: OperationResponse): object {
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(body && {
      content: {
        "application/json": {
          schema: { $ref: schemaReference(body.schema) },
          examples: mapValues(body.examples, (value) => ({ value })),
        },
      },
    }),
  };
}

function mapValues<T>(values: Readonly<Record<string, T>>, map: (value: T) => object): object {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
