// The changelogs of the latest releases. Their lines that begin with a hyphen are shown as a list, and each line in the
// direction of its own script.
import { clip } from "../../../snapshots/rules.ts";
import { fenced, html, joined, markdown, type Html } from "../markup.ts";
import { freshnessAttributes, type Section } from "../components.ts";
import type { View } from "../view.ts";
import { PLATFORM_NAMES } from "../../format.ts";

/** A longer changelog is collapsed. */
const COLLAPSE_ABOVE = { characters: 900, lines: 12 };
/** A longer changelog is cut. */
const MAX_CHARACTERS = 12_000;

interface News {
  release: string;
  text: string;
  freshUntil: string;
}

/** Undefined if no release has a changelog. */
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

function changelogBody(text: string): Html {
  const body = html`<div class="changelog">
    ${blocks(text).map(({ isList, lines }) => (isList ? list(lines) : paragraph(lines)))}
  </div>`;
  const isShort = text.length <= COLLAPSE_ABOVE.characters && text.split("\n").length <= COLLAPSE_ABOVE.lines;
  if (isShort) return body;
  return html`<details>
    <summary>All changes</summary>
    ${body}
  </details>`;
}

const ITEM = /^ *[-*•] +/;

/** Runs of list items and of other lines. An indented line behind an item belongs to it. */
function blocks(text: string): { isList: boolean; lines: string[] }[] {
  const found: { isList: boolean; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
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
    ${lines.map((line) => html`<li dir="auto">${line.replace(ITEM, "")}</li>`)}
  </ul>`;
}

function paragraph(lines: readonly string[]): Html | false {
  const text = lines.join("\n").trim();
  return text !== "" && html`<p dir="auto">${text}</p>`;
}
