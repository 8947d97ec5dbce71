// One responder behind the express lane, the request listener and the h3 app: the same request gets the same answer
// from all three.
import type { Answer, RequestHeaders } from "../answers/answer.ts";

/** The answers of an address that takes messages. */
export interface Posting {
  path: string;
  /** The answer to POST. `readBody`: returns undefined for a body longer than MAX_BODY_BYTES; rejects when it breaks off. */
  answer(headers: RequestHeaders, readBody: () => Promise<Uint8Array | undefined>): Promise<Answer>;
  /** The same answer if it can be given without waiting. */
  answerSync(headers: RequestHeaders, body: Uint8Array): Answer | undefined;
}

/** Gets the labels of a call in a message: from closed sets, so clients cannot add any. */
export type OnCall = (call: { method: string; tool: string }) => void;

export interface Responder {
  /** The answer to GET of a target, 304 and 502 included; undefined unless the target is known exactly as written. */
  read(target: string, headers: RequestHeaders): Answer | undefined;
  /** Undefined until it is loaded, and without a feature that has one. */
  readonly posting: Posting | undefined;
}
