// Source `json`: a JSON document by URL, which is in Vitrine's own shape, has a part that is, or is read by `fields`.
import * as z from "zod";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import { ownSchedule } from "../../settings/cron.ts";
import type { Source, SourceContext } from "../../source.ts";
import { fetchDocument } from "../fetch-document.ts";
import { fields, requireMatchingFields } from "./field-settings.ts";
import { ownCandidate, ownShapeReader } from "./own-shape.ts";

export const JsonSettings = z
  .strictObject({
    from: z.literal("json"),
    url: upstreamUrl.describe("URL of the JSON document: https, or http on this computer"),
    headers: requestHeaders.optional(),
    pick: z
      .string()
      .regex(/^(\/.*)?$/, "must start with /, such as /data/plans")
      .optional()
      .describe("JSON Pointer (RFC 6901) to the part of the document to read; by default all of it"),
    fields,
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("A JSON document by URL, in Vitrine's own shape or any other");

export function openJson(
  { url, headers: given = {}, pick = "", fields, timeout: deadline }: z.infer<typeof JsonSettings>,
  { names, environment, standIns }: SourceContext,
): Source {
  requireMatchingFields(names, fields);
  const headers = { accept: "application/json", ...secretHeaders(given, environment) };
  const selection = { names, at: { pointer: pick, fields, url } };
  return {
    kind: "json",
    names,
    fetch: ({ signal, validators }) =>
      fetchDocument(ownShapeReader, url, { signal, validators, headers, standIns, deadline, selection }),
    translate: ownCandidate,
  };
}
