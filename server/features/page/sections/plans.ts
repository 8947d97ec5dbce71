// The plans, with a billing-cycle switch that needs no script: the page contains the prices of every cycle, and the
// style sheet shows those of the selected one.
import type { PlanNames } from "../../../../snapshots/schema.ts";
import { KEY } from "../../../../snapshots/rules.ts";
import { count, dateTime, money, period } from "../../words/words.ts";
import { plansInWords, type CycleInWords, type PlanInWords, type Wording } from "../../words/offers.ts";
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

const WORDS = {
  buy: "Buy",
  get: "Get",
  "not-listed": "not listed",
  recommended: "Recommended",
  "at-monthly-price": "12 months at the monthly price",
  "billed-yearly": "a month, billed yearly",
};
const ENGLISH: Wording = {
  say: (word) => WORDS[word],
  money,
  period,
  rhythm: () => undefined,
  credits: (amount) => `${count(amount, "credit")} a month`,
};

type NamedPlan = ReturnType<typeof named>[number];

function named(plans: readonly PlanInWords[], names: PlanNames | undefined) {
  return plans.map((plan) => ({ ...plan, ...planName(plan.id, names) }));
}

/** Undefined for a vendor without plans. */
export function plansSection({ facts, hasPlans, morePlans, index }: View): Section | undefined {
  if (!hasPlans) return undefined;
  const heading = { id: "plans", title: "Plans" };
  if (facts.plans.state !== "fresh") {
    const text = unavailableText(facts.plans);
    return { ...heading, html: html`<p class="unavailable">${text}</p>`, markdown: markdown`${text}` };
  }
  const { payload, names, freshUntil } = facts.plans;
  const { cycles, ...words } = plansInWords(payload, ENGLISH, names);
  const plans = named(words.plans, names);
  const more = count(morePlans, "more plan");
  return {
    ...heading,
    html: html`<div class="facts" ${freshnessAttributes(freshUntil)}>
        ${cycles.length > 1 && cycleSwitch(cycles)}
        <ul class="plans">
          ${plans.map((plan) => row(plan, cycles))}
        </ul>
        ${morePlans > 0 && html`<p>And ${more}: <a href="${index.endpoints.plans}">all of them in the API</a>.</p>`}
      </div>
      ${staleNote(freshUntil)}`,
    markdown: markdown`${table(plans, cycles)}
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

function cycleSwitch(cycles: readonly CycleInWords[]): Html {
  return switchBetween(
    "cycle",
    "Billing",
    cycles.map(({ key, title, savingBadge }) => ({
      value: key,
      label: html`${title}${savingBadge !== null && savingBadge !== "" && html` <b dir="auto">${savingBadge}</b>`}`,
    })),
  );
}

function row(plan: NamedPlan, cycles: readonly CycleInWords[]): Html {
  const { title, isStated, line, buy, credits, take, offers } = plan;
  const prices = offers.map((some, at) =>
    some.map(([amount, period]) => {
      const attribute = cycles[at] ? html`data-cycle="${cycles[at].key}"` : html`class="each"`;
      return html`<span ${attribute}><b>${amount}</b> <span>${period}</span></span>`;
    }),
  );
  return html`<li ${plan.popular && html`class="popular"`}>
    <div>
      <h3>
        <bdi ${!isStated && html`class="id"`}>${title}</bdi>${plan.popular && html` <em>${WORDS.recommended}</em>`}
      </h3>
      ${line !== undefined && html`<p dir="auto">${line}</p>`} ${credits !== undefined && html`<p>${credits}</p>`}
    </div>
    <p class="price">${prices}</p>
    ${buy && html`<a class="button buy" href="${buy}">${take}<span class="away"> ${title}</span></a>`}
  </li>`;
}

function table(plans: readonly NamedPlan[], cycles: readonly CycleInWords[]): Markdown {
  const isSold = plans.some(({ buy }) => buy !== undefined);
  const hasCredits = plans.some(({ credits }) => credits !== undefined);
  const heads = cycles.map(({ title, savingBadge }) => [title, savingBadge].filter(Boolean).join(" "));
  return markdownTable(
    [
      "Plan",
      ...(cycles.length === 0 ? ["A month", "A year"] : heads),
      ...(hasCredits ? ["Credits"] : []),
      ...(isSold ? ["Buy"] : []),
    ],
    plans.map(({ title, line, buy, popular, offers, credits }) => [
      `${title}${line === undefined ? "" : `: ${line}`}${popular ? " (recommended)" : ""}`,
      ...offers.flat().map(([amount, , remark]) => (remark === undefined ? amount : `${amount} (${remark})`)),
      ...(hasCredits ? [credits ?? "not listed"] : []),
      ...(isSold ? [buy === undefined ? "" : trusted<"markdown">(`<${buy}>`)] : []),
    ]),
  );
}
