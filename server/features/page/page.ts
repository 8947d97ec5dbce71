// The page at `/` as HTML and Markdown, and small pages for people who open the address of a program. For visitors, developers and
// agents. Without it, `/` is a 404, refusals are JSON only, and `/download` has no page to lead to.
// It is rendered in one pass, section by section, so that both forms contain the same facts: when something changes and when the first
// of its facts ends, never in a request.
// after: words
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { answer } from "../../answers/answer.ts";
import type { Addition, Site } from "../../answers/addition.ts";
import { linkHeader } from "../../api-index.ts";
import { contactUrl, PAGE_SECTIONS } from "../../api-settings.ts";
import { dateTime, joinTitles } from "../words/words.ts";
import { freshnessAttributes, html, markdown, time, trusted, verbatim, type Html, type Section } from "./markup.ts";
import { images, pageHead, policyFor } from "./head.ts";
import { linkedData } from "./linked-data.ts";
import { createNotices } from "./notices.ts";
import { pageRow, type RenderedPage } from "./page-row.ts";
import { agentsSection } from "./sections/agents.ts";
import { downloadsSection } from "./sections/downloads.ts";
import { newsSection } from "./sections/news.ts";
import { cycleRules, plansSection } from "./sections/plans.ts";
import { statusSection } from "./sections/status.ts";
import { exampleRules, useSection } from "./sections/use.ts";
import { styleFor } from "./style.ts";
import { viewOf, type PageFacts, type PageSite, type View } from "./view.ts";

/** The page, the small pages, and the pictures of both. */
export function page(
  site: PageSite & Pick<Site, "mirror" | "collector" | "reportBug" | "worksInBackground">,
): Addition {
  const { mirror, collector } = site;
  const render = pageRenderer(site);
  const facts = () => ({ get: (name: SnapshotName) => mirror.get(name), collections: collector.collections() });
  const pictures = images(site);
  return {
    documents: () => pictures,
    rows: [pageRow(() => render(facts()), site)],
    notices: createNotices(site),
  };
}

export function pageRenderer(site: PageSite): (facts: PageFacts) => RenderedPage {
  const { base, index } = site;
  // Cache-Control is set later: it changes with time.
  const headers = { "cache-control": "no-store", link: linkHeader(base, index.documentation), vary: "Accept" };
  return (facts) => {
    const view = viewOf(site, facts);
    const { html, markdown, policy } = renderPage(view);
    return {
      html: answer(200, html, {
        ...headers,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
      }),
      markdown: answer(200, markdown, { ...headers, "content-type": "text/markdown; charset=utf-8" }),
      contains: SNAPSHOT_NAMES.filter((name) => !view.unavailable.includes(name)),
    };
  };
}

const SECTIONS = [newsSection, useSection, agentsSection, statusSection];

/** The sections for visitors, developers, agents and operators, in the order of their setting. */
function sectionsOf(view: View): Section[] {
  const all = [...SECTIONS, ...view.sections].flatMap((section) => section(view) ?? []);
  const listed: readonly string[] = view.api.page ?? PAGE_SECTIONS;
  return PAGE_SECTIONS.flatMap((name) => all.filter(({ id }) => id === name && listed.includes(id)));
}

function renderPage(view: View): { html: string; markdown: string; policy: string } {
  const shown = [downloadsSection, plansSection].flatMap((section) => section(view) ?? []);
  const sections = sectionsOf(view);
  const header = pageHeader(view, sections);
  const footer = pageFooter(view);
  const style = styleFor(view.api.color) + cycleRules(view) + exampleRules(view);
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

type Part = Pick<Section, "html" | "markdown">;

/** The top of the page: the product, and when its facts were last confirmed. */
function pageHeader(view: View, sections: readonly Section[]): Part {
  const { index, logo, base, api } = view;
  const fresh = freshness(view);
  return {
    html: html`<a class="skip" href="#facts">Skip to plans and downloads</a>
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
    markdown: markdown`# ${index.name}

${index.description}
${api.home !== undefined && markdown`\nHome: ${trusted<"markdown">(`<${api.home}>`)}\n`}
${fresh.markdown}`,
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

/** The end of the page: links to the machine-readable documents, the contact and the licence of the facts. */
function pageFooter({ api, mentions }: View): Part {
  const { contact, license } = api;
  const links = [
    ...(api.documentation === undefined ? [] : [{ title: "Documentation", href: api.documentation }]),
    ...mentions().flatMap(({ links: own = [] }) => own),
    ...(contact === undefined ? [] : [{ title: "Contact", href: contactUrl(contact) }]),
  ];
  return {
    html: html`<footer>
      ${links.map(({ title, href }) => html`<a href="${href}">${title}</a> `)}${license !== undefined && html`<span>Licence of the facts: ${license}</span>`}
    </footer>`,
    markdown: markdown`${links.map(({ title, href }) => markdown`- ${title}: ${trusted<"markdown">(`<${href}>`)}\n`)}${license !== undefined && markdown`- Licence of the facts: ${license}\n`}`,
  };
}

/** The page's only script. It keeps freshness current on a page left open, and makes the copy buttons work; all else works without
 * it. It is text because it runs in the browser only. */
const SCRIPT = `
const all = (selector) => document.querySelectorAll(selector);
const announcement = document.getElementById("announcement");

for (const button of all("[data-copy]")) button.hidden = false;

addEventListener("click", async ({ target }) => {
  const button = target.closest("button");
  if (button?.dataset.copy) copy(button);
});

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  let words = "Copied";
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    getSelection().selectAllChildren(source);
    words = "Selected";
  }
  announcement.textContent = "";
  button.textContent = words;
  setTimeout(() => (announcement.textContent = words + ": " + source.textContent.slice(0, 60)), 50);
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

const system = navigator.userAgentData?.platform ?? navigator.platform;
const own = document.querySelector("[data-platform=" + (/^win/i.test(system) ? "windows" : "macos") + "]:has(.button)");
if (own && /^(win|mac)/i.test(system)) own.parentElement.prepend(own);

const checked = document.querySelector(".fresh time");
if (checked) checked.title = checked.textContent;

function ago(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return minutes + " min ago";
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + " h ago" : Math.floor(hours / 24) + " days ago";
}

function age() {
  if (checked) checked.textContent = ago(Date.now() - Date.parse(checked.dateTime));
  for (const element of all("[data-fresh-until][data-state=fresh]")) {
    if (Date.now() < Date.parse(element.dataset.freshUntil)) continue;
    element.dataset.state = "stale";
    if (element.dataset.whenStale) element.textContent = element.dataset.whenStale;
    if (element.className === "fresh") announcement.textContent = element.textContent;
  }
}
age();
setInterval(age, 1000);
`.replace(/^\s+/gm, "");
