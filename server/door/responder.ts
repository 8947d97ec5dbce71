// One responder behind the express lane, the request listener and the h3 app: the same request gets the same answer
// from all three.
import type { Answer, RequestHeaders } from "../answers/answer.ts";
import type { Table } from "../answers/table.ts";
import { answerMessage, answerMessageSync, type McpEndpoint } from "../features/mcp/http.ts";

export interface Responder {
  /** The answer to GET of a target, 304 and 502 included; undefined unless the target is known exactly as written. */
  read(target: string, headers: RequestHeaders): Answer | undefined;
  /** The answer to POST /mcp. `readBody`: returns undefined for a body longer than MAX_MESSAGE_BYTES. */
  message(headers: RequestHeaders, readBody: () => Promise<Uint8Array | undefined>): Promise<Answer>;
  /** The same answer if it can be given without waiting. */
  messageSync(headers: RequestHeaders, body: Uint8Array): Answer | undefined;
}

export function createResponder(table: Table, mcp: McpEndpoint): Responder {
  return {
    read: (target, headers) => table.answer(target, headers),
    message: (headers, readBody) => answerMessage(mcp, headers, readBody),
    messageSync: (headers, body) => answerMessageSync(mcp, headers, body),
  };
}
