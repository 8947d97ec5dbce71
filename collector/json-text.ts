// JSON as an upstream sends it.
import type { TypedText } from "./fetch.ts";
import { UpstreamError } from "./source.ts";

/** @throws UpstreamError naming the media type and the length of what is not JSON. */
export function parseJson({ text, type, bytes }: TypedText): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}
