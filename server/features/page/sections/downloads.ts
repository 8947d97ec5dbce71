// The latest release for each platform: version, date, size and download link. The page chooses no architecture for its
// reader, so the button names the file and its architecture.
import { architectureOf, wordsOf } from "../../../../snapshots/processors.ts";
import type { LatestReleaseResponse, Platform, ReleaseFile } from "../../../../snapshots/schema.ts";
import { clip, fileName } from "../../../../snapshots/rules.ts";
import {
  freshnessAttributes,
  html,
  joined,
  markdown,
  staleNote,
  trusted,
  webLink,
  type Html,
  type Markdown,
  type Section,
} from "../markup.ts";
import { unavailableText, type ReleaseView, type View } from "../view.ts";
import { bytes, dateTime, PLATFORM_NAMES, PROCESSOR_NAMES, installersOf, vendorDate, WORDS } from "../../../format.ts";

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
  if (fact.state !== "fresh")
    return html`<article>
      <h3>${name}</h3>
      <p class="unavailable">${unavailableText(fact)}</p>
    </article>`;
  return html`<article class="facts" data-platform="${platform}" ${freshnessAttributes(fact.freshUntil)}>
    ${
      fact.payload.hasUpdate
        ? release(fact.payload, platform, fact.files)
        : html`<h3>${name}</h3>
            <p>${WORDS.noRelease}</p>`
    }
    ${staleNote(fact.freshUntil)}
  </article>`;
}

function release(
  { latest, forceUpdate }: Extract<LatestReleaseResponse, { hasUpdate: true }>,
  platform: Platform,
  files?: readonly ReleaseFile[],
): Html {
  const name = PLATFORM_NAMES[platform];
  const link = webLink(latest.downloadURL);
  const { sum, others } = installersOf(latest, files);
  const from = link === undefined ? "" : `from ${new URL(link).host}`;
  return html`<h3>
      ${name} <bdi class="version">${latest.version}</bdi> <bdi class="date">${vendorDate(latest.date)}</bdi>
    </h3>
    ${forceUpdate && html`<em class="required">${WORDS.required}</em>`}
    ${link !== undefined && downloadButton(link, platform)}
    <p class="about">${bytes(latest.size)} ${from}</p>
    ${sum && html`<p class="about">${sum.name} <code>${sum.hex}</code></p>`}
    ${otherLinks(others, platform).map(
      ({ link, label }) => html`<p class="about"><a href="${link}">${WORDS.download} ${label}</a></p>`,
    )}`;
}

function otherLinks(others: readonly ReleaseFile[], platform: Platform): { link: string; label: string }[] {
  return others.flatMap(({ url, arch }) => {
    const link = webLink(url);
    if (link === undefined || arch === undefined) return [];
    return [{ link, label: `for ${PROCESSOR_NAMES[platform][arch] || arch}` }];
  });
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
  const name = fileName(link);
  if (!/\.(?:[a-z][a-z0-9]+|7z)$/i.test(name)) return { file: "", processor: "" };
  const arch = architectureOf(wordsOf(name));
  return { file: clip(name, MAX_FILE_NAME), processor: arch === "unmarked" ? "" : PROCESSOR_NAMES[platform][arch] };
}

function inMarkdown({ platform, fact }: ReleaseView): Markdown {
  const heading = markdown`### ${PLATFORM_NAMES[platform]}`;
  if (fact.state !== "fresh") return markdown`${heading}\n\n${unavailableText(fact)}`;
  if (!fact.payload.hasUpdate) return markdown`${heading}\n\n${WORDS.noRelease}`;
  const { latest, forceUpdate } = fact.payload;
  const { sum, others } = installersOf(latest, fact.files);
  const about = [vendorDate(latest.date), bytes(latest.size)].filter((text) => text !== "").join(" · ");
  const link = webLink(latest.downloadURL);
  return markdown`${heading}

**${latest.version}** · ${about}${forceUpdate && " · required update"}

${link !== undefined && downloadLine(link, labelOf(link, platform))}
${sum && markdown`${sum.name}: ${sum.hex}\n\n`}${otherLinks(others, platform).map(({ link, label }) => markdown`${downloadLine(link, label)}\n`)}Fresh until ${dateTime(fact.freshUntil)}.`;
}

function labelOf(link: string, platform: Platform): string {
  const { file, processor } = fileOf(link, platform);
  return [file, processor && `for ${processor}`].filter((text) => text !== "").join(" ");
}

function downloadLine(link: string, label: string): Markdown {
  return markdown`Download${label && ` ${label}`}: ${trusted<"markdown">(`<${link}>`)}\n`;
}
