// The page updates its freshness by itself: left open, or taken from a cache, it never shows stale facts as current.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { HOSTILE_FACTS } from "../payloads.ts";
import { vendors } from "../scene.ts";
import { visit } from "../visit.ts";

const DAY_MS = 86_400_000;

test("a page left open overnight is stale in the morning", async () => {
  await visit({ address: vendors.demo, prepare: (page) => page.clock.install() }, turnsStale);
});

test("an old page from a cache is stale at once", async ({ expect }) => {
  const prepare = (page: Page) => page.clock.install({ time: Date.now() + 2 * DAY_MS });
  await visit({ address: vendors.demo, prepare }, async (page) => {
    const states = (await markers(page)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["stale"]));
  });
});

test("stale facts are not shown as current without JavaScript", async ({ expect }) => {
  await visit({ address: vendors.stale, script: false }, async (page) => {
    expect((await markers(page)).filter(({ state }) => state === "fresh")).toEqual([]);
    expect(await page.locator("header").innerText()).toMatch(/unavailable|out of date|stale/i);
    for (const section of SECTIONS) {
      const text = await page.locator(`#${section}`).innerText();
      const facts = HOSTILE_FACTS.filter((fact) => text.includes(fact));
      if (!(await isMarked(page, section))) expect(facts, `unmarked in #${section}`).toEqual([]);
    }
  });
});

/** The places that show that facts have become stale. */
const PLACES = ["header", "#plans", "#downloads", "#status"];
const SECTIONS = ["plans", "downloads"];

interface Marker {
  freshUntil: string;
  state: string | null;
  text: string;
}

function markers(page: Page): Promise<Marker[]> {
  return page.locator("[data-fresh-until]").evaluateAll((all) =>
    all.map((element) => ({
      freshUntil: element.getAttribute("data-fresh-until") ?? "",
      state: element.getAttribute("data-state"),
      text: (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 120),
    })),
  );
}

/** Lets two days pass. Expects the page to be fresh before, and stale after them. */
async function turnsStale(page: Page): Promise<void> {
  const before = await markers(page);
  expect(new Set(before.map(({ state }) => state))).toEqual(new Set(["fresh"]));
  for (const { freshUntil } of before) expect(Date.parse(freshUntil), freshUntil).not.toBeNaN();
  expect(await page.locator("header [data-fresh-until]").count()).toBeGreaterThan(0);

  const textsBefore = await textsOf(page);
  await page.clock.fastForward(2 * DAY_MS);
  await expect
    .poll(() => markers(page), { timeout: 5_000 })
    .toEqual(before.map(() => expect.objectContaining({ state: "stale" })));
  const textsAfter = await textsOf(page);
  for (const [index, place] of PLACES.entries()) expect(textsAfter[index], place).not.toBe(textsBefore[index]);
  for (const section of SECTIONS) expect(await isMarked(page, section), section).toBe(true);
}

/** The text of each place. */
function textsOf(page: Page): Promise<string[]> {
  return Promise.all(PLACES.map((place) => page.locator(place).first().innerText()));
}

async function isMarked(page: Page, section: string): Promise<boolean> {
  const marked = `#${section}:is([data-state=stale], [data-state=stale] *, :has([data-state=stale]))`;
  return (await page.locator(marked).count()) > 0;
}
