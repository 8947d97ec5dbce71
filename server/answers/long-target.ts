// The limit of a request's target: path and query.
import { error } from "./answer.ts";

/** In characters. */
export const MAX_TARGET_LENGTH = 2_048;

export const LONG_TARGET = error(414, `The request target is longer than ${MAX_TARGET_LENGTH} characters.`);
