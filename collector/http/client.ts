// The HTTP client of fetch.ts, which imports this file on first use: undici is larger than the rest of the collector,
// and `file` sources never need it. (In the bundle, a dynamic import of undici, which is CommonJS, has no named
// exports.)
import { Agent, request } from "undici";
import { lookupElsewhere } from "./own-address.ts";

export { request };

// Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is 0.
const CONNECT = { rejectUnauthorized: true, timeout: 10_000 };
const OPTIONS = {
  // Disabled, because fetch.ts has one deadline for the whole answer, which may be longer.
  headersTimeout: 0,
  bodyTimeout: 0,
  pipelining: 0,
};

export const dispatcher = new Agent({ ...OPTIONS, connect: CONNECT });
/** For redirects to another host. It has connections of its own, none of them to this computer. */
export const elsewhereDispatcher = new Agent({ ...OPTIONS, connect: { ...CONNECT, lookup: lookupElsewhere } });
