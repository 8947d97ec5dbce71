// The latest release for each platform: version, date, size, changelog and download link. The page chooses no architecture
// for its reader, so the link names the file and its architecture.
import { architectureOf, wordsOf } from "../../../snapshots/architecture.ts";
import type { LatestReleaseResponse, Release } from "../../../snapshots/schema.ts";
import { clip, isPlainText } from "../../../snapshots/rules.ts";
import { fenced, html, joined, markdown, trusted, type Html, type Markdown } from "../markup.ts";
import {
  freshnessAttributes,
  isUnavailable,
  freshnessNote,
  unavailableText,
  webLink,
  type Section,
} from "../components.ts";
import type { ReleaseView, View } from "../view.ts";
import { ARCHITECTURE_NAMES, bytes, dateTime, PLATFORM_NAMES, vendorDate } from "../../format.ts";

/** A longer changelog is collapsed. */
const COLLAPSE_ABOVE = { characters: 500, lines: 9 };
/** A longer changelog is cut. */
const MAX_CHARACTERS = 12_000;
const MAX_FILE_NAME = 80;

export function downloadsSection({ releases }: View): Section {
  return {
    id: "downloads",
    title: "Downloads",
    html: html`<div class="platforms">${releases.map(releaseCard)}</div>`,
    markdown: joined(releases.map(inMarkdown), "\n\n"),
  };
}

function releaseCard({ platform, fact }: ReleaseView): Html {
  const name = PLATFORM_NAMES[platform];
  if (isUnavailable(fact))
    return html`<article>
      <h3>${name}</h3>
      <p class="unavailable">${unavailableText(fact)}</p>
    </article>`;
  const content = fact.payload.hasUpdate ? release(fact.payload, name) : html`<p>No release is published.</p>`;
  return html`<article class="facts" ${freshnessAttributes(fact.freshUntil)}>
    <h3>${name}</h3>
    ${content}${freshnessNote(fact.freshUntil)}
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
  const { file, arch } = fileOf(link);
  return html`<p>
    <a class="button" href="${link}">Download${arch && ` (${arch})`}<span class="away"> for ${name}</span></a>
    <span class="host">${file && `${file} `}from ${new URL(link).host}</span>
  </p>`;
}

/** The name of the file that a link leads to, and the architecture in it; `""` for what the link does not say. */
function fileOf(link: string): { file: string; arch: string } {
  const segment = new URL(link).pathname.split("/").at(-1) ?? "";
  if (!/\.(?:[a-z][a-z0-9]+|7z)$/i.test(segment)) return { file: "", arch: "" };
  const name = decoded(segment);
  const arch = architectureOf(wordsOf(name));
  return { file: clip(name, MAX_FILE_NAME), arch: arch === "unmarked" ? "" : ARCHITECTURE_NAMES[arch] };
}

function decoded(segment: string): string {
  try {
    const name = decodeURIComponent(segment);
    return isPlainText(name) ? name : segment;
  } catch {
    return segment;
  }
}

/** Date and size, if listed. */
function about({ date, size }: Release): string {
  return [vendorDate(date), bytes(size)].filter((text) => text !== "").join(" · ");
}

function whatsNew(changelog: string, name: string): Html {
  const text = html`<p class="changelog">${beginning(changelog)}</p>`;
  const isShort = changelog.length <= COLLAPSE_ABOVE.characters && changelog.split("\n").length <= COLLAPSE_ABOVE.lines;
  if (isShort)
    return html`<h4>What is new</h4>
      ${text}`;
  return html`<details>
    <summary>What is new<span class="away"> for ${name}</span></summary>
    ${text}
  </details>`;
}

function beginning(changelog: string): string {
  return clip(changelog, MAX_CHARACTERS, " … (full text in the API)");
}

function inMarkdown({ platform, fact }: ReleaseView): Markdown {
  const heading = markdown`### ${PLATFORM_NAMES[platform]}`;
  if (isUnavailable(fact)) return markdown`${heading}\n\n${unavailableText(fact)}`;
  if (!fact.payload.hasUpdate) return markdown`${heading}\n\nNo release is published.`;
  const { latest, forceUpdate } = fact.payload;
  const link = webLink(latest.downloadURL);
  return markdown`${heading}

**${latest.version}** · ${about(latest)}${forceUpdate && " · required update"}

${link !== undefined && downloadLine(link)}
${latest.changelog !== "" && markdown`${fenced(beginning(latest.changelog), "text")}\n`}
Fresh until ${dateTime(fact.freshUntil)}.`;
}

function downloadLine(link: string): Markdown {
  const { file, arch } = fileOf(link);
  return markdown`Download${file && ` ${file}`}${arch && ` (${arch})`}: ${trusted<"markdown">(`<${link}>`)}\n`;
}
