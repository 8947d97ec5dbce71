// Update feeds that real apps publish, found after the kinds were written: each answer was judged by a person, who read the feed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSource } from "../../support/collecting/read-source.ts";
import { readItems, WRITERS } from "../../support/collecting/feed-documents.ts";
import { body } from "../../support/collecting/upstream.ts";
import { isIn } from "../../support/program/feature.ts";

interface Feed {
  kind: string;
  platform: "macos" | "windows";
  /** Repository, path and, behind @, a revision. */
  id: string;
  settings: object;
  lines: string[][];
  answer: string[];
  told: string[];
}

const FEEDS = readFeeds(readFileSync(join(import.meta.dirname, "feeds-of-the-world.tsv"), "utf8"));

function readFeeds(text: string): Feed[] {
  const feeds: Feed[] = [];
  for (const line of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [word = "", ...cells] = line.split("\t");
    const feed = feeds.at(-1);
    if (word === "feed") feeds.push(feedOf(cells));
    else if (word === "answer") feed?.answer.push(...cells);
    else if (word === "told") feed?.told.push(...cells);
    else feed?.lines.push([word, ...cells]);
  }
  return feeds;
}

function feedOf([kind = "", platform = "", id = "", settings = "{}"]: string[]): Feed {
  return {
    kind,
    platform: platform === "macos" ? "macos" : "windows",
    id,
    settings: JSON.parse(settings),
    lines: [],
    answer: [],
    told: [],
  };
}

/** These name packages for an updater only. */
const WITHOUT_LINKS = new Set(["velopack macos", "velopack windows", "squirrel windows"]);

async function answerOf({ kind, platform, settings, lines }: Feed): Promise<Pick<Feed, "answer" | "told">> {
  const extension = platform === "macos" ? "pkg" : "exe";
  const installer = WITHOUT_LINKS.has(`${kind} ${platform}`) ? { installer: `App-{version}-Setup.${extension}` } : {};
  const text = WRITERS[kind]?.(readItems(lines)) ?? "";
  const name = `release-${platform}` as const;
  try {
    const found = await readSource({ from: kind, ...installer, ...settings }, body(text), { name, path: "/dir/feed" });
    const { latest, warnings, passedOver = [], origin } = found;
    const told = [...warnings, ...passedOver];
    if (!latest) return { answer: ["none"], told };
    const { version, date, downloadURL } = latest;
    return { answer: [version, date, downloadURL.replace(origin, "")], told };
  } catch (error) {
    return { answer: ["refused", String(error instanceof Error ? error.message : error)], told: [] };
  }
}

describe("the feed of an app is answered as a person would (collector/features/kinds/feeds/)", () => {
  test("there are enough of them, of each kind", () => {
    expect(new Set(FEEDS.map(({ id }) => id.replace(/@.*/, ""))).size).toBeGreaterThanOrEqual(100);
    expect(new Set(FEEDS.map(({ kind }) => kind))).toEqual(new Set(Object.keys(WRITERS)));
  });

  test.for(FEEDS)("$kind for $platform: $id $settings", async (feed) => {
    expect(await answerOf(feed)).toEqual({
      answer: feed.answer,
      told: isIn("warnings") ? feed.told : expect.any(Array),
    });
  });
});
