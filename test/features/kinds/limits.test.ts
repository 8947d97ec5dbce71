// Documents as large as may be are read whole. What could block the process for long, or exhaust its memory, is refused, also a feed
// whose one name, tag, version or link fills the document: comparing, splitting and printing such a text would take seconds.
import { describe, expect, test } from "vitest";
import { fetchDocument, type Read } from "../../../collector/source.ts";
import { readElectronBuilder } from "../../../collector/features/kinds/feeds/electron-builder.ts";
import { NEWEST_ITEMS, readSparkle } from "../../../collector/features/kinds/feeds/appcast.ts";
import { readSquirrel } from "../../../collector/features/kinds/feeds/squirrel.ts";
import { readTauri } from "../../../collector/features/kinds/feeds/tauri.ts";
import { readVelopack } from "../../../collector/features/kinds/feeds/velopack.ts";
import { readGitea, readGitHub } from "../../../collector/features/kinds/forges/github.ts";
import { fetchError } from "../../support/collecting/fetching.ts";
import { body, startUpstream } from "../../support/collecting/upstream.ts";
import { cycleOf } from "../../support/snapshot.ts";
import { ownCandidate } from "../../../collector/features/kinds/own-shape/own-candidate.ts";
import { readAutoUpdater } from "../../../collector/features/kinds/feeds/autoupdater.ts";
import { readGitLab } from "../../../collector/features/kinds/forges/gitlab.ts";
import { readStripe } from "../../../collector/features/kinds/payments/stripe.ts";
import { KINDS, SOURCE_KINDS, type ReadableText } from "../../support/collecting/kinds.ts";
import * as lemonSqueezy from "../../../collector/features/kinds/payments/lemonsqueezy.ts";
import * as paddle from "../../../collector/features/kinds/payments/paddle.ts";

const appcast = (items: string) => `<rss><channel>${items}</channel></rss>`;
const item = (build: number) =>
  `<item><sparkle:version>${build}</sparkle:version><description>${"x".repeat(1_000)}</description></item>`;
const options = { signal: new AbortController().signal, deadline: 20_000 };

const serve = async (text: string) => {
  const upstream = await startUpstream();
  upstream.set("/document", body(text));
  return { url: upstream.url("/document") };
};

describe("a large document (collector/parsing/shape.ts)", () => {
  test("of an appcast the newest builds are read", async () => {
    const { url } = await serve(appcast(Array.from({ length: 2_000 }, (_, build) => item(build)).join("")));
    const fetched = await fetchDocument(readSparkle, url, options);
    if (fetched === "unchanged") throw new Error(fetched);
    expect(fetched.upstream.map(({ build }) => build)).toEqual(
      Array.from({ length: NEWEST_ITEMS }, (_, index) => String(1_999 - index)),
    );
  });
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
    [readElectronBuilder, `z:\n  ${"- ".repeat(7_500)}`, /^YAML nested too deeply$/],
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

const LONG = "1".repeat(5_000);

/** The readers of every document that is not in Vitrine's own shape, whose texts the gate checks. */
const READERS: Record<string, Read<unknown>> = {
  github: readGitHub,
  gitea: readGitea,
  gitlab: readGitLab,
  stripe: readStripe,
  paddle: paddle.readPrices,
  "paddle-currencies": paddle.readCurrencies,
  lemonsqueezy: lemonSqueezy.readPrices,
  "lemonsqueezy-product": lemonSqueezy.readProduct,
  "electron-builder": readElectronBuilder,
  sparkle: readSparkle,
  tauri: readTauri,
  squirrel: readSquirrel,
  velopack: readVelopack,
  autoupdater: readAutoUpdater,
};

const TEXTS = Object.values(KINDS).flatMap(({ texts = [] }) => texts);

/** As read by its reader, with the text at `index`, if any, replaced by a long one. */
async function readWith({ reader, text }: ReadableText, index?: number) {
  let at = 0;
  const document = text.replace(/«([^»]*)»/g, (_, value: string) => (at++ === index ? LONG : value));
  return READERS[reader]?.({ text: document, type: "", bytes: document.length });
}

describe.for(TEXTS)("$reader refuses a text of thousands of characters", (document) => {
  test("and takes the document without one", async () => {
    await readWith(document);
  });

  test.for([...document.text.matchAll(/«([^»]*)»/g)].map(([, value = ""], index) => [value, index] as const))(
    "in place of %j",
    async ([, index]) => {
      const refusal =
        /must have at most (255|4096) characters|must be an id such as|Invalid (key in record|input)|not a RELEASES file|not among|does not have its form/;
      await expect(readWith(document, index)).rejects.toThrow(refusal);
    },
  );
});

test("every kind that reads a foreign shape is here", () => {
  const own = new Set(["file", "json", "command", "none"]);
  const names = [...Object.keys(READERS), ...SOURCE_KINDS.filter((kind) => !own.has(kind))];
  const missing = names.filter((name) => !(name in READERS) || !TEXTS.some(({ reader }) => reader === name));
  expect(missing, "kinds without a reader here, or without `texts` in test/support/collecting/kinds.ts").toEqual([]);
});

test("more cycles than any list of plans has are refused", () => {
  const cycles = Array.from({ length: 1_001 }, (_, index) => cycleOf(`c${index}`, 1));
  const read = (count: number) => () =>
    ownCandidate({ currency: "USD", cycles: cycles.slice(0, count), plans: [] }, "plans", { names: ["plans"] });
  expect(read(1_000)).not.toThrow();
  expect(read(1_001)).toThrow("more than 1000 cycles");
});

describe("names that are long only together", () => {
  const files = Array.from({ length: 2_000 }, (_, index) => `N-${index}-${"a".repeat(244)}.exe`);

  test("are refused in a list of releases", async () => {
    const assets = files.map((name) => ({ name, state: "uploaded", browser_download_url: "https://dl.example/N" }));
    const text = JSON.stringify([{ tag_name: "v1", draft: false, prerelease: false, assets }]);
    expect(() => readGitHub({ text, type: "", bytes: text.length })).toThrow(
      "must have at most 500000 characters in the names of assets",
    );
  });

  test("are refused in an appcast", async () => {
    const links = files.map((name) => `<enclosure url="https://dl.example/${name}"/>`);
    const items = [links.slice(0, 1_000), links.slice(1_000)].map((half) => `<item>${half.join("")}</item>`);
    const text = `<rss><channel>${items.join("")}</channel></rss>`;
    expect(() => readSparkle({ text, type: "", bytes: text.length })).toThrow(
      "must have at most 500000 characters in the names of files",
    );
  });
});
