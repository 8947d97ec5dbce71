// The page at `/`, rendered as HTML and as Markdown in one pass, section by section, so that both contain the same
// facts.
import { pageFooter } from "./footer.ts";
import { pageHead } from "./head.ts";
import { pageHeader } from "./header.ts";
import { linkedData } from "./linked-data.ts";
import { html, markdown, verbatim, type Html } from "./markup.ts";
import type { Section } from "./components.ts";
import { policyFor } from "./policy.ts";
import { SCRIPT } from "./script.ts";
import { agentsSection } from "./sections/agents.ts";
import { downloadsSection } from "./sections/downloads.ts";
import { historySection } from "./sections/history.ts";
import { newsSection } from "./sections/news.ts";
import { operationsSection } from "./sections/operations.ts";
import { cycleRules, plansSection } from "./sections/plans.ts";
import { statusSection } from "./sections/status.ts";
import { EXAMPLE_RULES, useSection } from "./sections/use.ts";
import { DEFAULT_COLOUR, styleFor } from "./style.ts";
import type { View } from "./view.ts";

/** `policy`: the strictest Content-Security-Policy under which the HTML works. */
export interface RenderedPage {
  html: string;
  markdown: string;
  policy: string;
}

/** For visitors, developers, agents and operators, in this order. */
const SECTIONS = [newsSection, historySection, useSection, operationsSection, agentsSection, statusSection];

export function renderPage(view: View): RenderedPage {
  const shown = [downloadsSection(view), plansSection(view)];
  const sections = SECTIONS.flatMap((section) => section(view) ?? []);
  const header = pageHeader(view, sections);
  const footer = pageFooter(view);
  const style = styleFor(view.api.color ?? DEFAULT_COLOUR) + cycleRules(view) + EXAMPLE_RULES;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        ${pageHead(view)} ${verbatim("style", style)} ${linkedData(view)}
      </head>
      <body>
        ${header.html}
        <main>
          <div class="case" id="facts">${shown.map(sectionHtml)}</div>
          ${sections.map(sectionHtml)}
        </main>
        ${footer.html}
        <p id="announcement" role="status" aria-live="polite"></p>
        ${verbatim("script", SCRIPT)}
      </body>
    </html>`;
  const twin = markdown`${header.markdown}

${[...shown, ...sections].map((section) => markdown`## ${section.title}\n\n${section.markdown}\n\n`)}${footer.markdown}
`;
  return { html: page.text, markdown: twin.text, policy: policyFor(style, SCRIPT) };
}

function sectionHtml({ id, title, html: content }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <div>${content}</div>
  </section> `;
}
