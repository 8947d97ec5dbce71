// Source `json`: a service that answers in Vitrine's own shape, somewhere in its JSON.
import { z } from "zod";
import { isSafeUrl } from "../../snapshots/rules.ts";
import { duration } from "../duration.ts";
import { fetchText } from "../fetch.ts";
import { fromOwnShape } from "../own-shape.ts";
import { pick } from "../pointer.ts";
import { isHeaderValue, secretHeaders } from "../secrets.ts";
import { UpstreamError, type Source, type SourceContext } from "../source.ts";

/** Headers of framing, of the connection and of conditions: a vendor's own would break the request. */
const OURS = new Set(
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

export const JsonSettings = z
  .strictObject({
    from: z.literal("json"),
    url: z
      .string()
      .refine(
        (url) => URL.canParse(url) && isSafeUrl(new URL(url)),
        "must be an https URL without user name (http only on this computer)",
      )
      .describe("Address of the JSON document: https, or http on this computer"),
    headers: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z0-9-]{1,64}$/, "is not the name of a header")
          .refine((name) => !OURS.has(name.toLowerCase()), "is a header that Vitrine sets itself"),
        z
          .string()
          .regex(/^[\t\u0020-\u007e]{1,4096}$/, "must be 1 to 4096 printable ASCII characters")
          .refine(isHeaderValue, 'use "$NAME" or "Bearer $NAME" for an environment variable'),
      )
      .optional()
      .describe('Request headers; "$NAME" stands for the environment variable NAME, "Bearer $NAME" works too'),
    pick: z
      .string()
      .regex(/^(\/.*)?$/, "must start with /, such as /data/plans")
      .optional()
      .describe("JSON Pointer (RFC 6901) to the part of the document that is in Vitrine's own shape"),
    timeout: duration("30s", "10m").describe("Whole time for the answer, retries included"),
  })
  .describe("A JSON document by URL, in Vitrine's own shape");

export function openJson(settings: z.infer<typeof JsonSettings>, { names, environment }: SourceContext): Source {
  const headers = { accept: "application/json", ...secretHeaders(settings.headers ?? {}, environment) };
  return {
    kind: "json",
    names,
    async fetch({ signal, validators }) {
      const fetched = await fetchText(settings.url, { signal, validators, headers, deadline: settings.timeout });
      if (fetched === "unchanged") return "unchanged";
      return { upstream: parse(fetched), validators: fetched.validators };
    },
    translate: (upstream, name) => fromOwnShape(pick(upstream, settings.pick ?? ""), name, names),
  };
}

function parse({ text, type, bytes }: { text: string; type: string; bytes: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UpstreamError(`not JSON: ${type}, ${bytes} bytes`, { cause: error });
  }
}
