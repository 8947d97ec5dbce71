// Reads JSON from an upstream in bounded memory, and finds values in it by JSON Pointer.
import type * as z from "zod";
import { MAX_DEPTH, measureJson } from "../../../snapshots/store.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { TypedText } from "../../http/fetch.ts";
import { checkShape } from "./shape.ts";

/** Without a limit, 10 MiB of `{},{},{}` become a gigabyte of objects. */
const MAX_VALUES = 1_000_000;

/** @throws UpstreamError with the media type and the length of a text that is not JSON. */
export function parseJson({ text, type, bytes }: TypedText): unknown {
  const { values, depth } = measureJson(text);
  if (values > MAX_VALUES) throw new UpstreamError(`JSON of more than ${MAX_VALUES} values`);
  if (depth > MAX_DEPTH) throw new UpstreamError(`JSON of more than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}

/** A reader of JSON documents of one shape; `expected` is the document in words. */
export function jsonReader<T extends z.ZodType>(shape: T, expected: string): (text: TypedText) => z.infer<T> {
  return (text) => checkShape(shape, parseJson(text), expected);
}

/** Finds a value by its JSON Pointer (RFC 6901) such as `/data/plans/0`; `""` is the whole document. Returns undefined if
 * there is none. */
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
