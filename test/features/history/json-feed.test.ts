// The JSON Feed: version 1.1, the same changes as in Atom, and only those from a time on with `since`.
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { readAtom } from "../../support/serving/atom.ts";
import { ask, pollUntil, startServer } from "../../support/serving/server.ts";
import { factsIn, NOW, plansSnapshot, releaseSnapshot } from "../../support/snapshot.ts";

const FEED = "/changes.json";
const HOUR = 60 * 60_000;
const at = (time: number) => new Date(time).toISOString();

const JsonFeed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string().min(1),
  home_page_url: z.url(),
  feed_url: z.url(),
  next_url: z.url().optional(),
  description: z.string().min(1),
  authors: z.array(z.strictObject({ name: z.string().min(1), url: z.url() })).min(1),
  items: z.array(
    z.strictObject({
      id: z.string().startsWith("tag:"),
      url: z.url(),
      title: z.string().min(1),
      content_text: z.string().min(1),
      date_published: z.iso.datetime(),
      tags: z.array(z.enum(["plans", "macos", "windows"])),
    }),
  ),
});

const { get, port, warnings } = await startServer({
  api: { name: "Notes & <more>" },
  prepare: async (directory) => {
    const store = openStore(directory);
    await appendHistory(factsIn(store), plansSnapshot());
    await appendHistory(factsIn(store), releaseSnapshot("windows", { confirmedAt: NOW + HOUR }));
    await appendHistory(factsIn(store), releaseSnapshot("macos", { confirmedAt: NOW + 2 * HOUR }));
  },
  onFinished: afterAll,
});
const read = async (query = "") => JsonFeed.parse((await get(FEED + query)).json());

test("it has the entries of the Atom feed, in the shape of the specification", async () => {
  const { items, feed_url } = await read();
  const { entry } = readAtom((await get("/changes.atom")).text);
  expect(items.map(({ id, title, content_text, date_published }) => [id, title, content_text, date_published])).toEqual(
    entry.map(({ id, title, content, updated }) => [id, title, content["#text"], updated]),
  );
  expect(feed_url).toBe(`http://localhost:${port}${FEED}`);
  expect(items.map(({ title, tags }) => [title, tags])).toEqual([
    ["Notes & <more> 1.0.1 for macOS", ["macos"]],
    ["Notes & <more> 1.0.1 for Windows", ["windows"]],
    ["Plans: plan-0", ["plans"]],
  ]);
});

test.for([
  [0, `${at(NOW + 2 * HOUR + 1)}`],
  [1, `${at(NOW + 2 * HOUR)}`],
  [2, "2026-03-01T12:00:00.001Z"],
  [2, "2026-03-01T14:00:00%2B01:00"],
  [3, "2026-03-01T12:00:00Z"],
  [3, "2026-03-01T12:00Z"],
  [2, "2026-03-01T12:01Z"],
  [3, "2026-03-01T13:00%2B01:00"],
  [3, "2026-03-01"],
  [0, "2026-03-02"],
] as const)("%d changes are from since=%s on", async ([count, since]) => {
  const { items } = await read(`?since=${since}`);
  expect(items).toEqual((await read()).items.slice(0, count));
});

test("a part is served like the whole: with an etag, 304 and HEAD", async () => {
  const target = `${FEED}?since=${at(NOW + 1)}`;
  const { status, headers } = await get(target);
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe((await get(FEED)).headers["cache-control"]);
  expect((await get(target, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
  const head = await ask(port, target, { method: "HEAD" });
  expect(head).toMatchObject({ status: 200, text: "", headers: { etag: headers.etag } });
  expect((await get(FEED)).headers.etag).not.toBe(headers.etag);
});

test.for([
  "?since",
  "?since=",
  "?since=yesterday",
  "?since=2026",
  "?since=2026-02-30",
  "?since=2026-03-01T12:00:00",
  "?since=1772366400000",
  "?since=2026-03-01&since=2026-03-02",
  `?since=${"9".repeat(1_900)}`,
])("anything else is a 400, with the remedy: %s", async (query) => {
  const { status, headers, json } = await get(FEED + query);
  expect([status, headers["cache-control"]]).toEqual([400, "no-store"]);
  expect(json()).toEqual({
    error: "Use since once, with a date or a UTC time: since=2026-11-22 or since=2026-11-22T01:15:00Z.",
  });
});

describe("a long history (server/features/history/feeds.ts)", async () => {
  const [PLANS, RELEASES] = [150, 20];
  const long = await startServer({
    prepare: async (directory) => {
      const store = openStore(directory);
      const snapshots = [
        ...Array.from({ length: PLANS }, (_, index) =>
          plansSnapshot({ revision: index + 1, confirmedAt: NOW + index * HOUR }),
        ),
        ...Array.from({ length: RELEASES }, (_, index) =>
          releaseSnapshot("macos", { revision: index + 1, confirmedAt: NOW + index * HOUR }),
        ),
      ];
      for (const snapshot of snapshots) await appendHistory(factsIn(store), snapshot);
    },
    onFinished: afterAll,
  });

  /** The items of all pages, and the number of items on each page. */
  async function readAll(query: string) {
    const [items, lengths]: [z.infer<typeof JsonFeed>["items"], number[]] = [[], []];
    for (let next: string | undefined = long.base + FEED + query; next !== undefined;) {
      const page = JsonFeed.parse((await long.get(next.slice(long.base.length))).json());
      items.push(...page.items);
      lengths.push(page.items.length);
      next = page.next_url;
    }
    return { items, lengths };
  }

  test("is reached to its end by next_url", async () => {
    const { items, lengths } = await pollUntil(
      () => readAll(""),
      (all) => all.items.length === PLANS + RELEASES,
    );
    expect(lengths).toEqual([50, 50, 50, 20]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(PLANS + RELEASES);
    expect(items).toEqual(items.toSorted((a, b) => Date.parse(b.date_published) - Date.parse(a.date_published)));
  });

  test.for([
    [[50, 50, 50, 20], at(NOW)],
    [[50, 50, 10], at(NOW + 40 * HOUR)],
    [[50], at(NOW + 100 * HOUR)],
    [[50, 1], at(NOW + 99 * HOUR)],
    [[0], at(NOW + 200 * HOUR)],
  ] as const)("has pages of %j since %s", async ([lengths, since]) => {
    const { items } = await readAll("");
    const all = await readAll(`?since=${since}`);
    expect(all.lengths).toEqual(lengths);
    expect(all.items).toEqual(items.filter(({ date_published }) => date_published >= since));
  });

  test.for(["?page=1", "?page=99", `?since=${at(NOW)}&page=3`, `?since=${at(NOW)}&page=4`])(
    "has its pages at every door, with their length: %s",
    async (query) => {
      const { status, text, headers } = await long.get(FEED + query);
      expect([status, headers["content-length"]]).toEqual([200, String(Buffer.byteLength(text))]);
      expect(JsonFeed.parse(JSON.parse(text)).items).toHaveLength(
        query.includes("99") ? 0 : query.endsWith("4") ? 20 : 50,
      );
      const head = await ask(long.port, FEED + query, { method: "HEAD" });
      expect(head).toMatchObject({ status: 200, text: "", headers: { "content-length": headers["content-length"] } });
    },
  );

  test.for(["?page=0", "?page=-1", "?page=1.5", "?page=x", "?page=", "?page=1&page=2", "?page=12345"])(
    "has no page such as %s",
    async (query) => {
      const { status, json } = await long.get(FEED + query);
      expect([status, json()]).toEqual([400, { error: "Use page once, with the number that is in next_url: page=2." }]);
    },
  );
});

test("none of this was a bug of ours", () => {
  expect(warnings).toEqual([]);
});
