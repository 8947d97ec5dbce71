// The elements of /embed.js on sites of others.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { PlansResponse } from "../../../../snapshots/schema.ts";
import { PINNED_PATH, pinnedScript } from "../../../../server/documents/embed.ts";
import { temporaryDirectory } from "../../../support/directory.ts";
import { cycleOf, planOf } from "../../../support/snapshot.ts";
import type { Check } from "../check.ts";
import { MANY, MARKUP, ONE, type Payloads } from "../payloads.ts";
import { onSite, siteOf } from "../sites.ts";
import { publishAll, startVendor } from "../vendors.ts";
import { violations } from "./accessible.ts";

const DOCUMENT = join(import.meta.dirname, "../../../../docs/embed.md");
export const BOTH = "<vitrine-plans><p>Plans</p></vitrine-plans><vitrine-download><p>Download</p></vitrine-download>";
const LIGHT = "body { font: 17px/1.6 serif; margin: 2rem }";
const DARK = ":root { color-scheme: dark } body { font: 16px/1.6 sans-serif; color: #eee; background: #14111f }";
const DAY_MS = 86_400_000;
/** Chromium's line for an answer such as 502, and for none. */
export const NOT_LOADED = /^console: Failed to load resource/;
const SECOND_MS = 1_000;

export const EMBED: Check[] = [
  {
    name: "the document's example shows the facts of another origin under a strict policy",
    async run({ browser, vendors: { demo } }) {
      const [, example = ""] = /```html\n(.*?)```/s.exec(await readFile(DOCUMENT, "utf8")) ?? [];
      const html = example.replaceAll("http://localhost:3000/", demo);
      const { plans } = (await (await fetch(new URL("/api/v1/plans", demo))).json()) as PlansResponse;
      const faults = await onSite(browser, { vendor: demo, html, prepare: onPlatform("Win32") }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        const titles = await page.locator("[part=title]").allInnerTexts();
        const amounts = await page.locator("[part=amount]").allInnerTexts();
        const links = await page.locator("[part=download]").allInnerTexts();
        return [
          ...differences("titles", titles, ["Free", "Plus", "Pro", "Studio"]),
          ...differences("prices", amounts, ["Free", "$12", "$24", "$60"]),
          ...differences("downloads", links, ["Download for Windows", "Download for macOS"]),
          ...((await page.getByText("See the plans").isVisible()) ? ["the fallback is still there"] : []),
        ];
      });
      return { checked: `${plans.length} plans, 2 downloads`, faults };
    },
  },
  ...[1280, 360].map((width): Check => ({
    name: `axe finds no violation in the elements, and their layout follows the site, ${width}`,
    async run({ browser, vendors }) {
      const twelve = MANY.plans.map((payload) =>
        "plans" in payload ? { ...payload, plans: payload.plans.slice(0, 12) } : payload,
      );
      const faults = await withVendor({ ...MANY, plans: twelve }, async (many) => {
        const sites = [
          { vendor: vendors.demo, style: LIGHT, plans: 4 },
          { vendor: vendors.demo, style: DARK, lang: "de", plans: 4 },
          { vendor: vendors.demo, style: LIGHT, lang: "ar", plans: 4 },
          { vendor: vendors.one, style: DARK, lang: "ar", plans: 1 },
          { vendor: vendors.hostile, style: LIGHT, lang: "ja", plans: 4 },
          { vendor: vendors.long, style: LIGHT, lang: "fr", plans: 30 },
          { vendor: vendors.nothing, style: DARK, plans: 0 },
          { vendor: many, style: LIGHT, plans: 12 },
        ];
        const found = [];
        for (const { vendor, plans, ...site } of sites) {
          const here = `${site.lang ?? "en"}, ${plans} plans: `;
          const html = siteOf(vendor, BOTH, site);
          const faults = await onSite(browser, { vendor, html, width }, async (page) => {
            await page.locator("[part=release]").first().waitFor();
            return [...(await violations(page)), ...(await layout(page, plans))];
          });
          found.push(...faults.map((fault) => here + fault));
        }
        return found;
      });
      return { checked: "light, dark, right to left; 0 to 30 plans", faults };
    },
  })),
  {
    name: "the elements speak the page's language, with the vendor's own words, from an address with a path",
    async run({ browser, vendors: { demo } }) {
      const body = `<vitrine-plans cycle="annual" buy="Abonnieren" heading="4"></vitrine-plans>
        <section lang="fr-CA"><vitrine-download platform="macos"></vitrine-download></section>`;
      const vendor = `${demo}notes/`;
      // As a proxy does.
      const prepare = (page: Page) =>
        page.route(`${vendor}**`, (route) => route.continue({ url: route.request().url().replace("/notes/", "/") }));
      const html = siteOf(vendor, body, { lang: "de-AT" });
      const faults = await onSite(browser, { vendor, html, prepare }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        await page.locator("[part=download]").waitFor();
        const plan = (await page.locator("[part~=popular]").innerText()).replace(/\s+/g, " ");
        const release = (await page.locator("[part=release]").innerText()).replace(/\s+/g, " ");
        return [
          ...differences(
            "plan",
            [plan],
            ["Pro Empfohlen For heavy note-takers $ 239 pro Jahr Credits pro Monat: 2 000 Abonnieren Pro"],
          ),
          ...differences("release", [release], ["Télécharger pour macOS Version 4.2.1 · 12 nov. 2026 · 104 Mo"]),
          ...differences("headings", [await page.locator("vitrine-plans h4").count()], [4]),
        ];
      });
      return { checked: "de-AT and fr-CA", faults };
    },
  },
  {
    name: "the keyboard reaches every control of the elements, and arrow keys choose a cycle",
    async run({ browser, vendors: { demo } }) {
      const faults = await onSite(browser, { vendor: demo, html: siteOf(demo, BOTH) }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        await page.locator("[part=download]").first().waitFor();
        const stops: string[] = [];
        for (let stop = 0; stop < 6; stop++) {
          await page.keyboard.press("Tab");
          stops.push(await page.evaluate(focused));
          if (stop === 0) await page.keyboard.press("ArrowRight");
        }
        const amounts = await page.locator("[part=amount]").allInnerTexts();
        const groups = await page.getByRole("group", { name: "Billing" }).getByRole("radio").count();
        return [
          ...differences("stops", stops, [
            "monthly",
            ...["plus", "pro", "studio"].map((id) => `https://lumen-notes.example.com/buy/${id}`),
            ...["4.2.1-universal.dmg", "4.2.0-x64.msi"].map(
              (file) => `https://downloads.example.com/lumen-notes-${file}`,
            ),
          ]),
          ...differences("prices", amounts, ["Free", "$33", "$66", "$165"]),
          ...differences("radio buttons", [groups], [3]),
        ];
      });
      return { checked: "6 stops", faults };
    },
  },
  {
    name: "unavailable facts are said to be so, and what the site gives in their place is shown",
    async run({ browser, vendors: { stale, missing } }) {
      const body = `${BOTH}<vitrine-plans src="javascript:alert(1)">Prices</vitrine-plans>
        <vitrine-plans>Prices<a slot="unavailable" href="/contact">Ask us</a></vitrine-plans>`;
      const faults = [];
      for (const vendor of [stale, missing]) {
        const html = siteOf(vendor, body);
        const found = await onSite(browser, { vendor, html, expected: NOT_LOADED }, async (page) => {
          await page.locator("[part=unavailable]").nth(3).waitFor();
          const texts = await page.locator("[part=unavailable]").allInnerTexts();
          const facts = await page.locator("[part=plans], [part=downloads]").count();
          return [
            ...differences("texts", texts, [...Array(3).fill("Currently not available"), ""]),
            ...differences("facts", [facts], [0]),
            ...differences("site", [await page.locator("main").innerText()], ["A site\nIts plans\nAsk us"]),
          ];
        });
        faults.push(...found);
      }
      return { checked: "stale, missing, no address", faults };
    },
  },
  {
    name: "an open site changes with the facts, keeps the reader's place, and never shows an old price",
    async run({ browser }) {
      const faults = await withVendor(withPrices(12), async (vendor, publish, stop) => {
        const html = siteOf(vendor, BOTH);
        const prepare = (page: Page) => page.clock.install();
        return onSite(browser, { vendor, html, prepare, expected: NOT_LOADED }, async (page) => {
          const amount = page.locator("[part=amount]");
          await amount.waitFor();
          const radio = page.locator("input[value=year]");
          await radio.check();
          const before = await amount.innerText();
          await publish(withPrices(15));
          await page.clock.fastForward(61 * SECOND_MS);
          await page.getByText("$150").waitFor();
          const kept = [await radio.isChecked(), await page.evaluate(focused)];
          await stop();
          await page.clock.fastForward(61 * SECOND_MS);
          await page.locator("vitrine-plans [part=unavailable]").waitFor();
          return [
            ...differences("first price", [before], ["$120"]),
            ...differences("choice and focus", kept, [true, "year"]),
            ...differences("prices without a server", [await amount.count()], [0]),
          ];
        });
      });
      return { checked: "a new price, then no server", faults };
    },
  },
  {
    name: "a site left open hides a price when its freshness ends, though nothing answers",
    async run({ browser, vendors: { demo } }) {
      const html = siteOf(demo, BOTH);
      const prepare = async (page: Page) => {
        await page.clock.install();
        // The request that hangs must not end by itself.
        await page.addInitScript("AbortSignal.timeout = () => new AbortController().signal");
      };
      const faults = await onSite(browser, { vendor: demo, html, prepare }, async (page) => {
        const amounts = page.locator("[part=amount]");
        await amounts.first().waitFor();
        await page.route("**/api/v1/**", () => {});
        await page.clock.fastForward(61 * SECOND_MS);
        const count = await amounts.count();
        await page.clock.fastForward(2 * DAY_MS);
        await page.locator("vitrine-plans [part=unavailable]").waitFor();
        return differences("prices after a minute and at the end", [count, await amounts.count()], [4, 0]);
      });
      return { checked: "two days", faults };
    },
  },
  {
    name: "the site's own content is shown without scripts, before the facts and with another script's hash",
    async run({ browser, vendors: { demo } }) {
      const texts = async (page: Page) =>
        differences(
          "text",
          [(await page.locator("main").innerText()).replace(/\s+/g, " ")],
          ["A site Its plans Plans Download"],
        );
      const html = siteOf(demo, BOTH);
      const slow = (page: Page) => page.route("**/api/v1/**", () => {});
      const wrong = siteOf(demo, BOTH, { script: pinnedScript(demo.slice(0, -1)).replace("sha256-", "sha256-AA") });
      const pinned = siteOf(demo, BOTH, { script: pinnedScript(demo.slice(0, -1)) });
      const faults = [
        ...(await onSite(browser, { vendor: demo, html, script: false }, texts)),
        ...(await onSite(browser, { vendor: demo, html, prepare: slow }, texts)),
        ...(await onSite(browser, { vendor: demo, html: wrong, expected: /integrity/ }, texts)),
        ...(await onSite(browser, { vendor: demo, html: pinned }, async (page) => {
          await page.locator("[part~=plan]").first().waitFor();
          return [];
        })),
      ];
      return { checked: PINNED_PATH, faults };
    },
  },
  {
    name: "markup in the facts does nothing in the elements, and no link leads to a script",
    async run({ browser, vendors: { hostile } }) {
      const names = { all: { title: MARKUP[0], line: MARKUP[5], buy: "javascript:alert(9)" } };
      const cors = { "access-control-allow-origin": "*" };
      const prepare = (page: Page) =>
        page.route("**/embed.json", (route) => route.fulfill({ json: { names }, headers: cors }));
      const html = siteOf(hostile, `<div lang="%%">${BOTH}</div>`);
      const faults = await onSite(browser, { vendor: hostile, html, prepare }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        await page.locator("[part=download]").first().waitFor();
        const shown = (await page.locator("[part=all]").allInnerTexts()).join();
        const links = await page
          .locator("vitrine-plans a, vitrine-download a")
          .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
        return [
          ...MARKUP.filter((text) => !shown.includes(text)).map((text) => `not shown: ${text}`),
          ...differences("links", links, ["https:", "https:"]),
          ...differences("elements from markup", [await page.locator("main :is(img, svg, script)").count()], [0]),
        ];
      });
      return { checked: `${MARKUP.length} kinds of markup`, faults };
    },
  },
];

/** The navigator names the platform. */
function onPlatform(platform: string) {
  return (page: Page) =>
    page.addInitScript(`Object.defineProperty(navigator, "platform", { get: () => "${platform}" })`);
}

export function differences(what: string, found: readonly unknown[], wanted: readonly unknown[]): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)].map((text) =>
    text.replaceAll("\u00a0", " ").replaceAll("\u202f", " "),
  );
  return is === should ? [] : [`${what}: ${is}, not ${should}`];
}

/** Runs in the page. The value or address of the control that has the focus. */
function focused(): string {
  const control = document.activeElement?.shadowRoot?.activeElement;
  return control?.getAttribute("href") ?? control?.getAttribute("value") ?? "nothing";
}

/** Nothing is wider than the window, and plans begin where the site's text does. */
async function layout(page: Page, plans: number): Promise<string[]> {
  const { wide, count, isAtStart } = await page.evaluate(() => {
    const all = [...(document.querySelector("vitrine-plans")?.shadowRoot?.querySelectorAll("[part~=plan]") ?? [])];
    const [heading, first] = [document.querySelector("h1"), all[0]].map((one) => one?.getBoundingClientRect());
    const isRtl = document.dir === "rtl";
    const gap = isRtl ? (heading?.right ?? 0) - (first?.right ?? 0) : (heading?.left ?? 0) - (first?.left ?? 0);
    return {
      wide: document.documentElement.scrollWidth - innerWidth,
      count: all.length,
      isAtStart: !first || Math.abs(gap) < 2,
    };
  });
  return [
    ...differences("plans", [count], [plans]),
    ...(wide > 0 ? [`${wide} px wider than the window`] : []),
    ...(isAtStart ? [] : ["the first plan is not at the start"]),
  ];
}

/** Calls `use` with a vendor of its own, whose facts it can publish again and whose server it can stop. */
async function withVendor(
  payloads: Payloads,
  use: (vendor: string, publish: (payloads: Payloads) => Promise<void>, stop: () => Promise<void>) => Promise<string[]>,
): Promise<string[]> {
  const cleanUps: (() => Promise<void>)[] = [];
  const onFinished = (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp);
  const stop = async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  };
  try {
    const directory = await temporaryDirectory(onFinished);
    const vendor = await startVendor({ payloads, directory, onFinished });
    return await use(vendor, (next) => publishAll(next, join(directory, "facts"), Date.now() + DAY_MS), stop);
  } finally {
    await stop();
  }
}

/** One plan with a price by the month, and the tenfold by the year. */
function withPrices(amount: number): Payloads {
  const cycles = [cycleOf("month", 1), cycleOf("year", 12)];
  return { ...ONE, plans: [{ currency: "USD", cycles, plans: [planOf("pro", { month: amount, year: 10 * amount })] }] };
}
