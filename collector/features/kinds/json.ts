// Reads JSON from an upstream in bounded memory, and finds values in it by JSON Pointer.
import type * as z from "zod";
import { MAX_DEPTH, measureJson } from "../../../snapshots/store.ts";
import { UpstreamError } from "../../http/errors.ts";
import type { TypedText } from "../../http/fetch.ts";
import { checkShape, notIn } from "./shape.ts";

/** Without a limit, 10 MiB of `{},{},{}` become a gigabyte of objects. */
const MAX_VALUES = 1_000_000;

/** @throws UpstreamError with the media type and the length of a text that is not JSON. */
export function parseJson(answer: TypedText): unknown {
  const { text } = answer;
  const { values, depth } = measureJson(text);
  if (values > MAX_VALUES) throw new UpstreamError(`JSON of more than ${MAX_VALUES} values`);
  if (depth > MAX_DEPTH) throw new UpstreamError(`JSON of more than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(notIn("JSON", answer) + (isCut(text, error) ? ", and it breaks off" : ""), {
      cause: error,
    });
  }
}

/** True if the parser has met nothing wrong but the end. */
function isCut(text: string, error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  const [, at = message.includes("end of JSON input") ? text.length : 0] = /at position (\d+)/.exec(message) ?? [];
  return text.trim() !== "" && Number(at) >= text.trimEnd().length;
}

/** A reader of JSON documents of one shape; `expected` is the document in words. */
export function jsonReader<T extends z.ZodType>(shape: T, expected: string): (text: TypedText) => z.infer<T> {
  return (text) => checkShape(shape, parseJson(text), expected);
}
