// The settings for the page's appearance: an accent that is always readable, and an embedded logo.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverSettings } from "../../../server/settings.ts";
import { accents, contrast, GROUND, DEFAULT_COLOUR } from "../../../server/features/page/style.ts";
import { readLogo, readTexts } from "../../../server/features/api-files/api-files.ts";
import { images } from "../../../server/features/page/head.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { renderPage } from "../../support/serving/page.ts";

describe("the accent (server/features/page/style.ts)", () => {
  test("is readable on light and on dark backgrounds, for every colour", () => {
    const steps = [0, 0x33, 0x66, 0x80, 0x99, 0xcc, 0xff].map((value) => value.toString(16).padStart(2, "0"));
    for (const colour of steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))) {
      const { light, dark } = accents(colour);
      expect(contrast(light, GROUND.light), colour).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark, GROUND.dark), colour).toBeGreaterThanOrEqual(4.5);
      for (const accent of [light, dark]) expect(accent).toMatch(/^#[0-9a-f]{6}$/);
    }
  });

  test("is unchanged if it is already readable", () => {
    expect(accents("#0f6e60").light).toBe("#0f6e60");
    expect(accents("#ffd400").dark).toBe("#ffd400");
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  });

  test("accepts only hexadecimal colours, short or long", () => {
    const parse = (color: unknown) => serverSettings.api.safeParse({ color });
    expect(parse("#0AF").data?.color).toBe("#00aaff");
    expect(parse("#00aaff").data?.color).toBe("#00aaff");
    for (const wrong of ["teal", "#12", "#1234", "0f6e60", "#0f6e60;}", 7]) expect(parse(wrong).success).toBe(false);
    expect(renderPage({ api: { color: "#a1187f" } }).html).toContain("--accent:#a1187f");
  });

  test("does not colour the freshness: fresh looks the same with a red accent", () => {
    const { html } = renderPage({ api: { color: "#c00000" } });
    const [, light, dark] = /--good:(#[0-9a-f]{6}).*--good:(#[0-9a-f]{6})/s.exec(html) ?? [];
    expect({ light, dark }).toEqual(accents(DEFAULT_COLOUR));
    for (const rule of html.match(/^.*(?:fresh b|::before|changed)\{[^}]*\}/gm) ?? [])
      expect(rule).not.toContain("accent");
  });
});

describe("the logo", () => {
  const SVG = `<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`;
  const PNG = Buffer.from("89504e470d0a1a0a00", "hex");

  async function written(contents: string | Buffer): Promise<string> {
    const path = join(await temporaryDirectory(), "logo");
    await writeFile(path, contents);
    return path;
  }

  test("is embedded as an image, in which no script runs", async () => {
    const logo = readLogo(await written(SVG));
    expect(logo).toBe(`data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`);
    const { html } = renderPage({ logo: logo! });
    expect(html).toMatch(/<img src="data:image\/svg\+xml;base64,/);
    expect(html).not.toContain("alert(1)");
    const files = images({ api: serverSettings.api.parse({}), logo, picture: "data:image/png;base64,UE5H" });
    // Isolated pages of other origins may show them.
    const anywhere = { "cross-origin-resource-policy": "cross-origin" };
    expect(files).toMatchObject({
      "/favicon.ico": { headers: { "content-type": "image/svg+xml", ...anywhere }, body: Buffer.from(SVG) },
      "/picture.png": { headers: { "content-type": "image/png", ...anywhere }, body: Buffer.from("PNG") },
    });
    expect(readLogo(await written(PNG))).toMatch(/^data:image\/png;base64,/);
    expect(readLogo(undefined)).toBeUndefined();
  });

  test.for([
    ["a page", "<!doctype html><svg></svg>", "is neither SVG nor PNG"],
    ["nothing", "", "is neither SVG nor PNG"],
    ["too large a file", `<svg>${" ".repeat(40_000)}</svg>`, "has 40011 bytes; use one of at most 32768"],
  ])("is refused when it is %s", async ([, contents, words]) => {
    const path = await written(contents ?? "");
    expect(() => readLogo(path)).toThrow(`api.logo: the file ${path} ${words}`);
  });

  test.runIf(isIn("check"))(
    "that is missing is reported by `check`, with its path relative to the settings file",
    async () => {
      const directory = await temporaryDirectory();
      const settings = {
        api: { logo: "logo.svg" },
        plans: { from: "file", path: "plans.json" },
        releases: { from: "file", path: "releases.json" },
      };
      await writeFile(join(directory, "vitrine.config.json"), JSON.stringify(settings));
      const { code, stderr } = await runInProcess(["check"], directory);
      expect(code).toBe(2);
      expect(stderr).toContain(`api.logo: the file ${join(directory, "logo.svg")} cannot be read (ENOENT)`);
    },
  );
});

test.each([
  ["is empty: write it, or leave the setting out", " \n"],
  ["is HTML: write Markdown", "<!doctype html><p>Hello"],
])("questions in a file that %s are refused (server/features/api-files/api-files.ts)", async (fault, text) => {
  const faq = join(await temporaryDirectory(), "faq.md");
  await writeFile(faq, text);
  expect(() => readTexts({ name: "Acme", description: "", faq })).toThrow(`api.faq: the Markdown file ${faq} ${fault}`);
});

test("an overview or questions that are no text are refused (server/features/api-files/api-files.ts)", async () => {
  const faq = join(await temporaryDirectory(), "faq.docx");
  await writeFile(faq, Buffer.from("504b0304ff", "hex"));
  expect(() => readTexts({ name: "Acme", description: "", faq })).toThrow(
    `api.faq: the Markdown file ${faq} must be text in UTF-8`,
  );
});
