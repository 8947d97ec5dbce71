// The page at `/` as HTML and Markdown, the Markdown alone at `/index.md`, and small pages for people who open the address of a program.
// For visitors, developers and agents. Without it, `/` is a 404, refusals are JSON only, and `/download` has no page to lead to.
// It is rendered in one pass, section by section, so that both forms contain the same facts: when something changes and when the first
// of its facts ends, never in a request.
// after: words
import { SNAPSHOT_NAMES, type SnapshotName } from "../../../snapshots/snapshot.ts";
import { answer } from "../../answers/answer.ts";
import type { Addition, Site } from "../../answers/addition.ts";
import { prefersMarkdown } from "../../answers/negotiate.ts";
import { linkHeader } from "../../api-index.ts";
import { contactUrl, PAGE_SECTIONS } from "../../api-settings.ts";
import { html, markdown, trusted, verbatim, type Html, type Section } from "./markup.ts";
import { images, pageHead, policyFor } from "./head.ts";
import { pageHeader, twin, type Part } from "./header.ts";
import { linkedData } from "./linked-data.ts";
import { createNotices } from "./notices.ts";
import { pageRows, type RenderedPage } from "./page-row.ts";
import { agentsSection } from "./sections/agents.ts";
import { downloadsSection } from "./sections/downloads.ts";
import { newsSection } from "./sections/news.ts";
import { cycleRules, plansSection } from "./sections/plans.ts";
import { statusSection } from "./sections/status.ts";
import { exampleRules, useSection } from "./sections/use.ts";
import { styleFor } from "./style.ts";
import { viewOf, type PageFacts, type PageSite, type View } from "./view.ts";

/** So long, at most, is the page kept during errors: it also shows what is in no fact, such as the history. */
const KEPT_MS = 3_600_000;

/** The page, the small pages, and the pictures of both. */
export function page(
  site: PageSite & Pick<Site, "mirror" | "collector" | "reportBug" | "worksInBackground">,
): Addition {
  const { mirror, collector } = site;
  const render = pageRenderer(site);
  const facts = () => ({ get: (name: SnapshotName) => mirror.get(name), collections: collector.collections() });
  const pictures = images(site);
  const href = `${site.base}/index.md`;
  return {
    documents: () => pictures,
    rows: pageRows(
      {
        render: () => render(facts()),
        targets: {
          "/": (headers) => (prefersMarkdown(headers.get("accept")) ? "markdown" : "html"),
          "/index.md": () => "twin",
        },
        keptMs: KEPT_MS,
      },
      site,
    ),
    notices: createNotices(site),
    mention: {
      llms: { Facts: [`- [The page](${href}): prices, downloads, their history and freshness, and how to use them`] },
      links: [{ rel: "alternate", type: "text/markdown", title: "The page as Markdown", href }],
    },
  };
}

export function pageRenderer(site: PageSite): (facts: PageFacts) => RenderedPage<"html" | "markdown" | "twin"> {
  const { base, index } = site;
  // Cache-Control is set later: it changes with time.
  const headers = { "cache-control": "no-store", link: linkHeader(base, index.documentation), vary: "Accept" };
  return (facts) => {
    const view = viewOf(site, facts);
    const { html, markdown, policy } = renderPage(view);
    return {
      forms: {
        html: answer(200, html, {
          ...headers,
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policy,
        }),
        markdown: answer(200, markdown, { ...headers, "content-type": "text/markdown; charset=utf-8" }),
        twin: twin(markdown, base),
      },
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

/** The end of the page: links to the machine-readable documents, the contact and the licence of the facts. */
function pageFooter({ api, mentions }: View): Part {
  const { contact, license } = api;
  const links = [
    ...(api.documentation === undefined ? [] : [{ title: "Documentation", href: api.documentation }]),
    ...mentions().flatMap(({ links: own = [] }) => own.filter(({ rel }) => rel === undefined)),
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
