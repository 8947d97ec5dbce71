// The operations: the fields of each response, its current body, and a button that sends the request.
import { fenced, html, joined, markdown, markdownTable, type Html, type Markdown } from "../markup.ts";
import type { Operation } from "../../documents/openapi.ts";
import { referenceRows, type ReferenceRow } from "../api-reference.ts";
import { htmlTable, type Section } from "../components.ts";
import { clip } from "../../../snapshots/rules.ts";
import { PLATFORMS } from "../../../snapshots/schema.ts";
import type { PageFact, View } from "../view.ts";
import { PLATFORM_NAMES } from "../../format.ts";
import { UNAVAILABLE } from "../../answers/facts.ts";

/** Of each text in a response, in UTF-16 units. */
const MAX_CHARACTERS = 120;

export function operationsSection(view: View): Section {
  return {
    id: "operations",
    title: "Operations",
    html: html`${view.operations.map((operation) => inHtml(operation, view))}
      <p>Machine-readable: <a href="${view.index.openapi}">the OpenAPI document</a>.</p>`,
    markdown: joined(
      view.operations.map((operation) => inMarkdown(operation, view)),
      "\n\n",
    ),
  };
}

function inHtml(operation: Operation, view: View): Html {
  const { path, summary, description, responses } = operation;
  // The page and the operations may be below the root of their host.
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
      <summary>Current response<span class="away"> of ${path}</span></summary>
      <pre>${currentBody(operation, view)}</pre>
    </details>
  </article>`;
}

function targetsOf({ id, path }: Operation): { target: string; of: Html }[] {
  if (id !== "getLatestRelease") return [{ target: path, of: html`<span class="away"> GET ${path}</span>` }];
  return PLATFORMS.map((platform) => ({
    target: `${path}?platform=${platform}`,
    of: html` for ${PLATFORM_NAMES[platform]}`,
  }));
}

function fieldTable(rows: readonly ReferenceRow[]): Html {
  const elements = rows.map(
    ({ path, type, meaning }) =>
      html`<tr>
        <th scope="row"><code>${path}</code> <span>${type}</span></th>
        <td>${meaning}</td>
      </tr> `,
  );
  return htmlTable(["Field", "Meaning"], elements);
}

/** The body of the current response, shortened. */
function currentBody({ id }: Operation, { index, facts }: View): string {
  if (id === "getPlans") return bodyOf(facts.plans, UNAVAILABLE.plans);
  if (id === "getLatestRelease") return bodyOf(facts["release-macos"], UNAVAILABLE["release-macos"]);
  return JSON.stringify(index, null, 2);
}

function bodyOf(fact: PageFact<unknown>, error: string): string {
  return JSON.stringify(fact.state === "fresh" ? shortened(fact.payload) : { error }, null, 2);
}

/** The first item of each list and the start of long texts; `…` stands for the rest. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return clip(value, MAX_CHARACTERS);
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

Current response:

${fenced(currentBody(operation, view), "json")}`;
}
