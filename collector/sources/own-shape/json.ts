// Source `json`: a service that answers in Vitrine's own shape, somewhere in its JSON.
import * as z from "zod";
import { ownSchedule } from "../../settings/cron.ts";
import { fetchFeed } from "../fetch-document.ts";
import { ownCandidate } from "./read.ts";
import { requestHeaders, requestTimeout, upstreamUrl } from "../../http/request-settings.ts";
import { secretHeaders } from "../../http/secrets.ts";
import type { Source, SourceContext } from "../../source.ts";

export const JsonSettings = z
  .strictObject({
    from: z.literal("json"),
    url: upstreamUrl.describe("Address of the JSON document: https, or http on this computer"),
    headers: requestHeaders.optional(),
    pick: z
      .string()
      .regex(/^(\/.*)?$/, "must start with /, such as /data/plans")
      .optional()
      .describe("JSON Pointer (RFC 6901) to the part of the document that is in Vitrine's own shape"),
    timeout: requestTimeout,
    schedule: ownSchedule,
  })
  .describe("A JSON document by URL, in Vitrine's own shape");

type Settings = z.infer<typeof JsonSettings>;

export function openJson(settings: Settings, { names, environment, standIns }: SourceContext): Source {
  const headers = { accept: "application/json", ...secretHeaders(settings.headers ?? {}, environment) };
  return {
    kind: "json",
    names,
    async fetch({ signal, validators }) {
      const wanted = { names, at: { pointer: settings.pick ?? "" } };
      const options = { signal, validators, headers, standIns, deadline: settings.timeout, wanted };
      const fetched = await fetchFeed("own-shape", settings.url, options);
      return fetched === "unchanged" ? fetched : { upstream: fetched.feed, validators: fetched.validators };
    },
    translate: ownCandidate,
  };
}
