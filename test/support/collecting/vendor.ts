// An example vendor's documents: plans, and releases for both platforms in one document.
import type { PlansResponse, LatestReleaseResponse, Platform } from "../../../snapshots/schema.ts";
import { cycleOf, planOf } from "../snapshot.ts";

type AvailableRelease = Extract<LatestReleaseResponse, { hasUpdate: true }>;

export function vendorPlans(): PlansResponse {
  return {
    currency: "EUR",
    cycles: [
      cycleOf("monthly", 1, { labelKey: "cycle.monthly" }),
      cycleOf("yearly", 12, { labelKey: "cycle.yearly", savingBadge: "−20 %" }),
    ],
    plans: [
      { id: "hobby", popular: false, prices: {}, monthlyPrice: 0, annualPrice: 0, creditsMonthly: 50 },
      planOf("studio", { monthly: 12.5, yearly: 120 }, { popular: true, annualPrice: 120 }),
    ],
  };
}

export function vendorRelease(platform: Platform): AvailableRelease {
  return {
    hasUpdate: true,
    forceUpdate: false,
    latest: {
      platform,
      version: "3.1.0",
      changelog: "- Opens faster.\n- Größere Schrift.",
      downloadURL: `https://get.example.com/studio-${platform}.zip`,
      size: "88123904",
      date: "12 March 2026",
    },
  };
}

export function vendorReleases(): Record<Platform, AvailableRelease> {
  return { macos: vendorRelease("macos"), windows: vendorRelease("windows") };
}

/** Billing cycles in the settings of a payment provider. */
export const CYCLES = [
  { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null },
  { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" },
];
