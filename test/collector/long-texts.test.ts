// A hostile feed whose one name, tag, version or link fills the document: comparing, splitting and printing such a text would
// block the process for seconds. It is refused where it is read, whatever the kind of source.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readerOf } from "../../collector/sources/readers.ts";

const LONG = "1".repeat(5_000);

interface FeedDocument {
  kind: string;
  /** Every text that is read is between « and ». */
  text: string;
  selection?: unknown;
}

const LIST_ENTRY = `"prerelease":false,"draft":false,"published_at":"«2026-11-05»","body":"notes"`;
const ATTACHMENT = `"name":"«N.exe»","size":1,"browser_download_url":"«https://dl.example/N.exe»"`;

const DOCUMENTS: FeedDocument[] = [
  { kind: "github", text: `[{"tag_name":"«v1»",${LIST_ENTRY},"assets":[{${ATTACHMENT},"state":"«uploaded»"}]}]` },
  { kind: "gitea", text: `[{"tag_name":"«v1»",${LIST_ENTRY},"assets":[{${ATTACHMENT}}]}]` },
  {
    kind: "gitlab",
    text: `[{"tag_name":"«v1»","released_at":"«2026-11-05»","assets":{"links":[{"name":"«N.exe»",
      "url":"«https://dl.example/N.exe»","direct_asset_url":"«https://dl.example/N.exe»"}]}}]`,
  },
  {
    kind: "tauri",
    text: `{"version":"«1»","pub_date":"«2026-11-05»","url":"«https://dl.example/N.exe»",
      "platforms":{"«windows-x86_64»":{"url":"«https://dl.example/N.exe»"}}}`,
  },
  {
    kind: "electron-builder",
    text: "version: «1.0»\nfiles:\n  - url: «N.exe»\npath: «N.exe»\nreleaseDate: «2026-11-05»",
  },
  { kind: "electron-builder", text: "version: '1'\nreleaseNotes:\n  - version: «1.0»\n    note: notes" },
  { kind: "squirrel", text: `${"0".repeat(40)} «Notes-1»-1.0.0-full.nupkg 1` },
  { kind: "squirrel", text: `${"0".repeat(40)} «https://dl.example/»Notes-1.0.0-full.nupkg 1` },
  {
    kind: "squirrel",
    text: `{"currentRelease":"«1.0»","releases":[{"version":"«1.0»",
      "updateTo":{"version":"«1.0»","url":"«https://dl.example/N.zip»","pub_date":"«2026-11-05»"}}]}`,
  },
  { kind: "velopack", text: `{"Assets":[{"Version":"«1.0»"}]}` },
  {
    kind: "autoupdater",
    text: `<item><version>«1»</version><url>«https://dl.example/N.exe»</url><mandatory minVersion="«1»">true</mandatory></item>`,
  },
  {
    kind: "sparkle",
    text: `<rss><channel><item><sparkle:version>«7»</sparkle:version><sparkle:channel>«beta»</sparkle:channel>
      <sparkle:shortVersionString>«1.0»</sparkle:shortVersionString><pubDate>«Wed»</pubDate>
      <enclosure url="«https://dl.example/N.dmg»" length="«1»" sparkle:os="«macos»"/></item></channel></rss>`,
  },
  {
    kind: "stripe",
    selection: { currency: "usd" },
    text: `{"object":"list","has_more":false,"data":[{"id":"«price»","active":true,"livemode":true,"type":"«recurring»",
      "currency":"«usd»","billing_scheme":"«per_unit»","lookup_key":"«pro»","tiers_mode":"«none»",
      "unit_amount_decimal":"«1999»","recurring":{"interval":"«month»","interval_count":1,"usage_type":"«licensed»"},
      "product":{"id":"«prod»"},"currency_options":{"«eur»":{"unit_amount_decimal":"«1999»"}}}]}`,
  },
  {
    kind: "paddle",
    selection: { currency: "USD" },
    text: `{"meta":{"pagination":{"has_more":false}},"data":[{"id":"«pri»","product_id":"«pro»","status":"«active»",
      "type":"«standard»","billing_cycle":{"interval":"«month»","frequency":1},"quantity":{"minimum":1},
      "unit_price":{"amount":"«1»","currency_code":"«USD»"},"unit_price_overrides":[],"product":{"status":"«active»"}}]}`,
  },
  {
    kind: "paddle-currencies",
    selection: { currency: "USD" },
    text: `{"data":[{"code":"«USD»","decimal_places":2}]}`,
  },
  {
    kind: "lemonsqueezy",
    text: `{"meta":{"page":{"currentPage":1,"lastPage":1}},"data":[{"type":"prices","id":"«1»","attributes":{"variant_id":1,
      "category":"«subscription»","scheme":"«standard»","usage_aggregation":"«sum»","unit_price":1,
      "renewal_interval_unit":"«month»","renewal_interval_quantity":1,"created_at":"«2026-11-05T00:00:00Z»"}}],
      "included":[{"type":"variants","id":"«1»","attributes":{"product_id":1,"status":"«published»","test_mode":false}}]}`,
  },
  {
    kind: "lemonsqueezy-product",
    text: `{"data":{"type":"products","attributes":{"store_id":1,"status":"«published»","test_mode":false}},
      "included":[{"type":"stores","id":"1","attributes":{"currency":"«USD»"}},{"type":"«variants»","id":"«2»"}]}`,
  },
];

/** As read by its kind, with the text at `index`, if any, replaced by a long one. */
async function readWith({ kind, text, selection }: FeedDocument, index?: number) {
  let at = 0;
  const document = text.replace(/«([^»]*)»/g, (_, value: string) => (at++ === index ? LONG : value));
  return readerOf(kind).read({ text: document, type: "", bytes: document.length }, selection);
}

describe.for(DOCUMENTS)("$kind refuses a text of thousands of characters", (document) => {
  test("and takes the document without one", async () => {
    await readWith(document);
  });

  test.for([...document.text.matchAll(/«([^»]*)»/g)].map(([, value = ""], index) => [value, index] as const))(
    "in place of %j",
    async ([, index]) => {
      const refusal =
        /must have at most (255|4096) characters|without a readable|is not a|Invalid (key in record|input)|not a RELEASES file|not among|does not have its form/;
      await expect(readWith(document, index)).rejects.toThrow(refusal);
    },
  );
});

test("every kind of source with a reader of its own is here", async () => {
  const folder = join(import.meta.dirname, "../../collector/sources");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("read.ts"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const named = texts.flatMap((text) => [...text.matchAll(/(?:^ {2}name: |releaseListReader\()"(?<kind>[\w-]+)"/gm)]);
  const kinds = new Set(named.map(({ groups }) => groups?.kind));
  expect(new Set(DOCUMENTS.map(({ kind }) => kind))).toEqual(kinds);
});

describe("names that are long only together", () => {
  const files = Array.from({ length: 2_000 }, (_, index) => `N-${index}-${"a".repeat(244)}.exe`);

  test("are refused in a list of releases", async () => {
    const assets = files.map((name) => ({ name, state: "uploaded", browser_download_url: "https://dl.example/N" }));
    const text = JSON.stringify([{ tag_name: "v1", draft: false, prerelease: false, assets }]);
    expect(() => readerOf("github").read({ text, type: "", bytes: text.length }, undefined)).toThrow(
      "must have at most 500000 characters in the names of assets",
    );
  });

  test("are refused in an appcast", async () => {
    const links = files.map((name) => `<enclosure url="https://dl.example/${name}"/>`);
    const items = [links.slice(0, 1_000), links.slice(1_000)].map((half) => `<item>${half.join("")}</item>`);
    const text = `<rss><channel>${items.join("")}</channel></rss>`;
    expect(() => readerOf("sparkle").read({ text, type: "", bytes: text.length }, undefined)).toThrow(
      "must have at most 500000 characters in the names of files",
    );
  });
});
