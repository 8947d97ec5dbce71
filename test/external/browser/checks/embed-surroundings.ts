// The elements of /embed.js among odd answers, foreign styles, components and scripts.
import type { Page, Route } from "playwright-core";
import type { Check } from "../check.ts";
import { onSite, siteOf } from "../sites.ts";
import { WORD_NAMES } from "../../../../server/widgets/parts.ts";
import { cycleOf } from "../../../support/snapshot.ts";
import { BOTH, differences, NOT_LOADED } from "./embed.ts";

const CORS = { "access-control-allow-origin": "*" };
const SECOND_MS = 1_000;
/** Never answers. */
const hang = () => {};
const answer =
  (body: string, status = 200) =>
  (route: Route) =>
    route.fulfill({ body, status, headers: CORS });

/** What may stand beside the facts, and the titles that the plans then have. */
const BESIDE: [name: string, respond: (route: Route) => unknown, titles: string[]][] = [
  ["nothing, ever", hang, ["Free", "Plus", "Pro", "Studio"]],
  ["an error", answer("Bad gateway", 500), ["Free", "Plus", "Pro", "Studio"]],
  ["a page", answer("<!doctype html>"), ["Free", "Plus", "Pro", "Studio"]],
  ["no object", answer("5"), ["Free", "Plus", "Pro", "Studio"]],
  [
    "odd names",
    answer('{"names":{"free":null,"plus":"x","pro":{"title":5,"line":{},"buy":[]},"studio":{"title":"S"}}}'),
    ["Free", "Plus", "Pro", "S"],
  ],
];

/** What is no fact. */
const NO_FACTS = [
  "<!doctype html>",
  "null",
  "5",
  "{}",
  '{"error":"x"}',
  '{"hasUpdate":true}',
  '{"currency":"USD","cycles":[],"plans":[{"id":"a","prices":{}}]}',
];

export const EMBED_SURROUNDINGS: Check[] = [
  {
    name: "the elements show the facts whatever stands beside them, and names as soon as they are there",
    async run({ browser, vendors: { demo } }) {
      const html = siteOf(demo, BOTH);
      const faults = [];
      for (const [name, respond, wanted] of BESIDE) {
        const prepare = (page: Page) => page.route("**/embed.json", respond);
        const found = await onSite(browser, { vendor: demo, html, prepare, expected: NOT_LOADED }, async (page) => {
          await page.locator("[part~=plan]").first().waitFor();
          return differences(name, await page.locator("[part=title]").allInnerTexts(), wanted);
        });
        faults.push(...found);
      }
      let arrive = hang;
      const prepare = (page: Page) =>
        page.route("**/embed.json", (route) => void (arrive = () => void route.continue()));
      const late = await onSite(browser, { vendor: demo, html, prepare }, async (page) => {
        await page.locator("[part~=plan]").first().waitFor();
        const before = await page.locator("[part=buy]").count();
        arrive();
        await page.locator("[part=buy]").first().waitFor();
        return differences("links before and after", [before, await page.locator("[part=buy]").count()], [0, 3]);
      });
      return { checked: `${BESIDE.length} answers, and a late one`, faults: [...faults, ...late] };
    },
  },
  {
    name: "an answer that is no fact is unavailable, and the other platform is shown",
    async run({ browser, vendors: { demo } }) {
      const html = siteOf(demo, BOTH);
      const faults = await Promise.all(
        NO_FACTS.map((body) => {
          const prepare = async (page: Page) => {
            for (const path of ["plans", "releases/latest?platform=macos"])
              await page.route(`**/api/v1/${path.replace("?", "\\?")}`, answer(body));
          };
          return onSite(browser, { vendor: demo, html, prepare }, async (page) => {
            await page.locator("[part=unavailable]").nth(1).waitFor();
            const texts = await page.locator("[part=unavailable]").allInnerTexts();
            const links = await page.locator("[part=download]").allInnerTexts();
            return [
              ...differences(`texts for ${body}`, texts, ["Currently not available", "macOS: Currently not available"]),
              ...differences(`downloads for ${body}`, links, ["Download for Windows"]),
            ];
          });
        }),
      );
      return { checked: `${NO_FACTS.length} answers`, faults: faults.flat() };
    },
  },
  {
    name: "an element asks again soon after a failure, and then less often",
    async run({ browser, vendors: { demo } }) {
      let asked = 0;
      const prepare = async (page: Page) => {
        await page.clock.install();
        await page.addInitScript(`self.times = []; const ask = fetch;
          self.fetch = (url, ...more) => (url.endsWith("plans") && times.push(Date.now()), ask(url, ...more))`);
        await page.route("**/api/v1/plans", (route) => (++asked > 3 ? route.continue() : route.abort()));
      };
      const html = siteOf(demo, "<vitrine-plans></vitrine-plans>");
      const faults = await onSite(browser, { vendor: demo, html, prepare, expected: NOT_LOADED }, async (page) => {
        await page.locator("[part=unavailable]").waitFor();
        for (let second = 0; second < 60 && asked < 4; second++) await page.clock.runFor(SECOND_MS);
        await page.locator("[part~=plan]").first().waitFor();
        const times = (await page.evaluate("times")) as number[];
        const pauses = times
          .slice(1)
          .map((time, index) => Math.floor((time - (times[index] ?? 0)) / 5 / SECOND_MS) * 5);
        return differences("pauses in seconds", pauses, [5, 10, 20]);
      });
      return { checked: "5, 10 and 20 s", faults };
    },
  },
  {
    name: "an element speaks the language around the component in which it stands",
    async run({ browser, vendors: { demo } }) {
      const html = siteOf(demo, '<section lang="fr"><p id="host"></p></section>');
      const faults = await onSite(browser, { vendor: demo, html }, async (page) => {
        await page.evaluate(() => {
          const inner = document.createElement("div");
          document.querySelector("#host")?.attachShadow({ mode: "open" }).append(inner);
          inner.attachShadow({ mode: "open" }).append(document.createElement("vitrine-plans"));
        });
        await page.getByText("par mois").first().waitFor();
        await page.evaluate(() => document.querySelector("section")?.setAttribute("lang", "es"));
        await page.getByText("al mes").first().waitFor();
        return [];
      });
      return { checked: "two shadow roots, French and Spanish", faults };
    },
  },
  {
    name: "a control that goes leaves the focus in its element, and no other gets it",
    async run({ browser, vendors: { demo } }) {
      const focus = () => {
        const { activeElement: element } = document;
        return `${element?.localName} ${element?.shadowRoot?.activeElement?.getAttribute("part")}`;
      };
      let fail = false;
      let arrive = hang;
      const prepare = async (page: Page) => {
        await page.clock.install();
        await page.route("**/api/v1/**", (route) => {
          if (fail) return answer("", 502)(route);
          return void (arrive = ((before) => () => (before(), void route.continue()))(arrive));
        });
      };
      const html = siteOf(demo, '<vitrine-plans><a href="/plans">Plans</a></vitrine-plans>');
      const faults = await onSite(browser, { vendor: demo, html, prepare, expected: NOT_LOADED }, async (page) => {
        await page.getByText("Plans", { exact: true }).focus();
        arrive();
        await page.locator("[part=buy]").first().waitFor();
        const found = [await page.evaluate(focus)];
        await page.locator("[part=buy]").first().focus();
        found.push(await page.evaluate(focus));
        fail = true;
        await page.clock.fastForward(61 * SECOND_MS);
        await page.locator("[part=unavailable]").waitFor();
        found.push(await page.evaluate(focus));
        return differences("focus", found, ["vitrine-plans all", "vitrine-plans buy", "vitrine-plans all"]);
      });
      return { checked: "a fallback's link, a link to buy", faults };
    },
  },
  {
    name: "styles that the elements inherit do not change how they are laid out",
    async run({ browser, vendors: { demo } }) {
      const sizes: string[] = [];
      const body = BOTH.replace("<vitrine-plans", "$& buy='Buy this plan for everybody in your company'");
      const faults = [];
      for (const more of ["", "; white-space: pre; text-indent: 9em; text-transform: uppercase; text-align: end"]) {
        const html = siteOf(demo, body, {
          style: `body { font: 17px sans-serif; margin: 2rem } main { color: #111${more} }`,
        });
        const found = await onSite(browser, { vendor: demo, html, width: 800 }, async (page) => {
          await page.locator("[part=buy]").first().waitFor();
          await page.locator("[part=download]").first().waitFor();
          const boxes = await page
            .locator("[part=cycle], [part~=plan], [part=title], [part=buy], [part=download]")
            .evaluateAll((all) =>
              all.map((one) => JSON.stringify([one.getBoundingClientRect().width, one.getBoundingClientRect().height])),
            );
          sizes.push((await page.locator("vitrine-plans [part=all]").innerText()) + boxes.join());
          return [];
        });
        faults.push(...found);
      }
      const [plain, styled] = sizes;
      return {
        checked: "four properties",
        faults: [...faults, ...(plain === styled ? [] : [`${styled}, not ${plain}`])],
      };
    },
  },
  {
    name: "a day that no month has is shown as the vendor writes it",
    async run({ browser, vendors: { demo } }) {
      const prepare = (page: Page) =>
        page.route("**/api/v1/releases/**", async (route) => {
          const response = await route.fetch();
          const fact = (await response.json()) as { latest: { date: string } };
          fact.latest.date = "2026-02-30";
          await route.fulfill({ response, json: fact });
        });
      const html = siteOf(demo, "<vitrine-download></vitrine-download>");
      const faults = await onSite(browser, { vendor: demo, html, prepare }, async (page) => {
        const text = await page.locator("[part=about]").first().innerText();
        return text.includes("· 2026-02-30 ·") ? [] : [`it is ${text}`];
      });
      return { checked: "30 February", faults };
    },
  },
  {
    name: "elements follow the scripts of their site: made before and after, changed, moved, of two vendors",
    async run({ browser, vendors: { demo, one } }) {
      const html = siteOf(demo, '<p id="there"></p>', { script: "" });
      const titles = (page: Page) => page.locator("[part=title]").allInnerTexts();
      const faults = await onSite(browser, { vendor: demo, html, expected: /\/second\// }, async (page) => {
        // The site's policy allows one vendor.
        await page.route(`${demo}second/**`, (route) =>
          route
            .fetch({ url: route.request().url().replace(`${demo}second/`, one) })
            .then((response) => route.fulfill({ response })),
        );
        await page.evaluate(async (address) => {
          const [first, second] = ["buy", "src"].map(() => document.createElement("vitrine-plans"));
          first?.setAttribute("buy", "Order");
          const [main, script] = [document.querySelector("main"), document.createElement("script")];
          main?.append(first ?? "");
          script.src = `${address}embed.js`;
          document.head.append(script);
          await customElements.whenDefined("vitrine-plans");
          second?.setAttribute("src", `${address}second`);
          main?.append(second ?? "");
        }, demo);
        await page.locator("[part=buy]").first().waitFor();
        await page.getByText("Everyone").first().waitFor();
        const both = await titles(page);
        const bought = await page.locator("[part=buy]").first().innerText();
        await page.evaluate(() => {
          const [first, second] = document.querySelectorAll("vitrine-plans");
          first?.setAttribute("cycle", "annual");
          first?.setAttribute("buy", "");
          first?.setAttribute("heading", "5");
          second?.remove();
        });
        await page.getByText("$239").first().waitFor();
        const changed = [await page.locator("h5").count(), await page.locator("[part=buy]").first().innerText()];
        const moved = await page.evaluate(() => {
          const [first] = document.querySelectorAll("vitrine-plans");
          first?.remove();
          first?.setAttribute("lang", "de");
          if (first) document.querySelector("#there")?.append(first);
          return document.querySelector("#there > *")?.shadowRoot?.textContent?.includes("pro Jahr");
        });
        return [
          ...differences("titles", both, ["Free", "Plus", "Pro", "Studio", "Everyone"]),
          ...differences("words", [bought.replace(/\s+/g, " "), ...changed, moved], ["Order Plus", 4, "Plus", true]),
        ];
      });
      return { checked: "five ways", faults };
    },
  },
  {
    name: "each word of the elements can be given by an attribute",
    async run({ browser, vendors: { demo, missing } }) {
      const names = WORD_NAMES.filter((word) => word !== "unavailable");
      const words = WORD_NAMES.map((word) => `${word}="own-${word}"`).join(" ");
      const body = `<vitrine-plans ${words}></vitrine-plans><vitrine-download ${words}></vitrine-download>`;
      const cycles = [1, 12, 6, 600].map((months) => cycleOf(`m${months}`, months));
      const common = { popular: true, monthlyPrice: 1, annualPrice: 10, creditsMonthly: 5 };
      const plans = [
        { ...common, id: "a", prices: { m1: 1, m12: 10, m6: 6 } },
        { ...common, id: "b", prices: { m1: 0, m600: 9 }, monthlyPrice: 0, annualPrice: 0 },
        { ...common, id: "c", prices: { m1: 0 }, monthlyPrice: 0, annualPrice: 0 },
      ];
      const buy = "https://acme.example/buy";
      const prepare = async (page: Page) => {
        await page.route("**/api/v1/plans", answer(JSON.stringify({ currency: "USD", cycles, plans })));
        await page.route("**/embed.json", answer(JSON.stringify({ names: { a: { buy }, c: { buy } } })));
        await page.route("**/api/v1/releases/latest?platform=windows", answer('{"hasUpdate":false}'));
      };
      const seen = new Set<string>();
      const read = async (page: Page) => {
        for (const part of await page.locator("[part=all]").all())
          for (const [word] of (await part.innerText()).matchAll(/own-[a-z-]+/g)) seen.add(word);
      };
      const faults = await onSite(browser, { vendor: demo, html: siteOf(demo, body), prepare }, async (page) => {
        await page.locator("[part=buy]").first().waitFor();
        await page.locator("[part=none]").waitFor();
        for (const radio of await page.getByRole("radio").all()) {
          await radio.check();
          await read(page);
        }
        const unseen = names.filter((word) => !seen.has(`own-${word}`));
        return unseen.map((word) => `not shown: ${word}`);
      });
      const html = siteOf(missing, body);
      const unavailable = await onSite(browser, { vendor: missing, html, expected: NOT_LOADED }, async (page) => {
        await page.getByText("own-unavailable").nth(1).waitFor();
        return [];
      });
      return { checked: `${WORD_NAMES.length} words`, faults: [...faults, ...unavailable] };
    },
  },
];
