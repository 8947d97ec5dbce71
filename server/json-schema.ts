// JSON Schema in the OpenAPI document and in MCP tools.

/** Removes the limits that zod adds to integers, the greatest safe ones: the interface specification has none. */
export function dropSafeBounds(schema: { maximum?: number; minimum?: number }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
