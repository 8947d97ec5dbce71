// JSON Pointer (RFC 6901): `/data/plans/0`.

/** The value at a pointer; `""` is the whole document. Undefined if there is none, which JSON itself has no value for. */
export function valueAt(document: unknown, pointer: string): unknown {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    document,
  );
}
