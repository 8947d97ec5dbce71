// The tests that a handler cannot pass, each with the reason.
import type { RuntimeName } from "../runtimes.ts";

export interface LeftOut {
  /** Of the test's file and its name with those of its groups. */
  pattern: RegExp;
  /** By default all. */
  on?: readonly RuntimeName[];
  reason: string;
}

const COMPRESSION = "the platform compresses";
const SOCKET = "the platform reads requests";
const TARGET = "targets that are no URL are refused";
const CHUNKS = "a long MCP answer is sent in chunks";
const NO_VALUE = "headers without a value are dropped";
const POLL = "nothing is read without a request";
const PROGRAM = "needs no server, or the whole program";

const LEFT_OUT: readonly LeftOut[] = [
  { pattern: /semantics.* (br|gzip|identity|one) is chosen/, reason: COMPRESSION },
  { pattern: /semantics.* each gives the same text under its own etag/, reason: COMPRESSION },
  { pattern: /semantics.* parts of Accept-Encoding beyond the hundredth/, reason: COMPRESSION },
  { pattern: /semantics.* and of several, that of the 200/, reason: COMPRESSION },
  { pattern: /semantics.* and the etag stay when the facts are only confirmed/, reason: COMPRESSION },
  {
    pattern: /semantics.* (bytes and etags are the same after a restart|in every time zone of the server)/,
    reason: PROGRAM,
  },
  { pattern: /page .*each form and encoding with an ETag of its own/, reason: COMPRESSION },
  { pattern: /page .*gets the demo's page in less than 12 KiB/, reason: COMPRESSION },
  { pattern: /atom-feed .*its body and ETag change with each change/, reason: COMPRESSION },
  { pattern: /shared-snapshots .*they are the bytes of the store, in every encoding/, reason: COMPRESSION },
  { pattern: /openapi .*, (malformed|with long headers) /, reason: SOCKET },
  { pattern: /notices .*<b>marker/, on: ["workerd"], reason: TARGET },
  { pattern: /semantics .*are answered with 200: and do not name/, on: ["workerd"], reason: NO_VALUE },
  { pattern: /batches .*each message is answered as it would be alone/, on: ["Bun", "workerd"], reason: CHUNKS },
  { pattern: /large .*a damaged one is reported/, reason: POLL },
];

export function leftOutOn(runtime: RuntimeName): LeftOut[] {
  return LEFT_OUT.filter(({ on }) => on?.includes(runtime) ?? true);
}
