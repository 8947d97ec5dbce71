// JSON Schema as Vitrine publishes it, in the OpenAPI document and for MCP tools.

/** A whole number has no greatest value in the specification; zod writes the greatest safe integer. */
export function dropSafeBounds(schema: { maximum?: number; minimum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
