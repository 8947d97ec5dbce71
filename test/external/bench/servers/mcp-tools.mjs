// Shared by the MCP peers: the facts of their answers, taken from Vitrine, and the tools described in zod, as the libraries'
// documentation shows it.
import { readFileSync } from "node:fs";
import * as z from "zod";

/** `plans` and `release`: the tools' answers. `texts`: Markdown by URI. `answers`: Vitrine's answers by task. */
export const { plans, release, texts, answers } = JSON.parse(readFileSync(process.argv[2], "utf8"));

export const SERVER = { name: "peer", version: "1.0.0" };

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const cycle = {
  key: z.string().describe("Cycle identifier"),
  durationMonths: z.number().int().min(1).describe("Length of the cycle in months"),
  labelKey: z.string().describe("Label identifier, for the reader's own translations"),
  savingBadge: z.string().nullable().describe("Text of a badge; null when none applies"),
};
const plan = {
  id: z.string().describe("Plan identifier"),
  popular: z.boolean().describe("True for a plan that the vendor recommends"),
  prices: z.record(z.string(), z.number().min(0)).describe("Prices in major units of the currency"),
  monthlyPrice: z.number().min(0).describe("Price by the month, in major units of the currency"),
  annualPrice: z.number().min(0).describe("Price by the year, in major units of the currency"),
  creditsMonthly: z.number().int().min(0).nullable().describe("Credits granted each month; null when not listed"),
};
const latest = {
  platform: z.enum(["macos", "windows"]).describe("Platform of the installer"),
  version: z.string().describe("Release version, as the vendor writes it"),
  changelog: z.string().describe("What changed, in the vendor's words"),
  downloadURL: z.string().describe("Where the installer is downloaded"),
  size: z.string().describe("Installer size in bytes; empty when unknown"),
  date: z.string().describe("Release date as the vendor supplies it"),
};

/** Shapes rather than schemas, because the libraries differ in which they take. */
export const TOOLS = {
  get_pricing: {
    title: "Get pricing",
    description: "The current subscription plans with billing cycles, prices and monthly credits.",
    input: {},
    output: {
      currency: z.string().describe("Currency of all prices"),
      cycles: z.array(z.object(cycle)),
      plans: z.array(z.object(plan)),
    },
    annotations: READ_ONLY,
    call: () => resultOf(plans),
  },
  get_latest_version: {
    title: "Get latest version",
    description: "The latest desktop release of a platform, or the fact that none is published (hasUpdate: false).",
    input: {
      platform: z.enum(["macos", "windows"]).optional().describe("Platform of the release; macos if not given"),
    },
    output: {
      hasUpdate: z.boolean(),
      forceUpdate: z.boolean().optional(),
      latest: z.object(latest).optional(),
    },
    annotations: READ_ONLY,
    call: () => resultOf(release),
  },
};

function resultOf(payload) {
  return { content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload };
}
