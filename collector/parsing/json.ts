// JSON as an upstream sends it: whole, and no more of it than can be read in bounded memory.
import type { TypedText } from "../http/fetch.ts";
import { UpstreamError } from "../http/upstream-error.ts";

/** Megabytes of `{},{},{}` or `[[[[` would become a gigabyte of objects. */
const MAX_VALUES = 1_000_000;

/** @throws UpstreamError naming the media type and the length of what is not JSON. */
export function parseJson({ text, type, bytes }: TypedText): unknown {
  // Each value takes two characters: only a long text can have too many.
  if (text.length > MAX_VALUES && countValues(text) > MAX_VALUES) {
    throw new UpstreamError(`JSON of more than ${MAX_VALUES} values`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}

const [QUOTE, BACKSLASH, ...BEFORE_VALUES] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/** How many values begin in a JSON text; of any other text, some number. */
function countValues(text: string): number {
  let count = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isString = !isString;
    else if (isString) at += Number(sign === BACKSLASH);
    else if (BEFORE_VALUES.includes(sign)) count++;
  }
  return count;
}
