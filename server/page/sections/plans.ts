// The plans, with a billing-cycle switch that needs no script: the page contains the prices of every cycle, and the
// style sheet shows those of the selected one.
import type { BillingCycle, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { KEY } from "../../../snapshots/rules.ts";
import { html, markdown, markdownTable, trusted, type Html, type Markdown } from "../markup.ts";
import {
  freshnessAttributes,
  isUnavailable,
  staleNote,
  switchBetween,
  switchRules,
  unavailableText,
  type Section,
} from "../components.ts";
import type { View } from "../view.ts";
import { count, cycleTitle, dateTime, money, period } from "../../format.ts";

export function plansSection({ facts, morePlans, index }: View): Section {
  const heading = { id: "plans", title: "Plans" };
  if (isUnavailable(facts.plans)) {
    const text = unavailableText(facts.plans);
    return { ...heading, html: html`<p class="unavailable">${text}</p>`, markdown: markdown`${text}` };
  }
  const { payload, freshUntil } = facts.plans;
  const { plans, cycles } = payload;
  const more = count(morePlans, "more plan");
  return {
    ...heading,
    html: html`<div class="facts" ${freshnessAttributes(freshUntil)}>
        ${cycles.length > 1 && cycleSwitch(cycles)}
        ${
          plans.length === 0
            ? html`<p>No plans are listed.</p>`
            : html`<ul class="plans">
                ${plans.map((plan) => row(plan, payload))}
              </ul>`
        }
        ${morePlans > 0 && html`<p>And ${more}: <a href="${index.endpoints.plans}">all of them in the API</a>.</p>`}
      </div>
      ${staleNote(freshUntil)}`,
    markdown: markdown`${plans.length === 0 ? "No plans are listed." : table(payload)}
${morePlans > 0 && markdown`\nAnd ${more}: ${trusted<"markdown">(`<${index.endpoints.plans}>`)}\n`}
Fresh until ${dateTime(freshUntil)}.`,
  };
}

/** CSS rules by which the prices of the chosen cycle are shown. */
export function cycleRules({ facts: { plans } }: View): string {
  if (isUnavailable(plans) || plans.payload.cycles.length < 2) return "";
  // Any other key could end the style element.
  return switchRules(
    "plans",
    "cycle",
    plans.payload.cycles.flatMap(({ key }) => (KEY.test(key) ? [key] : [])),
  );
}

function cycleSwitch(cycles: readonly BillingCycle[]): Html {
  return switchBetween(
    "cycle",
    "Billing",
    cycles.map((cycle) => ({
      value: cycle.key,
      label: html`${cycleTitle(cycle, cycles)}${cycle.savingBadge !== null && cycle.savingBadge !== "" && html` <b dir="auto">${cycle.savingBadge}</b>`}`,
    })),
  );
}

function row(plan: Plan, { cycles, currency, plans }: PlansResponse): Html {
  const prices =
    cycles.length > 0
      ? cycles.map((cycle) => cyclePrice(plan, cycle, currency))
      : [price(plan.monthlyPrice, currency, "a month"), price(plan.annualPrice, currency, "a year")];
  return html`<li>
    <div>
      <h3><bdi>${plan.id}</bdi>${plan.popular && html` <em>Recommended</em>`}</h3>
      ${listsCredits(plans) && html`<p>${credits(plan)}</p>`}
    </div>
    <p class="price">${prices}</p>
  </li>`;
}

function cyclePrice({ prices }: Plan, { key, durationMonths }: BillingCycle, currency: string): Html {
  const amount = priceOf(prices, key);
  const text =
    amount === undefined ? html`<b>–</b> <span>not listed</span>` : price(amount, currency, period(durationMonths));
  return html`<span data-cycle="${key}">${text}</span>`;
}

function price(amount: number, currency: string, words: string): Html {
  return html`<b>${money(amount, currency)}</b> <span>${words}</span>`;
}

/** Also undefined for a key such as `constructor`. */
function priceOf(prices: Plan["prices"], key: string): number | undefined {
  return Object.hasOwn(prices, key) ? prices[key] : undefined;
}

function listsCredits(plans: readonly Plan[]): boolean {
  return plans.some(({ creditsMonthly }) => creditsMonthly !== null);
}

function credits({ creditsMonthly }: Plan): string {
  return creditsMonthly === null ? "Credits not listed" : `${count(creditsMonthly, "credit")} a month`;
}

function table({ plans, cycles, currency }: PlansResponse): Markdown {
  const hasCredits = listsCredits(plans);
  const heads = cycles.map((cycle) => [cycleTitle(cycle, cycles), cycle.savingBadge].filter(Boolean).join(" "));
  const cells = (plan: Plan) => {
    if (cycles.length === 0) return [money(plan.monthlyPrice, currency), money(plan.annualPrice, currency)];
    return cycles
      .map(({ key }) => priceOf(plan.prices, key))
      .map((amount) => (amount === undefined ? "–" : money(amount, currency)));
  };
  return markdownTable(
    ["Plan", ...(cycles.length === 0 ? ["A month", "A year"] : heads), ...(hasCredits ? ["Credits"] : [])],
    plans.map((plan) => [
      `${plan.id}${plan.popular ? " (recommended)" : ""}`,
      ...cells(plan),
      ...(hasCredits ? [credits(plan)] : []),
    ]),
  );
}
