// Documents as large as may be are read whole; what could block the process for long, or exhaust its memory, is refused.
import { describe, expect, test } from "vitest";
import { fetchDocument, type Read } from "../../collector/source.ts";
import { readElectronBuilder } from "../../collector/sources/feeds/electron-builder.ts";
import { NEWEST_ITEMS, readSparkle } from "../../collector/sources/feeds/sparkle.ts";
import { readSquirrel } from "../../collector/sources/feeds/squirrel.ts";
import { readTauri } from "../../collector/sources/feeds/tauri.ts";
import { readVelopack } from "../../collector/sources/feeds/velopack.ts";
import { readGitHub } from "../../collector/sources/forges/github.ts";
import { fetchError } from "../support/collecting/fetching.ts";
import { body, startUpstream } from "../support/collecting/upstream.ts";

const appcast = (items: string) => `<rss><channel>${items}</channel></rss>`;
const item = (build: number) =>
  `<item><sparkle:version>${build}</sparkle:version><description>${"x".repeat(1_000)}</description></item>`;
const options = { signal: new AbortController().signal, deadline: 20_000 };

const serve = async (text: string) => {
  const upstream = await startUpstream();
  upstream.set("/document", body(text));
  return { url: upstream.url("/document") };
};

test("of an appcast the newest builds are read", async () => {
  const { url } = await serve(appcast(Array.from({ length: 2_000 }, (_, build) => item(build)).join("")));
  const fetched = await fetchDocument(readSparkle, url, options);
  if (fetched === "unchanged") throw new Error(fetched);
  expect(fetched.upstream.map(({ build }) => build)).toEqual(
    Array.from({ length: NEWEST_ITEMS }, (_, index) => String(1_999 - index)),
  );
});

describe("a document is refused", () => {
  test.for<[Read<unknown>, string, RegExp]>([
    [
      readElectronBuilder,
      `version: 1\nreleaseNotes: |\n${"  a line\n".repeat(7_300)}`,
      /^a document of more than 64 KiB$/,
    ],
    [readGitHub, `[${"{},".repeat(1_000_000)}{}]`, /^JSON of more than 1000000 values$/],
    [readGitHub, `[${"{},".repeat(1_000)}{}]`, /^not a list of releases: the answer: must have at most 1000 entries$/],
    [readTauri, `${"[".repeat(5e5)}${"]".repeat(5e5)}`, /^JSON of more than 200 levels$/],
    [readGitHub, `[${'{"a":['.repeat(300)}${"]}".repeat(300)}]`, /^JSON of more than 200 levels$/],
    [readSparkle, appcast("<item/>".repeat(20_001)), /^an appcast of more than 20000 items$/],
    [readElectronBuilder, "[".repeat(16_000), /^YAML nested too deeply$/],
    [readSquirrel, "\n".repeat(10_001), /^a RELEASES file of more than 10000 lines$/],
    [
      readVelopack,
      `{"Assets":[${"{},".repeat(10_000)}{}]}`,
      /^not a Velopack feed: Assets: must have at most 10000 entries$/,
    ],
    [readSparkle, appcast("<a/>".repeat(500_000)), /^XML of more than 500000 elements and attributes$/],
    [
      readSparkle,
      `<rss ${Array.from({ length: 500_000 }, (_, index) => `a${index}=""`).join(" ")}/>`,
      /^XML of more than 500000 elements and attributes$/,
    ],
  ])("of which there is too much: %#", async ([reader, text, reason]) => {
    const { url } = await serve(text);
    expect((await fetchError(fetchDocument(reader, url, options))).message).toMatch(reason);
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
  const fetched = await fetchDocument(readGitHub, url, options);
  if (fetched === "unchanged") throw new Error(fetched);
  expect(fetched.upstream.map(({ notes }) => notes.length)).toEqual(Array.from({ length: 100 }, () => 50_000));
});
