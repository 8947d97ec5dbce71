// The page updates its freshness by itself: left open, or taken from a cache, it never shows stale facts as current.
import type { Page } from "playwright-core";
import type { Check } from "../check.ts";
import { HOSTILE_FACTS } from "../payloads.ts";
import { visit } from "../visit.ts";

const DAY_MS = 86_400_000;

export const FRESHNESS: Check[] = [
  {
    name: "a page left open overnight is stale in the morning",
    async run({ browser, vendors }) {
      const faults = await visit(
        browser,
        { address: vendors.demo, prepare: (page) => page.clock.install() },
        async (page) =>
          turnsStale(page, async () => {
            await page.clock.fastForward(2 * DAY_MS);
            await isStale(page);
          }),
      );
      return { checked: "two days later", faults };
    },
  },
  {
    name: "an old page from a cache is stale at once",
    async run({ browser, vendors }) {
      const later = Date.now() + 2 * DAY_MS;
      const faults = await visit(
        browser,
        { address: vendors.demo, prepare: (page) => page.clock.install({ time: later }) },
        notStale,
      );
      return { checked: "opened two days later", faults };
    },
  },
  {
    name: "stale facts are not shown as current without JavaScript",
    async run({ browser, vendors }) {
      const faults = await visit(browser, { address: vendors.stale, script: false }, async (page) => {
        const fresh = (await markers(page)).filter(({ state }) => state === "fresh");
        const header = await page.locator("header").innerText();
        const words = /unavailable|out of date|stale/i.test(header)
          ? []
          : [`the header does not mention it: ${header}`];
        const unmarked = await Promise.all(["plans", "downloads"].map((section) => unmarkedFacts(page, section)));
        return [...fresh.map(({ text }) => `fresh: ${text}`), ...words, ...unmarked.flat()];
      });
      return { checked: "the server says so, too", faults };
    },
  },
];

/** The places that show that facts have become stale. */
const PLACES = ["header", "#plans", "#downloads", "#status"];

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

async function notStale(page: Page): Promise<string[]> {
  const found = await markers(page);
  if (found.length === 0) return ["no element says how fresh anything is"];
  return found.filter(({ state }) => state !== "stale").map(({ text }) => `not stale: ${text}`);
}

/** Waits until everything is stale, for 5 s at most. Afterwards the caller reports the rest. */
async function isStale(page: Page): Promise<void> {
  const isSo = () =>
    [...document.querySelectorAll("[data-fresh-until]")].every((one) => one.getAttribute("data-state") === "stale");
  await page.waitForFunction(isSo, undefined, { timeout: 5_000 }).catch(() => {});
}

/** Checks that the page is fresh when opened, and stale after `pass`. */
async function turnsStale(page: Page, pass: () => Promise<void>): Promise<string[]> {
  const before = await markers(page);
  const faults = before.filter(({ state }) => state !== "fresh").map(({ text }) => `not fresh at first: ${text}`);
  const until = before.filter(({ freshUntil }) => Number.isNaN(Date.parse(freshUntil)));
  faults.push(...until.map(({ freshUntil }) => `no time: data-fresh-until="${freshUntil}"`));
  if (before.length === 0) faults.push("no element says how fresh anything is");
  if (!(await page.locator("header [data-fresh-until]").count()))
    faults.push("the header does not say how fresh it is");
  if (faults.length > 0) return faults;

  const textsBefore = await textsOf(page);
  await pass();
  const still = (await markers(page)).filter(({ state }) => state !== "stale");
  faults.push(...still.map(({ state, text }) => `still ${state}: ${text}`));
  const textsAfter = await textsOf(page);
  for (const [index, place] of PLACES.entries()) {
    if (textsAfter[index] === textsBefore[index]) faults.push(`${place} says the same as before`);
  }
  for (const section of ["plans", "downloads"]) {
    if (!(await isMarked(page, section))) faults.push(`the facts in #${section} are not marked`);
  }
  return faults;
}

/** The text of each place. */
function textsOf(page: Page): Promise<string[]> {
  return Promise.all(PLACES.map((place) => page.locator(place).first().innerText()));
}

async function isMarked(page: Page, section: string): Promise<boolean> {
  const marked = `#${section}:is([data-state=stale], [data-state=stale] *, :has([data-state=stale]))`;
  return (await page.locator(marked).count()) > 0;
}

/** Reports facts that a section shows without a mark. */
async function unmarkedFacts(page: Page, section: string): Promise<string[]> {
  const text = await page.locator(`#${section}`).innerText();
  const facts = HOSTILE_FACTS.filter((fact) => text.includes(fact));
  return facts.length === 0 || (await isMarked(page, section))
    ? []
    : [`#${section} shows unmarked facts: ${facts.join(", ")}`];
}
