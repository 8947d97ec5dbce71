// Documents so large that they are read on a thread: the results are the same, and the process is neither blocked nor
// brought down.
import { describe, expect, test } from "vitest";
import { fetchDocument } from "../../collector/sources/fetch-document.ts";
import { githubReader } from "../../collector/sources/forges/github.ts";
import { ownShapeReader, type OwnShapeSelection } from "../../collector/sources/own-shape/own-shape.ts";
import { NEWEST_ITEMS, sparkleReader } from "../../collector/sources/feeds/sparkle.ts";
import { readerOf } from "../../collector/sources/sources.ts";
import { fetchError } from "../support/collecting/fetching.ts";
import { body, json, startUpstream } from "../support/collecting/upstream.ts";
import { vendorPlans } from "../support/collecting/vendor.ts";

const appcast = (items: string) => `<rss><channel>${items}</channel></rss>`;
const item = (build: number) =>
  `<item><sparkle:version>${build}</sparkle:version><description>${"x".repeat(1_000)}</description></item>`;
const options = { signal: new AbortController().signal, deadline: 20_000 };

const serve = async (text: string) => {
  const upstream = await startUpstream();
  upstream.set("/document", body(text));
  upstream.set("/ping", json(null));
  return { url: upstream.url("/document"), ping: () => fetch(upstream.url("/ping")) };
};

/** Waits for `reading`, and counts the requests that the process completes meanwhile. */
async function readBesides<T extends object>(
  { ping }: Awaited<ReturnType<typeof serve>>,
  reading: Promise<T | "unchanged">,
) {
  let isRead = false;
  const read = reading.finally(() => (isRead = true));
  let pings = 0;
  while (!isRead) await ping().then(() => pings++);
  const fetched = await read;
  if (fetched === "unchanged") throw new Error("unchanged");
  return { fetched, pings };
}

// A document read in place would allow one or two requests.
describe("the process does its other work while it reads", () => {
  test("an appcast, of which the newest builds come back", async () => {
    const served = await serve(appcast(Array.from({ length: 2_000 }, (_, build) => item(build)).join("")));
    const { fetched, pings } = await readBesides(served, fetchDocument(sparkleReader, served.url, options));
    expect(fetched.upstream.map(({ build }) => build)).toEqual(
      Array.from({ length: NEWEST_ITEMS }, (_, index) => String(1_999 - index)),
    );
    expect(pings).toBeGreaterThan(20);
  });

  test("ten megabytes of a vendor's own JSON, of which only the facts come back", async () => {
    const more = Array.from({ length: 130_000 }, (_, id) => ({ id, name: `something ${id}`, tags: ["one", "two"] }));
    const served = await serve(JSON.stringify({ more, facts: { ...vendorPlans(), more: more.slice(0, 30_000) } }));
    const selection: OwnShapeSelection = { names: ["plans"], at: { pointer: "/facts" } };
    const { fetched, pings } = await readBesides(
      served,
      fetchDocument(ownShapeReader, served.url, { ...options, selection }),
    );
    expect(fetched.upstream.get("plans")).toEqual({ payload: vendorPlans(), dropped: 1, droppedFields: ["more"] });
    expect(pings).toBeGreaterThan(20);
  });
});

describe("a document is refused", () => {
  test.for<[string, string, RegExp]>([
    [
      "electron-builder",
      `version: 1\nreleaseNotes: |\n${"  a line\n".repeat(1_150_000)}`,
      /^a document of more than 1 MiB$/,
    ],
    ["tauri", JSON.stringify({ version: "1", notes: "x".repeat(10e6) }), /^a document of more than 1 MiB$/],
    ["github", `[${"{},".repeat(3_450_000)}{}]`, /^JSON of more than 1000000 values$/],
    ["github", `[${"{},".repeat(1_000)}{}]`, /^not a list of releases: the answer: must have at most 1000 entries$/],
    ["gitea", `[${"{},".repeat(1_000)}{}]`, /^not a list of releases: the answer: must have at most 1000 entries$/],
    ["gitlab", `[${"{},".repeat(1_000)}{}]`, /^not a list of releases: the answer: must have at most 1000 entries$/],
    ["tauri", `${"[".repeat(5e5)}${"]".repeat(5e5)}`, /^JSON of more than 200 levels$/],
    ["github", `[${'{"a":['.repeat(300)}${"]}".repeat(300)}]`, /^JSON of more than 200 levels$/],
    ["sparkle", appcast("<item/>".repeat(20_001)), /^an appcast of more than 20000 items$/],
    ["electron-builder", "[".repeat(16_000), /^YAML nested too deeply$/],
    ["squirrel", "\n".repeat(10_001), /^a RELEASES file of more than 10000 lines$/],
    ["squirrel", " ".repeat(5e6), /^a document of more than 4 MiB$/],
    [
      "velopack",
      `{"Assets":[${"{},".repeat(10_000)}{}]}`,
      /^not a Velopack feed: Assets: must have at most 10000 entries$/,
    ],
    ["autoupdater", `<item>${"<a/>".repeat(300_000)}</item>`, /^a document of more than 1 MiB$/],
  ])("%s: too much of it", async ([kind, text, reason]) => {
    const { url } = await serve(text);
    expect((await fetchError(fetchDocument(readerOf(kind), url, options))).message).toMatch(reason);
  });

  test("if reading it takes too long", async () => {
    const { url } = await serve(`k: 1\n${Array.from({ length: 60_000 }, (_, key) => `k${key}: 1\n`).join("")}`);
    const late = await fetchError(fetchDocument(readerOf("electron-builder"), url, { ...options, deadline: 1_000 }));
    expect(late.message).toMatch(/^(could not be read in time|no complete answer within 1 s)$/);
  });
});

test("ten megabytes of releases are read whole", async () => {
  const release = (number: number) => ({
    tag_name: `v1.${number}`,
    draft: false,
    prerelease: false,
    published_at: null,
    body: "ü".repeat(50_000),
    assets: [{ name: "N.exe", state: "uploaded", size: 1, browser_download_url: "https://dl.example.com/N.exe" }],
  });
  const { url } = await serve(JSON.stringify(Array.from({ length: 100 }, (_, number) => release(number))));
  const fetched = await fetchDocument(githubReader, url, options);
  if (fetched === "unchanged") throw new Error(fetched);
  expect(fetched.upstream.map(({ notes }) => notes.length)).toEqual(Array.from({ length: 100 }, () => 50_000));
});
