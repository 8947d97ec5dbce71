// The operations, from the OpenAPI document: what each answers, field by field, what it answers right now, and a button
// that asks.
import { fenced, html, joined, markdown, markdownTable, type Html, type Markdown } from "../markup.ts";
import type { Operation } from "../../documents/operations.ts";
import { referenceRows, type ReferenceRow } from "../api-reference.ts";
import type { Section } from "../components.ts";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import type { Told, View } from "../view.ts";
import { PLATFORM_NAMES } from "../format.ts";
import { LATEST_RELEASE, UNAVAILABLE } from "../../answers/facts.ts";

/** Longest text of an example, in UTF-16 units. */
const MOST_SHOWN = 120;

export function operationsSection(view: View): Section {
  return {
    id: "operations",
    title: "Operations",
    html: html`${view.operations.map((operation) => inHtml(operation, view))}
      <p>All of it, for programs: <a href="${view.index.openapi}">the OpenAPI document</a>.</p>`,
    markdown: joined(
      view.operations.map((operation) => inMarkdown(operation, view)),
      "\n\n",
    ),
  };
}

function inHtml(operation: Operation, view: View): Html {
  const { path, summary, description, responses } = operation;
  // The page may stand below the root of its host, and so do the operations then.
  const root = new URL(view.base).pathname.replace(/\/$/, "");
  const runs = targetsOf(operation).map(
    ({ target, of }) => html`<button type="button" data-run="${root}${target}" hidden>Run${of}</button> `,
  );
  return html`<article>
    <h3><span>GET</span> ${path}</h3>
    <p>${summary}. ${description}</p>
    <p class="runs">${runs}<span class="statuses">${Object.keys(responses).join(" · ")}</span></p>
    <output></output>
    <details>
      <summary>Fields<span class="away"> of ${path}</span></summary>
      ${fieldTable(referenceRows(operation))}
    </details>
    <details>
      <summary>Answer now<span class="away"> of ${path}</span></summary>
      <pre>${answerNow(operation, view)}</pre>
    </details>
  </article>`;
}

function targetsOf({ path }: Operation): { target: string; of: Html }[] {
  if (path !== LATEST_RELEASE) return [{ target: path, of: html`<span class="away"> GET ${path}</span>` }];
  return PLATFORMS.map((platform) => ({
    target: `${path}?platform=${platform}`,
    of: html` for ${PLATFORM_NAMES[platform]}`,
  }));
}

function fieldTable(fields: readonly ReferenceRow[]): Html {
  const rows = fields.map(
    ({ path, type, meaning }) =>
      html`<tr>
        <th scope="row"><code>${path}</code> <span>${type}</span></th>
        <td>${meaning}</td>
      </tr> `,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** The body of the answer as it is now, without what would be too much to read. */
function answerNow({ path }: Operation, { index, plans, told }: View): string {
  if (path.endsWith("/plans")) return bodyOf(plans, UNAVAILABLE.plans);
  if (path === LATEST_RELEASE) return bodyOf(told["release-macos"], UNAVAILABLE["release-macos"]);
  return JSON.stringify(index, null, 2);
}

function bodyOf(told: Told<unknown>, unavailable: string): string {
  return JSON.stringify(told.state === "fresh" ? shortened(told.payload) : { error: unavailable }, null, 2);
}

/** The first of each list, and the beginning of long texts; `…` stands for the rest. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length <= MOST_SHOWN ? value : `${value.slice(0, MOST_SHOWN)} …`;
  if (Array.isArray(value)) return value.length <= 1 ? value.map(shortened) : [shortened(value[0]), "…"];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
}

function inMarkdown(operation: Operation, view: View): Markdown {
  const { path, summary, description } = operation;
  const rows = referenceRows(operation).map(({ path, type, meaning }) => [path, type, meaning]);
  return markdown`### GET ${path}

${summary}. ${description}

${markdownTable(["Field", "Type", "Meaning"], rows)}

Its answer now:

${fenced(answerNow(operation, view), "json")}`;
}
