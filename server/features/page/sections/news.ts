// The changelogs of the latest releases. Their lines that begin with a hyphen are shown as a list, and each line in the
// direction of its own script.
import { clip, publicUrl } from "../../../../snapshots/rules.ts";
import { fenced, freshnessAttributes, html, joined, markdown, webLink, type Html, type Section } from "../markup.ts";
import type { View } from "../view.ts";
import { PLATFORM_NAMES } from "../../words/words.ts";

/** A longer changelog is collapsed. */
const COLLAPSE_ABOVE = { characters: 900, lines: 12 };
/** So many of its lines with text are shown at first. */
const PREVIEW_LINES = 5;
/** Only one line of endless ones is shown, with so many characters. */
const PREVIEW_CHARACTERS = 300;
/** A longer changelog is cut. */
const MAX_CHARACTERS = 12_000;
const CUT = " … (full text in the API)";

interface News {
  release: string;
  text: string;
  freshUntil: string;
}

export function newsSection({ releases }: View): Section | undefined {
  const all: News[] = releases.flatMap(({ platform, fact }) => {
    if (fact.state !== "fresh" || !fact.payload.hasUpdate || fact.payload.latest.changelog === "") return [];
    const { version, changelog } = fact.payload.latest;
    const text = clip(changelog, MAX_CHARACTERS, CUT);
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

/** One entry stands for both releases, until the first of them ends. */
function shared(one: News, other: News): News {
  const freshUntil = one.freshUntil < other.freshUntil ? one.freshUntil : other.freshUntil;
  return { ...one, release: `${one.release} and ${other.release}`, freshUntil };
}

/** Shows the first lines, and the others behind a button. */
function changelogBody(text: string): Html {
  const lines = text.split("\n");
  const isShort = text.length <= COLLAPSE_ABOVE.characters && lines.length <= COLLAPSE_ABOVE.lines;
  if (isShort) return changelog(lines);
  const end = previewEnd(lines);
  const first = lines.find(isFilled) ?? "";
  const count = text.endsWith(CUT)
    ? ""
    : ` (${(lines.some(isItem) ? lines.filter(isItem) : lines.filter(isFilled)).length})`;
  return html`${changelog(end > 0 ? lines.slice(0, end) : [clip(first, PREVIEW_CHARACTERS)])}
    <details>
      <summary>All changes${count}</summary>
      ${changelog(lines.slice(end))}
    </details>`;
}

/** Where the lines end that are shown at first, before a heading or an item that is shown in part; 0 if they are too long. */
function previewEnd(lines: readonly string[]): number {
  let filled = 0;
  let end = lines.findIndex((line) => isFilled(line) && ++filled > PREVIEW_LINES);
  const isAtStart = () => {
    const [last = "", next = ""] = [lines[end - 1], lines[end]];
    const isHeading = HEADING.test(last) || (isItem(next) && !isItem(last) && !/^\s/.test(last));
    return isFilled(last) && !isHeading && (isItem(next) || !/^\s+\S/.test(next));
  };
  while (end > 0 && !isAtStart()) end--;
  return lines.slice(0, end).join().length > COLLAPSE_ABOVE.characters ? 0 : Math.max(0, end);
}

function changelog(lines: readonly string[]): Html {
  const found = blocks(lines);
  return html`<div class="changelog">
    ${found.map(({ isList, lines }, index) => (isList ? list(lines) : paragraph(lines, found[index + 1] !== undefined)))}
  </div>`;
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

const ITEM = /^ *[-*•] +/;
const HEADING = /^#{1,6} +/;
/** What may stand above a list as its heading, in notes that have lost Markdown's marks. */
const SHORT_LINE = /^.{1,60}(?<![.,;!?])$/;

function isItem(line: string): boolean {
  return ITEM.test(line);
}

/** Runs of list items and of other lines. An indented line behind an item belongs to it. */
function blocks(lines: readonly string[]): { isList: boolean; lines: string[] }[] {
  const found: { isList: boolean; lines: string[] }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const isList = isItem(line);
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

/** Keeps the lines as they are; headings become bold. `isBeforeList`: the last line may be the list's heading. */
function paragraph(lines: readonly string[], isBeforeList: boolean): Html | false {
  const shown = lines.join("\n").trim().split("\n");
  if (shown.join("") === "") return false;
  const parts = shown.map((line, index) => {
    const text = withLinks(line.replace(HEADING, ""));
    const isHeading = HEADING.test(line) || (isBeforeList && index === shown.length - 1 && SHORT_LINE.test(line));
    return html`${index > 0 && "\n"}${isHeading ? html`<b>${text}</b>` : text}`;
  });
  return html`<p dir="auto">${parts}</p>`;
}

const ADDRESS = String.raw`https:\/\/(?:[^\s()<>"']|\([^\s()<>"']*\))*(?:[^\s()<>"'.,:;!?]|\([^\s()<>"']*\))`;
const LINK = new RegExp(String.raw`(\[[^[\]]+\]\(${ADDRESS}\)|${ADDRESS})`);

/** Makes links of addresses and links in Markdown, and drops marks for bold text and code. */
function withLinks(text: string): (string | Html)[] {
  const plain = text.replace(/\*\*([^*]+)\*\*/g, "$1").replace(/`([^`]+)`/g, "$1");
  return plain.split(LINK).map((part, index) => {
    if (index % 2 === 0) return part;
    const [, label = part, url = part] = /^\[(.+?)\]\((.+)\)$/.exec(part) ?? [];
    const link = webLink(publicUrl(url));
    return link === undefined ? part : html`<a href="${link}" rel="nofollow">${label}</a>`;
  });
}
