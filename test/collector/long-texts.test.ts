// A hostile feed whose one name, tag, version or link fills the document: comparing, splitting and printing such a text would
// block the process for seconds. It is refused where it is read, whatever the kind of source.
import { describe, expect, test } from "vitest";
import { ownShapeReader } from "../../collector/sources/own-shape/own-shape.ts";
import { READERS, readerOf } from "../../collector/sources/sources.ts";
import { KINDS, type ReadableText } from "../support/collecting/kinds.ts";

const LONG = "1".repeat(5_000);

const TEXTS = Object.values(KINDS).flatMap(({ texts = [] }) => texts);

/** As read by its reader, with the text at `index`, if any, replaced by a long one. */
async function readWith({ reader, text, selection }: ReadableText, index?: number) {
  let at = 0;
  const document = text.replace(/«([^»]*)»/g, (_, value: string) => (at++ === index ? LONG : value));
  return readerOf(reader).read({ text: document, type: "", bytes: document.length }, selection);
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

test("every reader of a foreign shape is here", () => {
  const names = READERS.map(({ name }) => name).filter((name) => name !== ownShapeReader.name);
  const missing = names.filter((name) => !TEXTS.some(({ reader }) => reader === name));
  expect(missing, "readers without `texts` in test/support/collecting/kinds.ts").toEqual([]);
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
