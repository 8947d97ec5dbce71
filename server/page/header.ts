// The top of the page: the product, its prices and latest versions, how fresh they are, and the addresses.
import type { LatestReleaseResponse, PlansResponse } from "../../snapshots/schema.ts";
import { freshness } from "./freshness.ts";
import { html, joined, markdown, trusted, type Html, type Markdown } from "./markup.ts";
import { copyButton, freshnessAttributes, type Section } from "./components.ts";
import type { PageFact, View } from "./view.ts";
import { count, money, PLATFORM_NAMES, vendorDate } from "../format.ts";

export function pageHeader(view: View, sections: readonly Section[]): { html: Html; markdown: Markdown } {
  const { index, logo } = view;
  const items = highlights(view);
  const fresh = freshness(view);
  return {
    html: html`<header>
      <nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
      ${logo !== undefined && html`<img src="${logo}" alt="" height="48" />`}
      <h1>${index.name}</h1>
      <p class="lead">${index.description}</p>
      <ul class="case">
        ${items.map(highlightItem)}
      </ul>
      ${fresh.html}
      <dl class="addresses">
        ${addresses(view).map(
          ({ id, title, url }) =>
            html`<div>
              <dt>${title}</dt>
              <dd><a id="${id}" href="${url}">${url}</a>${copyButton(id, `the ${title} address`)}</dd>
            </div>`,
        )}
      </dl>
    </header>`,
    markdown: markdown`# ${index.name}

${index.description}

${fresh.markdown}

${items.map(({ label, main, rest }) => markdown`- ${label}: **${main}**${rest !== "" && ` (${rest})`}\n`)}
${joined(
  addresses(view).map(({ title, url }) => markdown`- ${title}: ${trusted<"markdown">(`<${url}>`)}`),
  "\n",
)}`,
  };
}

/** An entry of the glass case: `main` is a word or two in large type, `rest` the line beneath. */
interface Highlight {
  href: string;
  label: string;
  main: string;
  rest: string;
  fact: PageFact<unknown>;
}

function highlights({ facts: { plans }, totals, releases }: View): Highlight[] {
  return [
    { href: "#plans", label: "Plans", fact: plans, ...planHighlight(plans, totals) },
    ...releases.map(({ platform, fact }) => ({
      href: "#downloads",
      label: PLATFORM_NAMES[platform],
      fact,
      ...releaseHighlight(fact),
    })),
  ];
}

const UNAVAILABLE = { main: "Unavailable", rest: "not confirmed, so not shown" };

function planHighlight(fact: PageFact<PlansResponse>, totals: View["totals"]): Pick<Highlight, "main" | "rest"> {
  if (fact.state !== "fresh" || !totals) return UNAVAILABLE;
  const { currency } = fact.payload;
  const { plans, least, most } = totals;
  const range = least === most ? money(least, currency) : `${money(least, currency)} to ${money(most, currency)}`;
  return { main: count(plans, "plan"), rest: plans === 0 ? "" : `${range} a month` };
}

function releaseHighlight(fact: PageFact<LatestReleaseResponse>): Pick<Highlight, "main" | "rest"> {
  if (fact.state !== "fresh") return UNAVAILABLE;
  if (!fact.payload.hasUpdate) return { main: "No release", rest: "none is published" };
  const { version, date } = fact.payload.latest;
  return { main: version, rest: vendorDate(date) };
}

function highlightItem({ href, label, main, rest, fact }: Highlight): Html {
  const isFresh = fact.state === "fresh";
  return html`<li${isFresh && html` class="facts" ${freshnessAttributes(fact.freshUntil)}`}><a href="${href}"><span>${label}</span> <strong${!isFresh && html` class="none"`}>${main}</strong> <span>${rest}</span></a></li>`;
}

function addresses({ index, base }: View): { id: string; title: string; url: string }[] {
  return [
    { id: "address-rest", title: "REST", url: `${base}/api/v1` },
    { id: "address-openapi", title: "OpenAPI", url: index.openapi },
    { id: "address-mcp", title: "MCP", url: index.mcp },
  ];
}
