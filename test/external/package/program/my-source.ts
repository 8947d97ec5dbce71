// A vendor's own source, as written beside the settings.
import { defineSource, type PlansResponse } from "vitrine";

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

export default defineSource(({ names, log }) => {
  log(`asked for ${names.join(" and ")}`);
  return { plans };
});
