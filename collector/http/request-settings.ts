// The settings of a request to an upstream, shared by all sources that make requests.
import * as z from "zod";
import { isSafeUrl, parseUrl } from "../../snapshots/rules.ts";
import { duration } from "../settings/duration.ts";
import { isHeaderValue } from "./secrets.ts";

/** Headers of framing, the connection and conditions: values from the settings would break the request. */
const RESERVED_HEADERS = new Set(
  [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
  ].concat(["accept-encoding", "if-match", "if-modified-since", "if-none-match", "if-unmodified-since", "range"]),
);

/** A URL that a request may be sent to. */
export const requestUrl = z
  .string()
  .refine((text) => isSafeUrl(parseUrl(text)), "must be an https URL without user name (http only on this computer)");

/** Variables are replaced in headers only: in a URL the reference itself would be sent. */
export const upstreamUrl = requestUrl.refine(
  (text) => !/\$(?:[A-Za-z_]|\{)/.test(text),
  'must have no "$NAME", which is replaced in headers only; write %24 for a dollar sign',
);

/** The beginning of the URLs of an upstream's API. */
export const upstreamBase = upstreamUrl.refine((url) => !/[?#]/.test(url), "must have no query and no fragment");

export const requestHeaders = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, "is not a header name")
      .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), "is a header that Vitrine sets itself"),
    z
      .string()
      .regex(/^[\t\u0020-\u007e]{1,4096}$/, "must be 1 to 4096 printable ASCII characters")
      .refine(isHeaderValue, 'use "$NAME" or "Bearer $NAME" for an environment variable'),
  )
  .describe('Request headers; "$NAME" stands for the environment variable NAME, "Bearer $NAME" works too');

export const requestTimeout = duration("30s", "10m").describe("Time for the complete answer, retries included");

/** "$NAME" and nothing else, for settings that are a secret. */
export const secretName = z
  .string()
  .regex(/^\$[A-Za-z_][A-Za-z0-9_]*$/, 'use "$NAME" for an environment variable; secrets do not belong in this file');
