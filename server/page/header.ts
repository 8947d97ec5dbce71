// What is understood in ten seconds: who sells what, which versions are the newest, that this is fresh, and the addresses.
import { freshness } from "./freshness.ts";
import { html, joined, markdown, trusted, type Html, type Markdown } from "./markup.ts";
import { copyButton, holds, type Section } from "./components.ts";
import type { Told, View } from "./view.ts";
import { count, money, PLATFORM_NAMES, vendorDate } from "./format.ts";

export function pageHeader(view: View, sections: readonly Section[]): { html: Html; markdown: Markdown } {
  const { index, logo } = view;
  const labels = exhibits(view);
  const fresh = freshness(view);
  return {
    html: html`<header>
      <nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
      ${logo !== undefined && html`<img src="${logo}" alt="" height="48" />`}
      <h1>${index.name}</h1>
      <p class="lead">${index.description}</p>
      <ul class="case">
        ${labels.map(exhibit)}
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

${labels.map(({ label, main, rest }) => markdown`- ${label}: **${main}**${rest !== "" && ` (${rest})`}\n`)}
${joined(
  addresses(view).map(({ title, url }) => markdown`- ${title}: ${trusted<"markdown">(`<${url}>`)}`),
  "\n",
)}`,
  };
}

/** What stands in the glass case: a word or two, large, and a line beneath. */
interface Exhibit {
  href: string;
  label: string;
  main: string;
  rest: string;
  told: Told<unknown>;
}

function exhibits({ plans, totals, releases }: View): Exhibit[] {
  return [
    { href: "#plans", label: "Plans", told: plans, ...planExhibit(plans, totals) },
    ...releases.map(({ platform, told }) => ({
      href: "#downloads",
      label: PLATFORM_NAMES[platform],
      told,
      ...releaseExhibit(told),
    })),
  ];
}

const UNAVAILABLE = { main: "Unavailable", rest: "not confirmed, so not shown" };

function planExhibit(told: View["plans"], totals: View["totals"]): Pick<Exhibit, "main" | "rest"> {
  if (told.state !== "fresh" || !totals) return UNAVAILABLE;
  const { currency } = told.payload;
  const { plans, least, most } = totals;
  const range = least === most ? money(least, currency) : `${money(least, currency)} to ${money(most, currency)}`;
  return { main: count(plans, "plan"), rest: plans === 0 ? "" : `${range} a month` };
}

function releaseExhibit(told: View["releases"][number]["told"]): Pick<Exhibit, "main" | "rest"> {
  if (told.state !== "fresh") return UNAVAILABLE;
  if (!told.payload.hasUpdate) return { main: "No release", rest: "none is published" };
  const { version, date } = told.payload.latest;
  return { main: version, rest: vendorDate(date) };
}

function exhibit({ href, label, main, rest, told }: Exhibit): Html {
  const isFresh = told.state === "fresh";
  return html`<li${isFresh && html` class="facts" ${holds(told.freshUntil)}`}><a href="${href}"><span>${label}</span> <strong${!isFresh && html` class="none"`}>${main}</strong> <span>${rest}</span></a></li>`;
}

function addresses({ index, base }: View): { id: string; title: string; url: string }[] {
  return [
    { id: "address-rest", title: "REST", url: `${base}/api/v1` },
    { id: "address-openapi", title: "OpenAPI", url: index.openapi },
    { id: "address-mcp", title: "MCP", url: index.mcp },
  ];
}
