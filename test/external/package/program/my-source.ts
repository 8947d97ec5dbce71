// A vendor's own program, as written beside the settings.
import type { PlansResponse } from "vitrine";

const plans: PlansResponse = {
  currency: "EUR",
  cycles: [{ key: "monthly", durationMonths: 1, labelKey: "cycle.monthly", savingBadge: null }],
  plans: [
    {
      id: "solo",
      popular: true,
      prices: { monthly: 5 },
      monthlyPrice: 5,
      annualPrice: 50,
      creditsMonthly: null,
    },
  ],
};

process.stdout.write(JSON.stringify(plans));
