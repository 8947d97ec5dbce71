// Every control can be used with the keyboard, and the focus is always visible.
import type { Page } from "playwright-core";
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { openAll, visit } from "../visit.ts";

/** More than the page has controls. */
const MAX_STEPS = 300;

test("the keyboard reaches every control, and the focus is visible", async ({ expect }) => {
  await visit({ address: vendors.demo }, async (page) => {
    await openAll(page);
    // As tall as the page, so that it does not scroll between two pictures of the same place.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: 1280, height });
    const controls = await numberControls(page);
    const { reached, unseen } = await walk(page);
    const missed = controls.filter(({ number }) => !reached.has(number));
    expect({ missed, unseen }).toEqual({ missed: [], unseen: [] });
  });
});

interface Control {
  number: string;
  html: string;
}

/** Numbers the visible controls. Of radios with one name only the chosen one is a tab stop; the links for agents are none. */
function numberControls(page: Page): Promise<Control[]> {
  return page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary");
    const usable = [...all].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        element.closest("[aria-hidden]") === null &&
        !(element instanceof HTMLInputElement && element.type === "radio" && !element.checked),
    );
    return usable.map((element, index) => {
      element.setAttribute("data-number", String(index));
      return { number: String(index), html: element.outerHTML.slice(0, 160) };
    });
  });
}

/** Presses Tab until the focus is back at the start. `unseen`: controls that look the same with and without focus. */
async function walk(page: Page): Promise<{ reached: Set<string>; unseen: string[] }> {
  const reached = new Set<string>();
  const pictures: { number: string; clip: Clip; picture: Buffer }[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(focused);
    if (stop === undefined || reached.has(stop.number)) break;
    reached.add(stop.number);
    pictures.push({ ...stop, picture: await page.screenshot({ clip: stop.clip }) });
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const unseen: string[] = [];
  for (const { number, clip, picture } of pictures) {
    const without = await page.screenshot({ clip });
    if (!picture.equals(without)) continue;
    const element = page.locator(`[data-number="${number}"]`);
    unseen.push(await element.evaluate(({ outerHTML }) => outerHTML.slice(0, 160)));
  }
  return { reached, unseen };
}

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Runs in the page. Returns the focused control, and the area around it and its label. */
function focused(): { number: string; clip: Clip } | undefined {
  const element = document.activeElement as HTMLInputElement | null;
  if (!element || element === document.body || element === document.documentElement) return undefined;
  // The browser makes a scrolling box a tab stop too.
  if (element.dataset.number === undefined)
    element.dataset.number = `${element.localName}-${element.id}-${element.offsetTop}`;
  const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
  const left = Math.max(0, Math.min(...boxes.map((box) => box.left)) + scrollX - 8);
  const top = Math.max(0, Math.min(...boxes.map((box) => box.top)) + scrollY - 8);
  const right = Math.max(...boxes.map((box) => box.right)) + scrollX + 8;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + scrollY + 8;
  const clip = { x: left, y: top, width: Math.min(right, innerWidth) - left, height: bottom - top };
  return { number: element.dataset.number, clip };
}
