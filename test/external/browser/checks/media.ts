// Paper, forced colours, texts from right to left, and the picture of a link preview.
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { visit } from "../visit.ts";

export const MEDIA: Check[] = [
  {
    name: "a print from a dark desktop is dark on light",
    async run({ browser, vendors }) {
      const faults = await visit(browser, { address: vendors.demo, scheme: "dark" }, async (page) => {
        const screen = await colours(page, "body");
        await page.emulateMedia({ media: "print" });
        const paper = await colours(page, "body");
        const found = paper.ground > 200 && paper.ink < 60 ? [] : [`on paper: ${JSON.stringify(paper)}`];
        return screen.ground < 60 ? found : [...found, "the screen is not dark"];
      });
      return { checked: "ground and ink", faults };
    },
  },
  {
    name: "forced colours show the chosen cycle, the downloads and the state",
    async run({ browser, vendors }) {
      const context = { forcedColors: "active" } as const;
      const faults = await visit(browser, { address: vendors.demo, scheme: "dark", context }, async (page) => {
        const borders = await page
          .locator("#plans .switch span")
          .evaluateAll((all) => all.map((label) => getComputedStyle(label).borderBottomColor));
        const button = await colours(page, "#downloads .button");
        const dot = await page
          .locator(".fresh")
          .evaluate(
            (line) => getComputedStyle(line, "::before").backgroundColor !== getComputedStyle(line).backgroundColor,
          );
        return [
          ...(borders.length === 3 && borders[0] !== borders[1] ? [] : [`borders of the cycles: ${borders}`]),
          ...(Math.abs(button.ground - button.ink) > 100 ? [] : [`the button: ${JSON.stringify(button)}`]),
          ...(dot ? [] : ["the dot before the state is invisible"]),
        ];
      });
      return { checked: "borders, button, dot", faults };
    },
  },
  {
    name: "the vendor's texts run in their own direction, and the page in its",
    async run({ browser, vendors }) {
      const faults = await visit(browser, { address: vendors.one }, async (page) => {
        const directions = await page
          .locator("html, h1, .lead, .changelog li, .changelog p")
          .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
        const wanted = ["ltr", "rtl", "rtl", "rtl", "rtl", "ltr", "rtl"];
        return String(directions) === String(wanted) ? [] : [`${directions}, not ${wanted}`];
      });
      return { checked: "Hebrew, Arabic and English", faults };
    },
  },
];

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
