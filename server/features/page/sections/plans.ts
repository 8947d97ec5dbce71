// The plans, with a billing-cycle switch that needs no script: the page contains the prices of every cycle, and the
// style sheet shows those of the selected one.
import type { BillingCycle, Plan, PlanNames, PlansResponse } from "../../../../snapshots/schema.ts";
import { KEY } from "../../../../snapshots/rules.ts";
import {
  freshnessAttributes,
  html,
  markdown,
  markdownTable,
  planName,
  staleNote,
  switchBetween,
  switchRules,
  trusted,
  type Html,
  type Markdown,
  type Section,
} from "../markup.ts";
import { unavailableText, type View } from "../view.ts";
import { count, cycleTitle, dateTime, isFree, money, period, WORDS } from "../../../format.ts";

/** Undefined for a vendor without plans. */
export function plansSection({ facts, hasPlans, morePlans, index }: View): Section | undefined {
  if (!hasPlans) return undefined;
  const heading = { id: "plans", title: "Plans" };
  if (facts.plans.state !== "fresh") {
    const text = unavailableText(facts.plans);
    return { ...heading, html: html`<p class="unavailable">${text}</p>`, markdown: markdown`${text}` };
  }
  const { payload, names, freshUntil } = facts.plans;
  const { plans, cycles } = payload;
  const more = count(morePlans, "more plan");
  return {
    ...heading,
    html: html`<div class="facts" ${freshnessAttributes(freshUntil)}>
        ${cycles.length > 1 && cycleSwitch(cycles)}
        <ul class="plans">
          ${plans.map((plan) => row(plan, payload, names))}
        </ul>
        ${morePlans > 0 && html`<p>And ${more}: <a href="${index.endpoints.plans}">all of them in the API</a>.</p>`}
      </div>
      ${staleNote(freshUntil)}`,
    markdown: markdown`${table(payload, names)}
${morePlans > 0 && markdown`\nAnd ${more}: ${trusted<"markdown">(`<${index.endpoints.plans}>`)}\n`}
Fresh until ${dateTime(freshUntil)}.`,
  };
}

/** CSS rules by which the prices of the chosen cycle are shown. */
export function cycleRules({ facts: { plans } }: View): string {
  if (plans.state !== "fresh" || plans.payload.cycles.length < 2) return "";
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

function row(plan: Plan, { cycles, currency, plans }: PlansResponse, names: PlanNames = {}): Html {
  const { title, isStated, line, buy } = planName(plan.id, names);
  const prices =
    cycles.length > 0
      ? cycles.map((cycle) => cyclePrice(plan, cycle, currency))
      : [
          html`<span class="each">${price(plan.monthlyPrice, currency, "a month")}</span>`,
          html`<span class="each">${price(plan.annualPrice, currency, "a year")}</span>`,
        ];
  return html`<li>
    <div>
      <h3>
        <bdi ${!isStated && html`class="id"`}>${title}</bdi>${plan.popular && html` <em>${WORDS.recommended}</em>`}
      </h3>
      ${line !== undefined && html`<p dir="auto">${line}</p>`} ${listsCredits(plans) && html`<p>${credits(plan)}</p>`}
    </div>
    <p class="price">${prices}</p>
    ${buy && html`<a class="button buy" href="${buy}">${isFree(plan) ? WORDS.get : WORDS.buy}<span class="away"> ${title}</span></a>`}
  </li>`;
}

function cyclePrice({ prices }: Plan, { key, durationMonths }: BillingCycle, currency: string): Html {
  const amount = priceOf(prices, key);
  const text =
    amount === undefined
      ? html`<b>–</b> <span>${WORDS.notListed}</span>`
      : price(amount, currency, period(durationMonths));
  return html`<span data-cycle="${key}">${text}</span>`;
}

function price(amount: number, currency: string, words: string): Html {
  return html`<b>${money(amount, currency)}</b> <span>${words}</span>`;
}

/** The result is undefined also for a key such as `constructor`. */
function priceOf(prices: Plan["prices"], key: string): number | undefined {
  return Object.hasOwn(prices, key) ? prices[key] : undefined;
}

function listsCredits(plans: readonly Plan[]): boolean {
  return plans.some(({ creditsMonthly }) => creditsMonthly !== null);
}

function credits({ creditsMonthly }: Plan): string {
  return creditsMonthly === null ? "Credits not listed" : `${count(creditsMonthly, "credit")} a month`;
}

function table({ plans, cycles, currency }: PlansResponse, names: PlanNames = {}): Markdown {
  const named = plans.map((plan) => ({ plan, ...planName(plan.id, names) }));
  const isSold = named.some(({ buy }) => buy !== undefined);
  const hasCredits = listsCredits(plans);
  const heads = cycles.map((cycle) => [cycleTitle(cycle, cycles), cycle.savingBadge].filter(Boolean).join(" "));
  const cells = (plan: Plan) => {
    if (cycles.length === 0) return [money(plan.monthlyPrice, currency), money(plan.annualPrice, currency)];
    return cycles
      .map(({ key }) => priceOf(plan.prices, key))
      .map((amount) => (amount === undefined ? "–" : money(amount, currency)));
  };
  return markdownTable(
    [
      "Plan",
      ...(cycles.length === 0 ? ["A month", "A year"] : heads),
      ...(hasCredits ? ["Credits"] : []),
      ...(isSold ? ["Buy"] : []),
    ],
    named.map(({ plan, title, line, buy }) => [
      `${title}${line === undefined ? "" : `: ${line}`}${plan.popular ? " (recommended)" : ""}`,
      ...cells(plan),
      ...(hasCredits ? [credits(plan)] : []),
      ...(isSold ? [buy === undefined ? "" : trusted<"markdown">(`<${buy}>`)] : []),
    ]),
  );
}
