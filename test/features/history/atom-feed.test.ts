// The Atom feed: valid for every content, one entry for each change, and served like the other documents.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiIndex } from "../../../server/api-index.ts";
import type { Change } from "../../../server/features/history/recent-changes.ts";
import { serverSettings } from "../../../server/settings.ts";
import { atomFeed } from "../../../server/features/history/feeds.ts";
import { historyPlaceOf } from "../../../snapshots/features/history/entry.ts";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { readAtom } from "../../support/serving/atom.ts";
import { freePort } from "../../support/port.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, startServer, pollUntil } from "../../support/serving/server.ts";
import { factsIn, NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const FEED = "/changes.atom";
const HOUR = 60 * 60_000;

const keep = (directory: string, ...snapshots: Snapshot[]) =>
  snapshots.reduce(async (last, snapshot) => {
    await last;
    await appendHistory(factsIn(openStore(directory)), snapshot);
  }, Promise.resolve());

const prepared = (...snapshots: Snapshot[]) => ({ prepare: (directory: string) => keep(directory, ...snapshots) });

/** Revision 2 of the macOS release, an hour after the first, with this changelog. */
const withChangelog = (changelog: string) =>
  releaseSnapshot("macos", { revision: 2, confirmedAt: NOW + HOUR }, { changelog });

test("without a history the feed is valid, empty, and the same at every start", async () => {
  const settings = { api: { baseUrl: "https://facts.example.org" } };
  const [one, other] = [
    await startServer({ ...settings, port: await freePort() }),
    await startServer({ ...settings, port: await freePort() }),
  ];
  const { status, headers, text } = await one.get(FEED);
  expect([status, headers["content-type"]]).toEqual([200, "application/atom+xml"]);
  expect(readAtom(text)).toMatchObject({ entry: [], id: `https://facts.example.org${FEED}` });
  expect((await other.get(FEED)).headers.etag).toBe(headers.etag);
});

test("each change is an entry, newest first, with its description and the changelog", async () => {
  const { get, port } = await startServer(
    prepared(
      plansSnapshot(),
      plansSnapshot({ revision: 2, confirmedAt: NOW + HOUR / 2 }),
      releaseSnapshot("macos"),
      releaseSnapshot("macos", { revision: 2, confirmedAt: NOW + HOUR }),
    ),
  );
  const { updated, entry, link } = readAtom((await get(FEED)).text);
  const base = `http://localhost:${port}`;
  expect(updated).toBe(new Date(NOW + HOUR).toISOString());
  expect(link).toContainEqual({ "@rel": "self", "@type": "application/atom+xml", "@href": base + FEED });
  expect(entry.map(({ title }) => title)).toEqual([
    "Product information 1.0.2 for macOS",
    "Plan-0: €1 → €2 a month",
    "Plans: plan-0",
    "Product information 1.0.1 for macOS",
  ]);
  expect(entry[0]?.content["#text"]).toBe("macos 1.0.1 → 1.0.2\n\n- Faster.\n- Übersetzt.");
  expect(entry[1]).toMatchObject({ updated: new Date(NOW + HOUR / 2).toISOString() });
  expect(entry[1]?.content["#text"]).toMatch(/^plans: plan-0 monthly 1 → 2\nplans: plan-0 price by the month 1 → 2\n/);
  for (const address of entry.flatMap(({ link }) => link.map((one) => one["@href"]))) {
    expect(address.startsWith(`${base}/`)).toBe(true);
    if (isServed(address.slice(base.length))) expect((await get(address.slice(base.length))).status, address).toBe(200);
  }
});

describe("a changelog stays text with (server/features/history/feeds.ts)", () => {
  test.for([
    ["markup", "<script>alert(1)</script><b>x</b>"],
    ["an end tag of its element", "x</content></entry></feed><!-- "],
    ["an end of a CDATA section", "<![CDATA[ x ]]> ]]>"],
    ["valid and broken entities", "&lt;b&gt; &amp;amp; &nbsp; &#0; &#x1F; & &x;"],
    ["a document type", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;"],
    ["a processing instruction", "<?xml-stylesheet href='x'?>"],
    ["quotes and non-ASCII characters", `"'" Größe 🎉 日本語 עברית`],
  ] as const)("%s", async ([, changelog]) => {
    const { get } = await startServer(prepared(withChangelog(changelog)));
    const { entry } = readAtom((await get(FEED)).text);
    expect(entry).toHaveLength(1);
    expect(entry[0]?.content["#text"].split("\n\n")[1]).toBe(changelog);
  });

  test("characters that XML does not allow are dropped", async () => {
    const { get } = await startServer(prepared(withChangelog("a\uFFFEb\uFFFFc")));
    expect(readAtom((await get(FEED)).text).entry[0]?.content["#text"]).toMatch(/\n\nabc$/);
  });

  test("a long changelog is cut between two characters", async () => {
    const { get } = await startServer(prepared(withChangelog(`a${"🎉".repeat(50_000)}`)));
    const [entry] = readAtom((await get(FEED)).text).entry;
    expect(entry?.content["#text"].length).toBeLessThan(2_100);
    expect(entry?.content["#text"]).toMatch(/🎉 …$/u);
  });
});

test("a damaged entry is skipped, and the others are listed", async () => {
  const [plans, macos] = [plansSnapshot(), releaseSnapshot("macos")];
  const { get, warnings } = await startServer({
    prepare: async (directory) => {
      await keep(directory, plans, macos);
      await writeFile(join(directory, historyPlaceOf(plans).key), "{");
    },
  });
  expect(readAtom((await get(FEED)).text).entry).toMatchObject([{ title: "Product information 1.0.1 for macOS" }]);
  expect(warnings).toEqual([]);
});

describe("as a document", () => {
  test("its body and ETag change with each change, and only then", async () => {
    const { get, directory, publish, refresh } = await startServer(prepared(plansSnapshot()));
    const first = await get(FEED);
    const second = plansSnapshot({ revision: 2, confirmedAt: NOW + 1 });
    await publish({ ...plansSnapshot(), confirmedAt: new Date(NOW + 1).toISOString() });
    await refresh();
    const etag = String(first.headers.etag);
    expect((await get(FEED, { "if-none-match": etag })).status).toBe(304);
    await publish(second);
    await keep(directory, second);
    await refresh();
    const later = await get(FEED, { "if-none-match": etag });
    expect(later.status).toBe(200);
    expect(readAtom(later.text).entry).toHaveLength(2);
    const compressed = await pollUntil(
      () => get(FEED, { "accept-encoding": "br" }),
      ({ headers }) => headers["content-encoding"] === "br",
    );
    expect(compressed.headers.etag).toBe(String(later.headers.etag).replace(/"$/, '-br"'));
  });

  test("it follows the history in the store", async () => {
    const { get, directory } = await startServer();
    await keep(directory, plansSnapshot());
    await pollUntil(
      () => get(FEED),
      ({ text }) => readAtom(text).entry.length === 1,
    );
    await rm(join(directory, "history"), { recursive: true });
    await pollUntil(
      () => get(FEED),
      ({ text }) => readAtom(text).entry.length === 0,
    );
  });

  test("while the history cannot be read, both feeds are unavailable instead of empty", async () => {
    const inTheWay = (directory: string) => join(directory, "history");
    const { get, directory, refresh } = await startServer({
      prepare: (directory) => writeFile(inTheWay(directory), "a file in place of the folder"),
    });
    for (const feed of [FEED, "/changes.json", "/changes.json?since=2026-03-01"]) {
      const { status, headers, json } = await get(feed);
      expect([status, headers["cache-control"], headers["retry-after"]]).toEqual([502, "no-store", "60"]);
      expect(json()).toEqual({ error: "The history is temporarily unavailable. Please try again later." });
    }
    expect((await get("/healthz")).status).toBe(200);
    await rm(inTheWay(directory));
    await keep(directory, plansSnapshot());
    await refresh();
    expect(readAtom((await get(FEED)).text).entry).toHaveLength(1);
    expect((await get("/changes.json?since=2026-03-01")).json()).toMatchObject({ items: [{ tags: ["plans"] }] });
  });

  test("it stays available while the facts are stale, because it lists past changes", async () => {
    const ended = { freshUntil: new Date(NOW).toISOString() };
    const snapshots = allSnapshots().map((snapshot) => ({ ...snapshot, ...ended }));
    const { get } = await startServer({ snapshots, ...prepared(plansSnapshot()) });
    expect((await get("/api/v1/plans")).status).toBe(502);
    expect(readAtom((await get(FEED)).text).entry).toHaveLength(1);
  });
});

describe("an entry has a permanent id", () => {
  const changedAt = "2026-03-01T12:00:00.000Z";
  const change: Change = {
    ...historyPlaceOf({ name: "plans", revision: 7, changedAt }),
    changes: ["x"],
    differences: [],
    changelog: "",
    published: undefined,
  };
  const idAt = (base: string) =>
    /<entry>\n<id>(.*)<\/id>/.exec(atomFeed(apiIndex(serverSettings.api.parse({}), base), base, [change]))?.[1];
  const KEY = "history/plans-2026-03-01t12-00-00-000z-r7";

  test.for([
    ["https://facts.example.org", `tag:facts.example.org,2026-03-01:/${KEY}`],
    ["https://facts.example.org/notes", `tag:facts.example.org,2026-03-01:/notes/${KEY}`],
    ["http://localhost:3000", `tag:localhost,2026-03-01:3000/${KEY}`],
    ["http://[2001:db8::1]:3000", `tag:2001-db8--1,2026-03-01:3000/${KEY}`],
    ["https://facts.example.org/a&b's", `tag:facts.example.org,2026-03-01:/a&#38;b&#39;s/${KEY}`],
  ] as const)("at %s", ([base, id]) => {
    expect(idAt(base)).toBe(id);
  });
});
