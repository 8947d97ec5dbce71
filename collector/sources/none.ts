// Source `none`: the vendor has no plans, or no release for a platform: facts that need no upstream.
import * as z from "zod";
import { NO_CURRENCY } from "../../snapshots/rules.ts";
import { PlansResponse } from "../../snapshots/schema.ts";
import { sourceKind } from "../source.ts";

export const none = sourceKind({
  settings: z
    .strictObject({
      from: z.literal("none"),
      currency: PlansResponse.shape.currency.optional().describe("Only for plans; by default XXX, no currency"),
    })
    .describe('No plans, or no release for the platform; `"plans": "none"` or `"macos": "none"` is short for it'),
  open({ currency = NO_CURRENCY }, { names }) {
    if (currency !== NO_CURRENCY && !names.includes("plans")) throw new Error("a release has no currency: remove it");
    const plans = { payload: { currency, cycles: [], plans: [] }, dropped: 0 };
    const release = { payload: { hasUpdate: false }, dropped: 0, skipped: [] };
    return {
      kind: "none",
      names,
      fetch: () => Promise.resolve({ upstream: null }),
      translate: (_, name) => (name === "plans" ? plans : release),
    };
  },
});
