// The elements of /embed.js among odd answers, foreign styles, components and scripts.
import { test } from "vitest";
import type { Page, Route } from "playwright-core";
import { WORD_NAMES } from "../../../../server/features/widgets/parts.ts";
import { cycleOf } from "../../../support/snapshot.ts";
import { vendors } from "../scene.ts";
import { onSite, siteOf } from "../sites.ts";
import { BOTH, NOT_LOADED, textsOf } from "./embed.ts";

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

/** Visits a site of the demo with this content. */
function onDemo(
  content: string,
  options: { prepare?: (page: Page) => Promise<unknown>; expected?: RegExp; script?: string },
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const { script, ...visit } = options;
  const html = siteOf(vendors.demo, content, script === undefined ? {} : { script });
  return onSite({ vendor: vendors.demo, html, ...visit }, look);
}

test.for(BESIDE)("beside %s the elements show the facts", async ([, respond, titles], { expect }) => {
  const prepare = (page: Page) => page.route("**/embed.json", respond);
  await onDemo(BOTH, { prepare, expected: NOT_LOADED }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    expect(await textsOf(page, "[part=title]")).toEqual(titles);
  });
});

test("the elements show the facts before the names, and these as soon as they are there", async ({ expect }) => {
  let arrive = hang;
  const prepare = (page: Page) => page.route("**/embed.json", (route) => void (arrive = () => void route.continue()));
  await onDemo(BOTH, { prepare }, async (page) => {
    await page.locator("[part~=plan]").first().waitFor();
    expect(await page.locator("[part=buy]").count()).toBe(0);
    arrive();
    await page.locator("[part=buy]").first().waitFor();
    expect(await page.locator("[part=buy]").count()).toBe(4);
  });
});

test.for(NO_FACTS)("%s is no fact: unavailable, and the other platform is shown", async (body, { expect }) => {
  const prepare = async (page: Page) => {
    for (const path of ["plans", "releases/latest?platform=macos"])
      await page.route(`**/api/v1/${path.replace("?", "\\?")}`, answer(body));
  };
  await onDemo(BOTH, { prepare }, async (page) => {
    await page.locator("[part=unavailable]").nth(1).waitFor();
    const said = ["Currently not available", "macOS: Currently not available"];
    expect(await textsOf(page, "[part=unavailable]")).toEqual(said);
    expect(await textsOf(page, "[part=download]")).toEqual(["Download for Windows"]);
  });
});

test("an element asks again soon after a failure, and then less often", async ({ expect }) => {
  let asked = 0;
  const prepare = async (page: Page) => {
    await page.clock.install();
    await page.addInitScript(`self.times = []; const ask = fetch;
      self.fetch = (url, ...more) => (url.endsWith("plans") && times.push(Date.now()), ask(url, ...more))`);
    await page.route("**/api/v1/plans", (route) => (++asked > 3 ? route.continue() : route.abort()));
  };
  await onDemo("<vitrine-plans></vitrine-plans>", { prepare, expected: NOT_LOADED }, async (page) => {
    await page.locator("[part=unavailable]").waitFor();
    for (let second = 0; second < 60 && asked < 4; second++) await page.clock.runFor(SECOND_MS);
    await page.locator("[part~=plan]").first().waitFor();
    const times = (await page.evaluate("times")) as number[];
    const pauses = times.slice(1).map((time, index) => Math.floor((time - (times[index] ?? 0)) / 5 / SECOND_MS) * 5);
    expect(pauses, "in seconds").toEqual([5, 10, 20]);
  });
});

test("an element speaks the language around the component in which it stands", async () => {
  await onDemo('<section lang="fr"><p id="host"></p></section>', {}, async (page) => {
    await page.evaluate(() => {
      const inner = document.createElement("div");
      document.querySelector("#host")?.attachShadow({ mode: "open" }).append(inner);
      inner.attachShadow({ mode: "open" }).append(document.createElement("vitrine-plans"));
    });
    await page.getByText("par mois").first().waitFor();
    await page.evaluate(() => document.querySelector("section")?.setAttribute("lang", "es"));
    await page.getByText("al mes").first().waitFor();
  });
});

test("a control that goes leaves the focus in its element, and no other gets it", async ({ expect }) => {
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
  const content = '<vitrine-plans><a href="/plans">Plans</a></vitrine-plans>';
  await onDemo(content, { prepare, expected: NOT_LOADED }, async (page) => {
    await page.getByText("Plans", { exact: true }).focus();
    arrive();
    await page.locator("[part=buy]").first().waitFor();
    expect(await page.evaluate(focus)).toBe("vitrine-plans all");
    await page.locator("[part=buy]").first().focus();
    expect(await page.evaluate(focus)).toBe("vitrine-plans buy");
    fail = true;
    await page.clock.fastForward(61 * SECOND_MS);
    await page.locator("[part=unavailable]").waitFor();
    expect(await page.evaluate(focus)).toBe("vitrine-plans all");
  });
});

test("styles that the elements inherit do not change how they are laid out", async ({ expect }) => {
  const looks: string[] = [];
  const body = BOTH.replace("<vitrine-plans", "$& buy='Buy this plan for everybody in your company'");
  for (const more of ["", "; white-space: pre; text-indent: 9em; text-transform: uppercase; text-align: end"]) {
    const style = `body { font: 17px sans-serif; margin: 2rem } main { color: #111${more} }`;
    const html = siteOf(vendors.demo, body, { style });
    await onSite({ vendor: vendors.demo, html, width: 800 }, async (page) => {
      await page.locator("[part=buy]").first().waitFor();
      await page.locator("[part=download]").first().waitFor();
      const boxes = await page
        .locator("[part=cycle], [part~=plan], [part=title], [part=buy], [part=download]")
        .evaluateAll((all) =>
          all.map((one) => JSON.stringify([one.getBoundingClientRect().width, one.getBoundingClientRect().height])),
        );
      looks.push((await page.locator("vitrine-plans [part=all]").innerText()) + boxes.join());
    });
  }
  expect(looks[1]).toBe(looks[0]);
});

test("a day that no month has is shown as the vendor writes it", async ({ expect }) => {
  const prepare = (page: Page) =>
    page.route("**/api/v1/releases/**", async (route) => {
      const response = await route.fetch();
      const fact = (await response.json()) as { latest: { date: string } };
      fact.latest.date = "2026-02-30";
      await route.fulfill({ response, json: fact });
    });
  await onDemo("<vitrine-download></vitrine-download>", { prepare }, async (page) => {
    expect(await page.locator("[part=about]").first().innerText()).toContain("· 2026-02-30 ·");
  });
});

test("elements follow the scripts of their site: made before and after, changed, moved, of two vendors", async ({
  expect,
}) => {
  const { demo, one } = vendors;
  await onDemo('<p id="there"></p>', { script: "", expected: /\/second\// }, async (page) => {
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
    expect(await textsOf(page, "[part=title]")).toEqual(["Free", "Plus", "Pro", "Studio", "Everyone"]);
    expect((await textsOf(page, "[part=buy]")).slice(0, 2)).toEqual(["Get Free", "Order Plus"]);
    await page.evaluate(() => {
      const [first, second] = document.querySelectorAll("vitrine-plans");
      first?.setAttribute("cycle", "annual");
      first?.setAttribute("buy", "");
      first?.setAttribute("heading", "5");
      second?.remove();
    });
    await page.getByText("$239").first().waitFor();
    expect(await page.locator("h5").count()).toBe(4);
    expect((await textsOf(page, "[part=buy]"))[1]).toBe("Plus");
    const moved = await page.evaluate(() => {
      const [first] = document.querySelectorAll("vitrine-plans");
      first?.remove();
      first?.setAttribute("lang", "de");
      if (first) document.querySelector("#there")?.append(first);
      return document.querySelector("#there > *")?.shadowRoot?.textContent;
    });
    expect(moved).toContain("pro Jahr");
  });
});

test("each word of the elements can be given by an attribute", async ({ expect }) => {
  const names = WORD_NAMES.filter((word) => word !== "unavailable");
  const words = WORD_NAMES.map((word) => `${word}="own-${word}"`).join(" ");
  const body = `<vitrine-plans ${words}></vitrine-plans><vitrine-download ${words}></vitrine-download>`;
  const cycles = [1, 12, 6, 600].map((months) => cycleOf(`m${months}`, months));
  const common = { popular: true, monthlyPrice: 1, annualPrice: 10, creditsMonthly: 5 };
  const plans = [
    { ...common, id: "a", prices: { m1: 1, m12: 10, m6: 6 } },
    { ...common, id: "b", prices: { m1: 0, m600: 9 }, monthlyPrice: 0, annualPrice: 0 },
    { ...common, id: "c", prices: { m1: 0 }, monthlyPrice: 0, annualPrice: 0 },
    { ...common, id: "d", prices: { m1: 1, m12: 12 }, annualPrice: 12 },
    { ...common, id: "e", prices: { m1: 1, m12: 12 }, annualPrice: 12 },
  ];
  const buy = "https://acme.example/buy";
  const prepare = async (page: Page) => {
    await page.route("**/api/v1/plans", answer(JSON.stringify({ currency: "USD", cycles, plans })));
    await page.route(
      "**/embed.json",
      answer(JSON.stringify({ names: { a: { buy }, c: { buy }, d: { computed: "year" }, e: { computed: "month" } } })),
    );
    await page.route("**/api/v1/releases/latest?platform=windows", answer('{"hasUpdate":false}'));
  };
  const seen = new Set<string>();
  await onDemo(body, { prepare }, async (page) => {
    await page.locator("[part=buy]").first().waitFor();
    await page.locator("[part=none]").waitFor();
    for (const radio of await page.getByRole("radio").all()) {
      await radio.check();
      for (const text of await page.locator("[part=all]").allInnerTexts())
        for (const [word] of text.matchAll(/own-[a-z-]+/g)) seen.add(word);
    }
    expect(names.filter((word) => !seen.has(`own-${word}`))).toEqual([]);
  });
  const { missing } = vendors;
  await onSite({ vendor: missing, html: siteOf(missing, body), expected: NOT_LOADED }, (page) =>
    page.getByText("own-unavailable").nth(1).waitFor(),
  );
});
