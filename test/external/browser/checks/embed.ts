// The elements of /embed.js on sites of others.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import type { Page } from "playwright-core";
import { INTEGRITY, PINNED_PATH } from "../../../../server/features/widgets/embed-view.ts";
import { temporaryDirectory } from "../../../support/directory.ts";
import { isIn } from "../../../support/program/feature.ts";
import { cycleOf, planOf } from "../../../support/snapshot.ts";
import { MANY, MARKUP, ONE, type Payloads } from "../payloads.ts";
import { vendors } from "../scene.ts";
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
const installClock = (page: Page) => page.clock.install();

test("the document's example shows the facts of another origin under a strict policy", async ({ expect }) => {
  const [, example = ""] = /```html\n(.*?)```/s.exec(await readFile(DOCUMENT, "utf8")) ?? [];
  const html = example.replaceAll("http://localhost:3000/", vendors.demo);
  const prepare = (page: Page) =>
    page.addInitScript(`Object.defineProperty(navigator, "platform", { get: () => "Win32" })`);
  await onSite({ vendor: vendors.demo, html, prepare }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    expect(await textsOf(page, "[part=title]")).toEqual(["Free", "Plus", "Pro", "Studio"]);
    expect(await textsOf(page, "[part=amount]")).toEqual(["Free", "$12", "$24", "$60"]);
    expect(await textsOf(page, "[part=download]")).toEqual(["Download for Windows", "Download for macOS"]);
    expect(await page.getByText("See the plans").isVisible(), "the fallback").toBe(false);
  });
});

test.for(["require-corp", "credentialless"])(
  "a page that isolates itself has the elements, with and without crossorigin, a badge and the icon, %s",
  async (policy, { expect }) => {
    const { demo: vendor } = vendors;
    const headers = { "cross-origin-embedder-policy": policy, "cross-origin-opener-policy": "same-origin" };
    const images = [...(isIn("badges") ? ["badge/macos.svg"] : []), "favicon.ico"]
      .map((path) => `<img src="${vendor}${path}" alt="">`)
      .join("");
    const expected = /(?:badge\/macos\.svg|favicon\.ico)$/;
    for (const attributes of ["crossorigin defer", "defer"]) {
      const script = `<script src="${vendor}embed.js" ${attributes}></script>`;
      await onSite({ vendor, html: siteOf(vendor, BOTH + images, { script }), headers, expected }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        await page.locator("[part=download]").first().waitFor();
        const widths = await page
          .locator("img")
          .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).width));
        expect(await page.evaluate("crossOriginIsolated")).toBe(true);
        expect(widths.filter((width) => width === 0)).toEqual([]);
      });
    }
  },
);

test.for([1280, 360])(
  "axe finds no violation in the elements, and their layout follows the site, %s",
  async (width, { expect, onTestFinished }) => {
    const twelve = MANY.plans.map((payload) =>
      "plans" in payload ? { ...payload, plans: payload.plans.slice(0, 12) } : payload,
    );
    const { demo, one, hostile, long, nothing } = vendors;
    const many = await startVendor({ payloads: { ...MANY, plans: twelve }, onFinished: onTestFinished });
    const sites = [
      { vendor: demo, style: LIGHT, plans: 4 },
      { vendor: demo, style: DARK, lang: "de", plans: 4 },
      { vendor: demo, style: LIGHT, lang: "ar", plans: 4 },
      { vendor: one, style: DARK, lang: "ar", plans: 1 },
      { vendor: hostile, style: LIGHT, lang: "ja", plans: 4 },
      { vendor: long, style: LIGHT, lang: "fr", plans: 30 },
      { vendor: nothing, style: DARK, plans: 0 },
      { vendor: many, style: LIGHT, plans: 12 },
    ];
    for (const { vendor, plans, ...site } of sites) {
      await onSite({ vendor, html: siteOf(vendor, BOTH, site), width }, async (page) => {
        await page.locator("[part=release]").first().waitFor();
        const seen = { violations: await violations(page), ...(await layout(page)) };
        const wanted = { violations: [], wide: 0, count: plans, isAtStart: true };
        expect.soft(seen, `${site.lang ?? "en"}, ${plans} plans`).toEqual(wanted);
      });
    }
  },
);

test("the elements speak the page's language, with the vendor's own words, from an address with a path", async ({
  expect,
}) => {
  const body = `<vitrine-plans cycle="annual" buy="Abonnieren" heading="4"></vitrine-plans>
    <section lang="fr-CA"><vitrine-download platform="macos"></vitrine-download></section>`;
  const vendor = `${vendors.demo}notes/`;
  // As a proxy does.
  const prepare = (page: Page) =>
    page.route(`${vendor}**`, (route) => route.continue({ url: route.request().url().replace("/notes/", "/") }));
  const html = siteOf(vendor, body, { lang: "de-AT" });
  await onSite({ vendor, html, prepare }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    await page.locator("[part=download]").waitFor();
    expect(await textsOf(page, "[part~=popular]")).toEqual([
      "Pro Empfohlen For heavy note-takers $ 239 pro Jahr Credits pro Monat: 2 000 Abonnieren Pro",
    ]);
    expect(await textsOf(page, "[part=release]")).toEqual([
      "Télécharger pour macOS Version 4.2.1 · 12 nov. 2026 · 104 Mo",
    ]);
    expect(await page.locator("vitrine-plans h4").count()).toBe(4);
  });
});

test("the keyboard reaches every control of the elements, and arrow keys choose a cycle", async ({ expect }) => {
  await onSite({ vendor: vendors.demo, html: siteOf(vendors.demo, BOTH) }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    await page.locator("[part=download]").first().waitFor();
    const stops: string[] = [];
    for (let stop = 0; stop < 7; stop++) {
      await page.keyboard.press("Tab");
      stops.push(await page.evaluate(focused));
      if (stop === 0) await page.keyboard.press("ArrowRight");
    }
    expect(stops).toEqual([
      "monthly",
      ...["free", "plus", "pro", "studio"].map((id) => `https://lumen-notes.example.com/buy/${id}`),
      ...["4.2.1-universal.dmg", "4.2.0-x64.msi"].map((file) => `https://downloads.example.com/lumen-notes-${file}`),
    ]);
    expect(await textsOf(page, "[part=amount]")).toEqual(["Free", "$33", "$66", "$165"]);
    expect(await page.getByRole("group", { name: "Billing" }).getByRole("radio").count()).toBe(3);
  });
});

test.for(["stale", "missing"] as const)(
  "facts that are %s are said to be unavailable, and what the site gives in their place is shown",
  async (name, { expect }) => {
    const vendor = vendors[name];
    const body = `${BOTH}<vitrine-plans src="javascript:alert(1)">Prices</vitrine-plans>
      <vitrine-plans>Prices<a slot="unavailable" href="/contact">Ask us</a></vitrine-plans>`;
    await onSite({ vendor, html: siteOf(vendor, body), expected: NOT_LOADED }, async (page) => {
      await page.locator("[part=unavailable]").nth(3).waitFor();
      expect(await textsOf(page, "[part=unavailable]")).toEqual([...Array(3).fill("Currently not available"), ""]);
      expect(await page.locator("[part=plans], [part=downloads]").count()).toBe(0);
      expect(await page.locator("main").innerText()).toBe("A site\nIts plans\nAsk us");
    });
  },
);

test("an open site changes with the facts, keeps the reader's place, and never shows an old price", async ({
  expect,
}) => {
  const cleanUps: (() => Promise<void>)[] = [];
  const onFinished = (cleanUp: () => Promise<void>) => void cleanUps.unshift(cleanUp);
  const directory = await temporaryDirectory(onFinished);
  const vendor = await startVendor({ payloads: withPrices(12), directory, onFinished });
  const stop = async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  };
  const options = { vendor, html: siteOf(vendor, BOTH), prepare: installClock, expected: NOT_LOADED };
  await onSite(options, async (page) => {
    const amount = page.locator("[part=amount]");
    await amount.waitFor();
    const radio = page.locator("input[value=year]");
    await radio.check();
    expect(await amount.innerText()).toBe("$120");
    await publishAll(withPrices(15), join(directory, "facts"), Date.now() + DAY_MS);
    await page.clock.fastForward(61 * SECOND_MS);
    await page.getByText("$150").waitFor();
    expect([await radio.isChecked(), await page.evaluate(focused)]).toEqual([true, "year"]);
    await stop();
    await page.clock.fastForward(61 * SECOND_MS);
    await page.locator("vitrine-plans [part=unavailable]").waitFor();
    expect(await amount.count()).toBe(0);
  }).finally(stop);
});

test("a site left open hides a price when its freshness ends, though nothing answers", async ({ expect }) => {
  const prepare = async (page: Page) => {
    await page.clock.install();
    // The request that hangs must not end by itself.
    await page.addInitScript("AbortSignal.timeout = () => new AbortController().signal");
  };
  await onSite({ vendor: vendors.demo, html: siteOf(vendors.demo, BOTH), prepare }, async (page) => {
    const amounts = page.locator("[part=amount]");
    await amounts.first().waitFor();
    await page.route("**/api/v1/**", () => {});
    await page.clock.fastForward(61 * SECOND_MS);
    expect(await amounts.count()).toBe(4);
    await page.clock.fastForward(2 * DAY_MS);
    await page.locator("vitrine-plans [part=unavailable]").waitFor();
    expect(await amounts.count()).toBe(0);
  });
});

test("a clock that is set back makes no price younger", async ({ expect }) => {
  const prepare = async (page: Page) => {
    await page.clock.install();
    await page.addInitScript("AbortSignal.timeout = () => new AbortController().signal");
  };
  await onSite({ vendor: vendors.demo, html: siteOf(vendors.demo, BOTH), prepare }, async (page) => {
    const amounts = page.locator("[part=amount]");
    await amounts.first().waitFor();
    await page.route("**/api/v1/**", () => {});
    await page.clock.fastForward(0.6 * DAY_MS);
    await page.clock.setSystemTime((await page.evaluate(() => Date.now())) - 0.5 * DAY_MS);
    expect(await amounts.count()).toBe(4);
    await page.clock.fastForward(0.6 * DAY_MS);
    await page.locator("vitrine-plans [part=unavailable]").waitFor();
    expect(await amounts.count()).toBe(0);
  });
});

test("the site's own content is shown without scripts, before the facts and with another script's hash", async ({
  expect,
}) => {
  const vendor = vendors.demo;
  const html = siteOf(vendor, BOTH);
  const prepare = (page: Page) => page.route("**/api/v1/**", () => {});
  const address = `${vendor.slice(0, -1)}${PINNED_PATH}`;
  const script = `<script src="${address}" integrity="${INTEGRITY}" crossorigin defer></script>`;
  const wrong = siteOf(vendor, BOTH, { script: script.replace("sha256-", "sha256-AA") });
  for (const site of [
    { html, script: false },
    { html, prepare },
    { html: wrong, expected: /integrity/ },
  ]) {
    await onSite({ vendor, ...site }, async (page) => {
      expect(await textsOf(page, "main")).toEqual(["A site Its plans Plans Download"]);
    });
  }
  await onSite({ vendor, html: siteOf(vendor, BOTH, { script }) }, (page) =>
    page.locator("[part~=plan]").first().waitFor(),
  );
});

test("markup in the facts does nothing in the elements, and no link leads to a script", async ({ expect }) => {
  const vendor = vendors.hostile;
  const names = { all: { title: MARKUP[0], line: MARKUP[5], buy: "javascript:alert(9)" } };
  const cors = { "access-control-allow-origin": "*" };
  const prepare = (page: Page) =>
    page.route("**/embed.json", (route) => route.fulfill({ json: { names }, headers: cors }));
  await onSite({ vendor, html: siteOf(vendor, `<div lang="%%">${BOTH}</div>`), prepare }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    await page.locator("[part=download]").first().waitFor();
    const shown = (await page.locator("[part=all]").allInnerTexts()).join();
    for (const text of MARKUP) expect(shown).toContain(text);
    const links = await page
      .locator("vitrine-plans a, vitrine-download a")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
    expect(links).toEqual(["https:", "https:"]);
    expect(await page.locator("main :is(img, svg, script)").count()).toBe(0);
  });
});

/** With single, ordinary spaces. */
export async function textsOf(page: Page, selector: string): Promise<string[]> {
  const texts = await page.locator(selector).allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, " "));
}

/** Runs in the page. The value or address of the control that has the focus. */
function focused(): string {
  const control = document.activeElement?.shadowRoot?.activeElement;
  return control?.getAttribute("href") ?? control?.getAttribute("value") ?? "nothing";
}

/** By how many pixels the page is wider than the window, the number of plans, and whether they begin where the site's text does. */
function layout(page: Page) {
  return page.evaluate(() => {
    const all = [...(document.querySelector("vitrine-plans")?.shadowRoot?.querySelectorAll("[part~=plan]") ?? [])];
    const [heading, first] = [document.querySelector("h1"), all[0]].map((one) => one?.getBoundingClientRect());
    const isRtl = document.dir === "rtl";
    const gap = isRtl ? (heading?.right ?? 0) - (first?.right ?? 0) : (heading?.left ?? 0) - (first?.left ?? 0);
    return {
      wide: Math.max(0, document.documentElement.scrollWidth - innerWidth),
      count: all.length,
      isAtStart: !first || Math.abs(gap) < 2,
    };
  });
}

/** One plan with a price by the month, and the tenfold by the year. */
function withPrices(amount: number): Payloads {
  const cycles = [cycleOf("month", 1), cycleOf("year", 12)];
  return { ...ONE, plans: [{ currency: "USD", cycles, plans: [planOf("pro", { month: amount, year: 10 * amount })] }] };
}
