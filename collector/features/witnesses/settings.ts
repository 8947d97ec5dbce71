// The setting `crossChecks`: sources and pages that are asked for facts from elsewhere, to compare them.
import * as z from "zod";
import { requestTimeout, upstreamUrl } from "../../http/request.ts";
import type { KindSettings } from "../../source.ts";

const facts = z
  .array(z.literal(["plans", "macos", "windows"]))
  .min(1, "must name at least one of plans, macos and windows")
  .refine((facts) => new Set(facts).size === facts.length, "must not repeat a name")
  .describe("What it is asked for: plans, macos, windows");
const ownFields = {
  facts: facts
    .refine((facts) => facts.length === 1 || !facts.includes("plans"), "give the plans a cross-check of their own")
    .describe("What it is asked for: plans; or macos, windows or both"),
  schedule: z.never("goes: a cross-check is asked after a change, daily, and while it disagrees").optional(),
};

/** The settings of a source that is asked for facts from elsewhere. */
export function withFacts(settings: KindSettings) {
  return settings.safeExtend(ownFields);
}

/** A public page of the vendor's that is searched for the published prices and versions. */
export const PageSettings = z
  .strictObject({
    from: z.literal("page").default("page").describe("May be left out"),
    facts,
    page: upstreamUrl.describe("URL of a public page that shows the prices or versions"),
    timeout: requestTimeout,
  })
  .meta({ id: "page" });
export type PageSettings = z.infer<typeof PageSettings>;
