// A hostile feed whose one name, tag, version or link fills the document: comparing, splitting and printing such a text would
// block the process for seconds. It is refused where it is read, whatever the kind of source.
import { describe, expect, test } from "vitest";
import { sourceKinds } from "../../cli/settings/schema.ts";
import type { Read } from "../../collector/source.ts";
import { readAutoUpdater } from "../../collector/sources/feeds/autoupdater.ts";
import { readElectronBuilder } from "../../collector/sources/feeds/electron-builder.ts";
import { readSparkle } from "../../collector/sources/feeds/sparkle.ts";
import { readSquirrel } from "../../collector/sources/feeds/squirrel.ts";
import { readTauri } from "../../collector/sources/feeds/tauri.ts";
import { readVelopack } from "../../collector/sources/feeds/velopack.ts";
import { readGitea } from "../../collector/sources/forges/gitea.ts";
import { readGitHub } from "../../collector/sources/forges/github.ts";
import { readGitLab } from "../../collector/sources/forges/gitlab.ts";
import * as lemonSqueezy from "../../collector/sources/payments/lemonsqueezy.ts";
import * as paddle from "../../collector/sources/payments/paddle.ts";
import { readStripe } from "../../collector/sources/payments/stripe.ts";
import { KINDS, type ReadableText } from "../support/collecting/kinds.ts";

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
  const names = [...Object.keys(READERS), ...sourceKinds().filter((kind) => !own.has(kind))];
  const missing = names.filter((name) => !(name in READERS) || !TEXTS.some(({ reader }) => reader === name));
  expect(missing, "kinds without a reader here, or without `texts` in test/support/collecting/kinds.ts").toEqual([]);
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
