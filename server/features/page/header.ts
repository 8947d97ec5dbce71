// The top of the page in both forms, and its Markdown as an answer at an address of its own.
import { answer, type Answer } from "../../answers/answer.ts";
import { dateTime, joinTitles } from "../words/words.ts";
import { freshnessAttributes, html, markdown, time, trusted, type Section } from "./markup.ts";
import type { View } from "./view.ts";

export type Part = Pick<Section, "html" | "markdown">;

/** The top of the page: where agents find texts, the product, and when its facts were last confirmed. */
export function pageHeader(view: View, sections: readonly Section[]): Part {
  const { index, logo, base, api } = view;
  const fresh = freshness(view);
  const texts = pointer(view);
  return {
    html: html`<a class="skip" href="#facts">Skip to plans and downloads</a> ${texts?.html}
      <header>
        <nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
        <div class="title">
          ${logo !== undefined && html`<img src="${logo}" alt="" height="48" />`}
          <h1 dir="auto">${index.name}</h1>
          ${api.home !== undefined && html`<a class="home" href="${api.home}">${new URL(api.home).host}</a>`}
        </div>
        <p class="lead" dir="auto">${index.description}</p>
        ${fresh.html}
        <p class="paper">${base}/</p>
      </header>`,
    markdown: markdown`${texts?.markdown}# ${index.name}

${index.description}
${api.home !== undefined && markdown`\nHome: ${trusted<"markdown">(`<${api.home}>`)}\n`}
${fresh.markdown}`,
  };
}

/** The texts for agents. It comes first, because many read only the beginning of a page; screen readers and the keyboard skip it. */
function pointer({ mentions }: View): Part | undefined {
  const texts = mentions().flatMap(({ links = [] }) => links.filter(({ type }) => type?.startsWith("text/")));
  if (texts.length === 0) return undefined;
  const links = texts.map(({ href }) => html`<a href="${href}" tabindex="-1">${href}</a> `);
  const addresses = texts.map(({ href }) => `<${href}>`).join(" ");
  return {
    html: html`<p class="away" aria-hidden="true">For AI agents: ${links}</p>`,
    markdown: markdown`For AI agents: ${trusted<"markdown">(addresses)}\n\n`,
  };
}

/** The earliest confirmation, the earliest end, and the unavailable facts. */
function freshness({ facts, unavailable }: View): Part {
  const remark = unavailable.length > 0 && `Currently unavailable: ${joinTitles(unavailable)}.`;
  const missing = remark !== false && html`<p class="unavailable">${remark}</p>`;
  const fresh = Object.values(facts).flatMap((fact) => (fact.state === "fresh" ? [fact] : []));
  if (fresh.length === 0) return { html: html`${missing}`, markdown: markdown`${remark}` };
  const confirmedAt = earliest(fresh.map((fact) => fact.confirmedAt));
  const freshUntil = earliest(fresh.map((fact) => fact.freshUntil));
  const whenStale = `Out of date since ${dateTime(freshUntil)}: not everything here is still confirmed.`;
  // The script turns the time into a relative one, which a page from a cache would get wrong.
  return {
    html: html`<p class="fresh" ${freshnessAttributes(freshUntil)} data-when-stale="${whenStale}">
        Checked ${time(confirmedAt)}<noscript>, shown until ${time(freshUntil)}</noscript>
      </p>
      ${missing}`,
    markdown: markdown`Checked at the source on ${dateTime(confirmedAt)}. Read it again after ${dateTime(freshUntil)}; prices and versions can change earlier.${remark && ` ${remark}`}`,
  };
}

function earliest(instants: readonly string[]): string {
  return new Date(Math.min(...instants.map((instant) => Date.parse(instant)))).toISOString();
}

/** Facts as Markdown, in the form of the page: search engines list the page instead. Cache-Control is set later. */
export function twin(text: string, base: string): Answer {
  return answer(200, text, {
    "cache-control": "no-store",
    "content-type": "text/markdown; charset=utf-8",
    link: `<${base}/>; rel="canonical"`,
    "x-robots-tag": "noindex",
  });
}
