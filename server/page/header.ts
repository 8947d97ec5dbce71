// What is understood in ten seconds: who sells what, which versions are the newest, that this is fresh, and the addresses.
import { SNAPSHOT_NAMES } from "../../snapshots/snapshot.ts";
import { html, joined, markdown, trusted, type Html, type Markdown } from "./markup.ts";
import { copyButton, holds, time, type Section } from "./pieces.ts";
import { toldNames, type Told, type View } from "./view.ts";
import { count, list, moment, money, PLATFORM_NAMES, SNAPSHOT_TITLES, vendorDate } from "./words.ts";

export function pageHeader(view: View, sections: readonly Section[]): { html: Html; markdown: Markdown } {
  const { index, logo } = view;
  const labels = exhibits(view);
  return {
    html: html`<header>
      <nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>
      ${logo !== undefined && html`<img src="${logo}" alt="" height="48" />`}
      <h1>${index.name}</h1>
      <p class="lead">${index.description}</p>
      <ul class="case">
        ${labels.map(exhibit)}
      </ul>
      ${freshness(view)}
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

${freshnessText(view)}

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

function exhibits({ plans, releases }: View): Exhibit[] {
  return [
    { href: "#plans", label: "Plans", told: plans, ...planExhibit(plans) },
    ...releases.map(({ platform, told }) => ({
      href: "#downloads",
      label: PLATFORM_NAMES[platform],
      told,
      ...releaseExhibit(told),
    })),
  ];
}

const UNAVAILABLE = { main: "Unavailable", rest: "not confirmed, so not shown" };

function planExhibit(told: View["plans"]): Pick<Exhibit, "main" | "rest"> {
  if (told.state !== "fresh") return UNAVAILABLE;
  const { plans, currency } = told.payload;
  const prices = plans.map(({ monthlyPrice }) => monthlyPrice);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const range = least === most ? money(least, currency) : `${money(least, currency)} to ${money(most, currency)}`;
  return { main: count(plans.length, "plan"), rest: plans.length === 0 ? "" : `${range} a month` };
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

function freshness(view: View): Html {
  const told = toldNames(view);
  const ends = told.flatMap((name) => timesOf(view.told[name]));
  const untold = untoldTitles(view);
  const isWhole = untold.length === 0;
  const remark = !isWhole && html`<p class="unavailable">Unavailable at the moment: ${list(untold)}.</p>`;
  if (ends.length === 0) return html`${remark}`;
  const { confirmedAt, freshUntil } = earliest(ends);
  return html`<p
      class="fresh"
      role="status"
      ${holds(freshUntil)}
      data-when-stale="Out of date since ${moment(freshUntil)}: not all of this is confirmed any more."
    >
      <b>Fresh.</b> Confirmed at the source on ${time(confirmedAt)}; holds until ${time(freshUntil)}.
    </p>
    ${remark}`;
}

function freshnessText(view: View): string {
  const ends = toldNames(view).flatMap((name) => timesOf(view.told[name]));
  const untold = untoldTitles(view);
  const missing = untold.length === 0 ? "" : ` Unavailable at the moment: ${list(untold)}.`;
  if (ends.length === 0) return missing.trim();
  const { confirmedAt, freshUntil } = earliest(ends);
  return `Fresh: confirmed at the source on ${moment(confirmedAt)}, holds until ${moment(freshUntil)}.${missing}`;
}

function untoldTitles({ told }: View): string[] {
  return SNAPSHOT_NAMES.filter((name) => told[name].state !== "fresh").map((name) =>
    SNAPSHOT_TITLES[name].toLowerCase(),
  );
}

function timesOf(told: Told<unknown>): { confirmedAt: string; freshUntil: string }[] {
  return told.state === "fresh" ? [told] : [];
}

function earliest(times: readonly { confirmedAt: string; freshUntil: string }[]): {
  confirmedAt: string;
  freshUntil: string;
} {
  const first = (of: "confirmedAt" | "freshUntil") =>
    times.map((one) => one[of]).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? "";
  return { confirmedAt: first("confirmedAt"), freshUntil: first("freshUntil") };
}

function addresses({ index, base }: View): { id: string; title: string; url: string }[] {
  return [
    { id: "address-rest", title: "REST", url: `${base}/api/v1` },
    { id: "address-openapi", title: "OpenAPI", url: index.openapi },
    { id: "address-mcp", title: "MCP", url: index.mcp },
  ];
}
