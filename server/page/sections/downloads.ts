// The latest release for each platform: version, date, size and download link. The page chooses no architecture for its
// reader, so the button names the file and its architecture.
import { architectureOf, wordsOf } from "../../../snapshots/processors.ts";
import type { LatestReleaseResponse, Platform } from "../../../snapshots/schema.ts";
import { clip, isPlainText } from "../../../snapshots/rules.ts";
import { html, joined, markdown, trusted, type Html, type Markdown } from "../markup.ts";
import {
  freshnessAttributes,
  isUnavailable,
  staleNote,
  unavailableText,
  webLink,
  type Section,
} from "../components.ts";
import type { ReleaseView, View } from "../view.ts";
import { bytes, dateTime, PLATFORM_NAMES, PROCESSOR_NAMES, vendorDate, WORDS } from "../../format.ts";

const MAX_FILE_NAME = 80;

export function downloadsSection({ releases }: View): Section {
  return {
    id: "downloads",
    title: "Downloads",
    html: html`${releases.map(releaseCard)}`,
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
  return html`<article class="facts" data-platform="${platform}" ${freshnessAttributes(fact.freshUntil)}>
    ${
      fact.payload.hasUpdate
        ? release(fact.payload, platform)
        : html`<h3>${name}</h3>
            <p>${WORDS.noRelease}</p>`
    }
    ${staleNote(fact.freshUntil)}
  </article>`;
}

function release(
  { latest, forceUpdate }: Extract<LatestReleaseResponse, { hasUpdate: true }>,
  platform: Platform,
): Html {
  const name = PLATFORM_NAMES[platform];
  const link = webLink(latest.downloadURL);
  const from = link === undefined ? "" : `from ${new URL(link).host}`;
  return html`<h3>
      ${name} <bdi class="version">${latest.version}</bdi> <bdi class="date">${vendorDate(latest.date)}</bdi>
    </h3>
    ${forceUpdate && html`<em class="required">${WORDS.required}</em>`}
    ${link !== undefined && downloadButton(link, platform)}
    <p class="about">${bytes(latest.size)} ${from}</p>`;
}

function downloadButton(link: string, platform: Platform): Html {
  const { file, processor } = fileOf(link, platform);
  return html`<a class="button" href="${link}"
    >${WORDS.download}${processor && ` for ${processor}`}<span class="away"> for ${PLATFORM_NAMES[platform]}</span
    >${file && html` <bdi>${file}</bdi>`}</a
  >`;
}

/** The name of the file that a link leads to, and the processor in it; `""` for what the link does not say. */
function fileOf(link: string, platform: Platform): { file: string; processor: string } {
  const segment = new URL(link).pathname.split("/").at(-1) ?? "";
  if (!/\.(?:[a-z][a-z0-9]+|7z)$/i.test(segment)) return { file: "", processor: "" };
  const name = decoded(segment);
  const arch = architectureOf(wordsOf(name));
  return { file: clip(name, MAX_FILE_NAME), processor: arch === "unmarked" ? "" : PROCESSOR_NAMES[platform][arch] };
}

function decoded(segment: string): string {
  try {
    const name = decodeURIComponent(segment);
    return isPlainText(name) ? name : segment;
  } catch {
    return segment;
  }
}

function inMarkdown({ platform, fact }: ReleaseView): Markdown {
  const heading = markdown`### ${PLATFORM_NAMES[platform]}`;
  if (isUnavailable(fact)) return markdown`${heading}\n\n${unavailableText(fact)}`;
  if (!fact.payload.hasUpdate) return markdown`${heading}\n\n${WORDS.noRelease}`;
  const { latest, forceUpdate } = fact.payload;
  const about = [vendorDate(latest.date), bytes(latest.size)].filter((text) => text !== "").join(" · ");
  const link = webLink(latest.downloadURL);
  return markdown`${heading}

**${latest.version}** · ${about}${forceUpdate && " · required update"}

${link !== undefined && downloadLine(link, platform)}
Fresh until ${dateTime(fact.freshUntil)}.`;
}

function downloadLine(link: string, platform: Platform): Markdown {
  const { file, processor } = fileOf(link, platform);
  return markdown`Download${file && ` ${file}`}${processor && ` for ${processor}`}: ${trusted<"markdown">(`<${link}>`)}\n`;
}
