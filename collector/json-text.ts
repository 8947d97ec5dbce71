// JSON as an upstream sends it.
import { UpstreamError } from "./source.ts";

/** An answer's text with its media type, in known words, and its length in bytes. */
export interface TypedText {
  text: string;
  type: string;
  bytes: number;
}

/** @throws UpstreamError naming the media type and the length of what is not JSON. */
export function parseJson({ text, type, bytes }: TypedText): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}
