// The facts in the examples of the OpenAPI document. They are invented, so that they are not taken for the vendor's.
import type { LatestReleaseResponse, PlansResponse } from "../../snapshots/schema.ts";

export const PLANS: PlansResponse = {
  currency: "USD",
  cycles: [
    { key: "monthly", durationMonths: 1, labelKey: "billing.monthly", savingBadge: null },
    { key: "annual", durationMonths: 12, labelKey: "billing.annual", savingBadge: "-17%" },
  ],
  plans: [
    {
      id: "pro",
      popular: true,
      prices: { monthly: 24, annual: 239 },
      monthlyPrice: 24,
      annualPrice: 239,
      creditsMonthly: 2000,
    },
  ],
};

export const RELEASE: LatestReleaseResponse = {
  hasUpdate: true,
  forceUpdate: false,
  latest: {
    platform: "macos",
    version: "4.2.1",
    changelog: "- Search finds words inside scanned pages.",
    downloadURL: "https://downloads.example.com/app-4.2.1.dmg",
    size: "104211334",
    date: "2026-11-12",
  },
};

export const NO_RELEASE: LatestReleaseResponse = { hasUpdate: false };
