// One responder behind the express lane, the request listener and the h3 app: the same request gets the same answer
// from all three.
import type { TextAnswer } from "../answers/answer.ts";
import type { Preferences } from "../answers/negotiate.ts";
import type { PreparedResponse } from "../answers/prepared.ts";
import type { Table } from "../answers/table.ts";
import { answerMessage, answerMessageSync, type McpEndpoint, type MessageHeaders } from "../mcp/http.ts";

export interface Responder {
  /** The answer to GET of a target, 304 and 502 included; undefined unless the target is known exactly as written. */
  read(target: string, preferences: Preferences): PreparedResponse | undefined;
  /** The answer to POST /mcp. `readBody`: returns undefined for a body longer than MAX_MESSAGE_BYTES. */
  message(headers: MessageHeaders, readBody: () => Promise<Uint8Array | undefined>): Promise<TextAnswer>;
  /** The same answer if it can be given without waiting. */
  messageSync(headers: MessageHeaders, body: Uint8Array): TextAnswer | undefined;
}

export function createResponder(table: Table, mcp: McpEndpoint): Responder {
  return {
    read: (target, preferences) => table.answer(target, preferences),
    message: (headers, readBody) => answerMessage(mcp, headers, readBody),
    messageSync: (headers, body) => answerMessageSync(mcp, headers, body),
  };
}
