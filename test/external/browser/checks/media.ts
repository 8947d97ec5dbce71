// Paper, forced colours, texts from right to left, and the picture of a link preview.
import type { Page } from "playwright-core";
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { visit } from "../visit.ts";

test("a print from a dark desktop is dark on light", async ({ expect }) => {
  await visit({ address: vendors.demo, scheme: "dark" }, async (page) => {
    expect((await colours(page, "body")).ground).toBeLessThan(60);
    await page.emulateMedia({ media: "print" });
    const paper = await colours(page, "body");
    expect(paper.ground).toBeGreaterThan(200);
    expect(paper.ink).toBeLessThan(60);
  });
});

test("forced colours show the chosen cycle, the downloads and the state", async ({ expect }) => {
  await visit({ address: vendors.demo, scheme: "dark", context: { forcedColors: "active" } }, async (page) => {
    const borders = await page
      .locator("#plans .switch span")
      .evaluateAll((all) => all.map((label) => getComputedStyle(label).borderBottomColor));
    expect(borders).toHaveLength(3);
    expect(borders[0]).not.toBe(borders[1]);
    const button = await colours(page, "#downloads .button");
    expect(Math.abs(button.ground - button.ink)).toBeGreaterThan(100);
    const [dot, line] = await page
      .locator(".fresh")
      .evaluate((line) => ["::before", null].map((part) => getComputedStyle(line, part).backgroundColor));
    expect(dot, "the dot before the state").not.toBe(line);
  });
});

test("the vendor's texts run in their own direction, and the page in its", async ({ expect }) => {
  await visit({ address: vendors.one }, async (page) => {
    const directions = await page
      .locator("html, h1, .lead, .changelog li, .changelog p")
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    expect(directions).toEqual(["ltr", "rtl", "rtl", "rtl", "rtl", "ltr", "rtl"]);
  });
});

/** The lightness of background and text, 0 to 255. */
async function colours(page: Page, selector: string): Promise<{ ground: number; ink: number }> {
  const [ground = 0, ink = 0] = await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color].map((text) => {
        const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
        return (red + green + blue) / 3;
      });
    });
  return { ground, ink };
}
