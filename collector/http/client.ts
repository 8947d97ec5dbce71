// The HTTP client of fetch.ts, in a file of its own because it is loaded late: it weighs more than the rest of the
// collector, and `file` sources never need it. (Imported late itself, undici, which is CommonJS, would have no names once
// it is bundled.)
import { Agent, request } from "undici";

export { request };

// TLS is checked whatever the environment says (NODE_TLS_REJECT_UNAUTHORIZED).
export const dispatcher = new Agent({
  connect: { rejectUnauthorized: true, timeout: 10_000 },
  // The deadline of the whole answer rules; these would cut a longer one short.
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 0,
});
