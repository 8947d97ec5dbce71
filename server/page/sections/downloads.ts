// The latest release of each platform: version, date, size, changelog, and where it is downloaded.
import type { LatestReleaseResponse, Platform, Release } from "../../../snapshots/schema.ts";
import { clip } from "../../../snapshots/rules.ts";
import { fenced, html, joined, markdown, trusted, type Html, type Markdown } from "../markup.ts";
import { holds, isUntold, stamp, untold, webLink, type Section } from "../components.ts";
import type { Told, View } from "../view.ts";
import { bytes, moment, PLATFORM_NAMES, vendorDate } from "../format.ts";

/** A changelog that is longer is folded up; of one that is much longer the page shows the beginning. */
const SHORT = { characters: 500, lines: 9 };
const MOST_SHOWN = 12_000;

interface Shown {
  platform: Platform;
  told: Told<LatestReleaseResponse>;
}

export function downloadsSection({ releases }: View): Section {
  return {
    id: "downloads",
    title: "Downloads",
    html: html`<div class="platforms">${releases.map(exhibit)}</div>`,
    markdown: joined(releases.map(inMarkdown), "\n\n"),
  };
}

function exhibit({ platform, told }: Shown): Html {
  const name = PLATFORM_NAMES[platform];
  if (isUntold(told))
    return html`<article>
      <h3>${name}</h3>
      <p class="unavailable">${untold(told)}</p>
    </article>`;
  const content = told.payload.hasUpdate ? release(told.payload, name) : html`<p>No release is published.</p>`;
  return html`<article class="facts" ${holds(told.freshUntil)}>
    <h3>${name}</h3>
    ${content}${stamp(told.freshUntil)}
  </article>`;
}

function release({ latest, forceUpdate }: Extract<LatestReleaseResponse, { hasUpdate: true }>, name: string): Html {
  const { version, downloadURL, changelog } = latest;
  const link = webLink(downloadURL);
  return html`<p class="version">${version}</p>
    <p class="about">${about(latest)}${forceUpdate && html` <em class="required">Required update</em>`}</p>
    ${link !== undefined && downloadLink(link, name)} ${changelog !== "" && whatsNew(changelog, name)}`;
}

function downloadLink(link: string, name: string): Html {
  return html`<p>
    <a class="button" href="${link}">Download<span class="away"> for ${name}</span></a>
    <span class="host">from ${new URL(link).host}</span>
  </p>`;
}

/** Date and size, as far as they are listed. */
function about({ date, size }: Release): string {
  return [vendorDate(date), bytes(size)].filter((text) => text !== "").join(" · ");
}

function whatsNew(changelog: string, name: string): Html {
  const text = html`<p class="changelog">${beginning(changelog)}</p>`;
  const isShort = changelog.length <= SHORT.characters && changelog.split("\n").length <= SHORT.lines;
  if (isShort)
    return html`<h4>What is new</h4>
      ${text}`;
  return html`<details>
    <summary>What is new<span class="away"> for ${name}</span></summary>
    ${text}
  </details>`;
}

function beginning(changelog: string): string {
  return clip(changelog, MOST_SHOWN, " … (the API has all of it)");
}

function inMarkdown({ platform, told }: Shown): Markdown {
  const heading = markdown`### ${PLATFORM_NAMES[platform]}`;
  if (isUntold(told)) return markdown`${heading}\n\n${untold(told)}`;
  if (!told.payload.hasUpdate) return markdown`${heading}\n\nNo release is published.`;
  const { latest, forceUpdate } = told.payload;
  const link = webLink(latest.downloadURL);
  return markdown`${heading}

**${latest.version}** · ${about(latest)}${forceUpdate && " · required update"}

${link !== undefined && trusted<"markdown">(`Download: <${link}>\n`)}
${latest.changelog !== "" && markdown`${fenced(beginning(latest.changelog), "text")}\n`}
Fresh until ${moment(told.freshUntil)}.`;
}
