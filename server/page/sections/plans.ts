// The plans, with a billing-cycle switch that needs no script: the page contains the prices of every cycle, and the
// style sheet shows those of the selected one.
import type { BillingCycle, Plan, PlansResponse } from "../../../snapshots/schema.ts";
import { KEY } from "../../../snapshots/rules.ts";
import { html, markdown, markdownTable, trusted, type Html, type Markdown } from "../markup.ts";
import { freshnessAttributes, isUnavailable, freshnessNote, unavailableText, type Section } from "../components.ts";
import type { View } from "../view.ts";
import { count, cycleTitle, dateTime, money, period } from "../../format.ts";

export function plansSection({ facts, totals, index }: View): Section {
  const heading = { id: "plans", title: "Plans" };
  if (isUnavailable(facts.plans)) {
    const text = unavailableText(facts.plans);
    return { ...heading, html: html`<p class="unavailable">${text}</p>`, markdown: markdown`${text}` };
  }
  const { payload, freshUntil } = facts.plans;
  const { plans, cycles } = payload;
  const more = (totals?.plans ?? 0) - plans.length;
  return {
    ...heading,
    html: html`<div class="facts" ${freshnessAttributes(freshUntil)}>
        ${cycles.length > 0 && cycleSwitch(cycles)}
        ${
          plans.length === 0
            ? html`<p>No plans are listed.</p>`
            : html`<ul class="plans">
                ${plans.map((plan) => row(plan, cycles, payload))}
              </ul>`
        }
        ${more > 0 && html`<p>And ${count(more, "more plan")}: <a href="${index.endpoints.plans}">all of them in the API</a>.</p>`}
      </div>
      ${freshnessNote(freshUntil)}`,
    markdown: markdown`${plans.length === 0 ? "No plans are listed." : table(plans, cycles, payload)}
${more > 0 && markdown`\nAnd ${count(more, "more plan")}: ${trusted<"markdown">(`<${index.endpoints.plans}>`)}\n`}
Fresh until ${dateTime(freshUntil)}.`,
  };
}

/** CSS rules by which each radio button shows the prices of its cycle. */
export function cycleRules({ facts: { plans } }: View): string {
  if (isUnavailable(plans)) return "";
  // Any other key could end the style element.
  const keys = plans.payload.cycles.flatMap(({ key }) => (KEY.test(key) ? [key] : []));
  const rules = keys.map((key) => `#plans:has([value="${key}"]:checked) [data-cycle="${key}"]{display:block}`);
  return rules.length === 0 ? "" : `@supports selector(:has(a)){[data-cycle]{display:none}${rules.join("")}}`;
}

function cycleSwitch(cycles: readonly BillingCycle[]): Html {
  const choices = cycles.map(
    (cycle, index) =>
      html`<label
        ><input type="radio" name="cycle" value="${cycle.key}" ${index === 0 && html`checked`} /><span
          >${cycleTitle(cycle, cycles)}${cycle.savingBadge !== null && cycle.savingBadge !== "" && html` <b>${cycle.savingBadge}</b>`}</span
        ></label
      >`,
  );
  return html`<fieldset class="switch">
    <legend>Billing</legend>
    ${choices}
  </fieldset>`;
}

function row(plan: Plan, cycles: readonly BillingCycle[], { currency }: PlansResponse): Html {
  const prices =
    cycles.length > 0
      ? cycles.map((cycle) => cyclePrice(plan, cycle, currency))
      : [price(plan.monthlyPrice, currency, "a month"), price(plan.annualPrice, currency, "a year")];
  return html`<li>
    <div>
      <h3>${plan.id}${plan.popular && html` <em>Recommended</em>`}</h3>
      <p>${credits(plan)}</p>
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

function credits({ creditsMonthly }: Plan): string {
  return creditsMonthly === null ? "Credits not listed" : `${count(creditsMonthly, "credit")} a month`;
}

function table(plans: readonly Plan[], cycles: readonly BillingCycle[], { currency }: PlansResponse): Markdown {
  const heads = cycles.map((cycle) => [cycleTitle(cycle, cycles), cycle.savingBadge].filter(Boolean).join(" "));
  const cells = (plan: Plan) => {
    if (cycles.length === 0) return [money(plan.monthlyPrice, currency), money(plan.annualPrice, currency)];
    return cycles
      .map(({ key }) => priceOf(plan.prices, key))
      .map((amount) => (amount === undefined ? "–" : money(amount, currency)));
  };
  return markdownTable(
    ["Plan", ...(cycles.length === 0 ? ["A month", "A year"] : heads), "Credits"],
    plans.map((plan) => [`${plan.id}${plan.popular ? " (recommended)" : ""}`, ...cells(plan), credits(plan)]),
  );
}
