// The page fits a narrow window.
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";

export const WIDTH = 320;
const VENDORS = ["demo", "hostile", "long", "one", "many", "nothing", "missing", "stale"] as const;

test.for(VENDORS)(`the page fits into ${WIDTH} px, %s`, async (vendor, { expect }) => {
  await visit({ address: vendors[vendor], width: WIDTH, height: 640 }, async (page) => {
    await openAll(page);
    expect(await page.evaluate(overhanging)).toEqual([]);
  });
});

/** Runs in the page. Reports horizontal scrolling, and texts that extend beyond the window, unless their own box scrolls. */
export function overhanging(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`] : [];
  // Text for screen readers only, or for agents only, is in a box of one pixel.
  const isHidden = (box: Element | null): boolean =>
    box !== null && (box.clientWidth === 1 || isHidden(box.parentElement));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || !text.textContent?.trim())
      continue;
    let box: Element | null = parent;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
    if (box && box !== document.documentElement && box !== document.body) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, width } = range.getBoundingClientRect();
    if (width <= 1 || isHidden(parent) || (left >= -0.5 && right <= clientWidth + 0.5)) continue;
    const where = parent.closest("section")?.id ?? "the page";
    faults.push(
      `${where}: <${parent.localName}> from ${Math.round(left)} to ${Math.round(right)} px: ${text.textContent.trim().slice(0, 60)}`,
    );
  }
  return faults.slice(0, 12);
}
