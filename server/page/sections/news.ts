// The changelogs of the latest releases. Their lines that begin with a hyphen are shown as a list, and each line in the
// direction of its own script.
import { clip, publicUrl } from "../../../snapshots/rules.ts";
import { fenced, html, joined, markdown, type Html } from "../markup.ts";
import { freshnessAttributes, webLink, type Section } from "../components.ts";
import type { View } from "../view.ts";
import { PLATFORM_NAMES } from "../../format.ts";

/** A longer changelog is collapsed. */
const COLLAPSE_ABOVE = { characters: 900, lines: 12 };
/** Lines with text that are shown of it. */
const PREVIEW_LINES = 5;
/** A longer changelog is cut. */
const MAX_CHARACTERS = 12_000;

interface News {
  release: string;
  text: string;
  freshUntil: string;
}

export function newsSection({ releases }: View): Section | undefined {
  const all: News[] = releases.flatMap(({ platform, fact }) => {
    if (fact.state !== "fresh" || !fact.payload.hasUpdate || fact.payload.latest.changelog === "") return [];
    const { version, changelog } = fact.payload.latest;
    const text = clip(changelog, MAX_CHARACTERS, " … (full text in the API)");
    return [{ release: `${PLATFORM_NAMES[platform]} ${version}`, text, freshUntil: fact.freshUntil }];
  });
  const [first, second] = all;
  const news = first && first.text === second?.text ? [shared(first, second)] : all;
  if (news.length === 0) return undefined;
  return {
    id: "news",
    title: "What is new",
    html: html`<div class="news">
      ${news.map(
        ({ release, text, freshUntil }) =>
          html`<article class="facts" ${freshnessAttributes(freshUntil)}>
            <h3 dir="auto">${release}</h3>
            ${changelogBody(text)}
          </article>`,
      )}
    </div>`,
    markdown: joined(
      news.map(({ release, text }) => markdown`### ${release}\n\n${fenced(text, "text")}`),
      "\n\n",
    ),
  };
}

/** Both releases with the same text, until the first of them ends. */
function shared(one: News, other: News): News {
  const freshUntil = one.freshUntil < other.freshUntil ? one.freshUntil : other.freshUntil;
  return { ...one, release: `${one.release} and ${other.release}`, freshUntil };
}

/** Its first lines, and behind a button the others. */
function changelogBody(text: string): Html {
  const lines = text.split("\n");
  const isShort = text.length <= COLLAPSE_ABOVE.characters && lines.length <= COLLAPSE_ABOVE.lines;
  if (isShort) return changelog(lines);
  const start = previewEnd(lines);
  if (start === 0) {
    return html`<details>
      <summary>All changes</summary>
      ${changelog(lines)}
    </details>`;
  }
  return html`${changelog(lines.slice(0, start))}
    <details>
      <summary>All changes (${lines.filter((line) => isFilled(line) && !isHeading(line)).length})</summary>
      ${changelog(lines.slice(start))}
    </details>`;
}

/** Where the lines end that are shown at first; a heading belongs to those below it. 0 for lines that are too long for that. */
function previewEnd(lines: readonly string[]): number {
  let filled = 0;
  let end = lines.findIndex((line) => isFilled(line) && ++filled > PREVIEW_LINES);
  while (end > 0 && (!isFilled(lines[end - 1] ?? "") || isHeading(lines[end - 1] ?? ""))) end--;
  return lines.slice(0, end).join().length > COLLAPSE_ABOVE.characters ? 0 : Math.max(0, end);
}

function changelog(lines: readonly string[]): Html {
  return html`<div class="changelog">
    ${blocks(lines).map(({ isList, lines }) => (isList ? list(lines) : paragraph(lines)))}
  </div>`;
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

const ITEM = /^ *[-*•] +/;
const HEADING = /^#{1,6} +/;

function isHeading(line: string): boolean {
  return HEADING.test(line);
}

/** Runs of list items and of other lines. An indented line behind an item belongs to it. */
function blocks(lines: readonly string[]): { isList: boolean; lines: string[] }[] {
  const found: { isList: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const isList = ITEM.test(line);
    if (last?.isList && !isList && /^\s+\S/.test(line)) last.lines.push(`${last.lines.pop()}\n${line.trim()}`);
    else if (last?.isList === isList) last.lines.push(line);
    else found.push({ isList, lines: [line] });
  }
  return found;
}

function list(lines: readonly string[]): Html {
  return html`<ul>
    ${lines.map((line) => html`<li dir="auto">${withLinks(line.replace(ITEM, ""))}</li>`)}
  </ul>`;
}

/** Lines as they are; Markdown's headings are bold. */
function paragraph(lines: readonly string[]): Html | false {
  const shown = lines.join("\n").trim().split("\n");
  if (shown.join("") === "") return false;
  const parts = shown.map((line, index) => {
    const text = withLinks(line.replace(HEADING, ""));
    return html`${index > 0 && "\n"}${isHeading(line) ? html`<b>${text}</b>` : text}`;
  });
  return html`<p dir="auto">${parts}</p>`;
}

/** Addresses, and links in Markdown, as links. */
function withLinks(text: string): (string | Html)[] {
  return text
    .split(/(\[[^[\]]+\]\(https:\/\/[^\s()]+\)|https:\/\/[^\s<>()"']*[^\s<>()"'.,:;!?])/)
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const [, label = part, url = part] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
      const link = webLink(publicUrl(url));
      return link === undefined ? part : html`<a href="${link}" rel="nofollow">${label}</a>`;
    });
}
