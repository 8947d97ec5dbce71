// A hostile feed whose one name, tag, version or link fills the document: comparing, splitting and printing such a text would
// block the process for seconds. It is refused where it is read, whatever the kind of source.
import { describe, expect, test } from "vitest";
import { sourceKinds } from "../../cli/settings/schema.ts";
import type { DocumentReader } from "../../collector/source.ts";
import { autoUpdaterReader } from "../../collector/sources/feeds/autoupdater.ts";
import { electronBuilderReader } from "../../collector/sources/feeds/electron-builder.ts";
import { sparkleReader } from "../../collector/sources/feeds/sparkle.ts";
import { squirrelReader } from "../../collector/sources/feeds/squirrel.ts";
import { tauriReader } from "../../collector/sources/feeds/tauri.ts";
import { velopackReader } from "../../collector/sources/feeds/velopack.ts";
import { giteaReader } from "../../collector/sources/forges/gitea.ts";
import { githubReader } from "../../collector/sources/forges/github.ts";
import { gitlabReader } from "../../collector/sources/forges/gitlab.ts";
import * as lemonSqueezy from "../../collector/sources/payments/lemonsqueezy.ts";
import * as paddle from "../../collector/sources/payments/paddle.ts";
import { stripeReader } from "../../collector/sources/payments/stripe.ts";
import { KINDS, type ReadableText } from "../support/collecting/kinds.ts";

const LONG = "1".repeat(5_000);

/** The readers of every document that is not in Vitrine's own shape, whose texts the gate checks. */
const READERS: Record<string, DocumentReader<unknown>> = {
  github: githubReader,
  gitea: giteaReader,
  gitlab: gitlabReader,
  stripe: stripeReader,
  paddle: paddle.priceReader,
  "paddle-currencies": paddle.currencyReader,
  lemonsqueezy: lemonSqueezy.priceReader,
  "lemonsqueezy-product": lemonSqueezy.productReader,
  "electron-builder": electronBuilderReader,
  sparkle: sparkleReader,
  tauri: tauriReader,
  squirrel: squirrelReader,
  velopack: velopackReader,
  autoupdater: autoUpdaterReader,
};

const TEXTS = Object.values(KINDS).flatMap(({ texts = [] }) => texts);

/** As read by its reader, with the text at `index`, if any, replaced by a long one. */
async function readWith({ reader, text }: ReadableText, index?: number) {
  let at = 0;
  const document = text.replace(/«([^»]*)»/g, (_, value: string) => (at++ === index ? LONG : value));
  return READERS[reader]?.read({ text: document, type: "", bytes: document.length });
}

describe.for(TEXTS)("$reader refuses a text of thousands of characters", (document) => {
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
    expect(() => githubReader.read({ text, type: "", bytes: text.length })).toThrow(
      "must have at most 500000 characters in the names of assets",
    );
  });

  test("are refused in an appcast", async () => {
    const links = files.map((name) => `<enclosure url="https://dl.example/${name}"/>`);
    const items = [links.slice(0, 1_000), links.slice(1_000)].map((half) => `<item>${half.join("")}</item>`);
    const text = `<rss><channel>${items.join("")}</channel></rss>`;
    expect(() => sparkleReader.read({ text, type: "", bytes: text.length })).toThrow(
      "must have at most 500000 characters in the names of files",
    );
  });
});
