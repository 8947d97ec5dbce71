// The latest release for each platform: version, date, size and download link. The page chooses no architecture for its
// reader, so the button names the file and its architecture.
import { architectureOf, wordsOf } from "../../../../snapshots/processors.ts";
import type { LatestReleaseResponse, Platform, Release, ReleaseFile } from "../../../../snapshots/schema.ts";
import { clip } from "../../../../snapshots/rules.ts";
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
import { fileName } from "../../words/file-name.ts";
import { bytes, dateTime, PLATFORM_NAMES, PROCESSOR_NAMES, installersOf, vendorDate } from "../../words/words.ts";

const MAX_FILE_NAME = 80;
const NO_RELEASE = "No release is published.";

type PublishedRelease = Extract<LatestReleaseResponse, { hasUpdate: true }>;

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
            <p>${NO_RELEASE}</p>`
    }
    ${staleNote(fact.freshUntil)}
  </article>`;
}

/** A release in words. `link`: undefined unless it is safe. */
function inWords(latest: Release, platform: Platform, files?: readonly ReleaseFile[]) {
  const { sum, others } = installersOf(latest, files);
  const link = webLink(latest.downloadURL);
  return {
    date: vendorDate(latest.date),
    size: bytes(latest.size),
    own: link === undefined ? undefined : { link, ...fileOf(link, platform) },
    sum,
    others: others.flatMap(({ url, arch }) => {
      const link = webLink(url);
      if (link === undefined || arch === undefined) return [];
      return [{ link, label: `for ${PROCESSOR_NAMES[platform][arch] || arch}` }];
    }),
  };
}

/** The name of the file that a link leads to, and the processor in it, as in `for Intel`; `""` for what the link does not say. */
function fileOf(link: string, platform: Platform): { file: string; processor: string } {
  const name = fileName(link);
  if (!/\.(?:[a-z][a-z0-9]+|7z)$/i.test(name)) return { file: "", processor: "" };
  const arch = architectureOf(wordsOf(name));
  const processor = arch === "unmarked" ? "" : PROCESSOR_NAMES[platform][arch];
  return { file: clip(name, MAX_FILE_NAME), processor: processor && `for ${processor}` };
}

function release({ latest, forceUpdate }: PublishedRelease, platform: Platform, files?: readonly ReleaseFile[]): Html {
  const name = PLATFORM_NAMES[platform];
  const { date, size, own, sum, others } = inWords(latest, platform, files);
  return html`<h3>
      ${PLATFORM_NAMES[platform]} <bdi class="version">${latest.version}</bdi> <bdi class="date">${date}</bdi>
    </h3>
    ${forceUpdate && html`<em class="required">Required update</em>`}
    ${
      own &&
      html`<a class="button" href="${own.link}"
        >Download${own.processor && ` ${own.processor}`}<span class="away"> for ${name}</span
        >${own.file && html` <bdi>${own.file}</bdi>`}</a
      >`
    }
    <p class="about">${size} ${own && `from ${new URL(own.link).host}`}</p>
    ${sum && html`<p class="about">${sum.name} <code>${sum.hex}</code></p>`}
    ${others.map(({ link, label }) => html`<p class="about"><a href="${link}">Download ${label}</a></p>`)}`;
}

function inMarkdown({ platform, fact }: ReleaseView): Markdown {
  const heading = markdown`### ${PLATFORM_NAMES[platform]}`;
  if (fact.state !== "fresh") return markdown`${heading}\n\n${unavailableText(fact)}`;
  if (!fact.payload.hasUpdate) return markdown`${heading}\n\n${NO_RELEASE}`;
  const { latest, forceUpdate } = fact.payload;
  const { date, size, own, sum, others } = inWords(latest, platform, fact.files);
  const about = spaced([date, size], " · ");
  return markdown`${heading}

**${latest.version}** · ${about}${forceUpdate && " · required update"}

${own && downloadLine(own.link, spaced([own.file, own.processor], " "))}
${sum && markdown`${sum.name}: ${sum.hex}\n\n`}${others.map(({ link, label }) => markdown`${downloadLine(link, label)}\n`)}Fresh until ${dateTime(fact.freshUntil)}.`;
}

function spaced(texts: readonly string[], between: string): string {
  return texts.filter((text) => text !== "").join(between);
}

function downloadLine(link: string, label: string): Markdown {
  return markdown`Download${label && ` ${label}`}: ${trusted<"markdown">(`<${link}>`)}\n`;
}
