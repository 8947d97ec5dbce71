// The responses of the operations: status, headers, body and examples. A test compares each with the server's own.
import type { SchemaName } from "./openapi-schemas.ts";

export interface OperationResponse {
  description: string;
  headers: readonly HeaderName[];
  /** JSON. `examples`: by name. */
  body?: { schema: SchemaName; examples: Readonly<Record<string, unknown>> };
}
/** By status. */
export type OperationResponses = Readonly<Record<number, OperationResponse>>;

/** The headers that say something about the facts; CORS and general HTTP headers are not listed. */
export const HEADERS = {
  "Cache-Control": text("How long the response may be cached; no-store for errors"),
  ETag: text("Entity tag, for If-None-Match"),
  "Last-Modified": text("When the facts last changed, for If-Modified-Since"),
  Link: text("Links to the API catalog, this document and the developer page (RFC 8288)"),
  "Retry-After": { description: "Seconds to wait before retrying", schema: { type: "integer", minimum: 0 } },
  Vary: text("Request headers that the response depends on"),
};
type HeaderName = keyof typeof HEADERS;

/** The example of 400 for a request that is not valid HTTP. */
export const MALFORMED = { malformed: { error: "The request is malformed." } };

/** 200 and 304. `header`: sent in addition to those of every cacheable response. `examples`: by name. */
export function ok(schema: SchemaName, header: HeaderName, examples: Record<string, unknown>): OperationResponses {
  const headers: HeaderName[] = ["Cache-Control", "ETag", "Vary", header];
  return {
    200: { description: "Success", headers, body: { schema, examples } },
    304: { description: "The client's copy is current", headers },
  };
}

/** 400, 414 and 431. `examples`: of 400, by name. 405 is none of them: no answer to GET has it. */
export function refused(
  description = "The HTTP request is malformed",
  examples: Record<string, unknown> = MALFORMED,
): OperationResponses {
  const longTarget = { long: { error: "The request target is longer than 2048 characters." } };
  const longHeaders = { long: { error: "The request's headers are too long." } };
  return {
    400: failure(description, examples),
    414: failure("The path and query are longer than 2,048 characters", longTarget),
    431: failure("The headers are longer than 16 KiB", longHeaders),
  };
}

/** 502. */
export function unavailable(error: string): OperationResponses {
  return { 502: failure("The facts are temporarily unavailable", { unavailable: { error } }, ["Retry-After"]) };
}

function failure(
  description: string,
  examples: Record<string, unknown>,
  headers: HeaderName[] = [],
): OperationResponse {
  return { description, headers: ["Cache-Control", ...headers], body: { schema: "Error", examples } };
}

function text(description: string) {
  return { description, schema: { type: "string" } };
}
