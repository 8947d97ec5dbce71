// The card of the tools' results, shown by a host of MCP Apps: the extension's own app-bridge, in a page of ours.
import type { Browser, Frame, Page } from "playwright-core";
import type { PlansResponse } from "../../../../snapshots/schema.ts";
import type { Check, CheckResult, Scene } from "../check.ts";
import { serveHost, type HostAddresses } from "../serve-card-host.ts";
import type { Wanted } from "../card-host.ts";
import { HOSTILE_API, MARKUP } from "../payloads.ts";
import { visit } from "../visit.ts";
import { violations } from "./accessible.ts";

const DAY_MS = 86_400_000;
const TOOLS = ["get_pricing", "get_latest_version"] as const;

interface Shown {
  /** Address of the vendor's page. */
  vendor: string;
  tool?: "get_pricing" | "get_latest_version";
  input?: Wanted["input"];
  context?: Wanted["context"];
  capabilities?: Wanted["capabilities"];
  way?: "show" | "showUninitialized";
  width?: number;
  prepare?: (page: Page) => Promise<unknown>;
}

type Look = (card: Frame, page: Page) => Promise<string[]>;
type Show = (shown: Shown, look: Look) => Promise<string[]>;

function check(name: string, checked: string, look: (show: Show, scene: Scene) => Promise<string[][]>): Check {
  return {
    name,
    async run(scene): Promise<CheckResult> {
      const cleanUps: (() => Promise<void>)[] = [];
      try {
        const addresses = await serveHost((cleanUp) => void cleanUps.push(cleanUp));
        const show: Show = (shown, seen) => showCard(scene.browser, addresses, shown, seen);
        return { checked, faults: (await look(show, scene)).flat() };
      } finally {
        for (const cleanUp of cleanUps) await cleanUp();
      }
    },
  };
}

/** Any request from the card, and any window that opens, is a fault. */
function showCard(browser: Browser, { host, sandbox }: HostAddresses, shown: Shown, look: Look): Promise<string[]> {
  const { vendor, tool = "get_pricing", input = {}, context = {}, way = "show", width = 760, prepare } = shown;
  const { capabilities = { openLinks: {} } } = shown;
  const mcp = new URL("mcp", vendor).href;
  const faults: string[] = [];
  return visit(
    browser,
    {
      address: host,
      width,
      context: { locale: "en-US", timezoneId: "UTC" },
      prepare: async (page) => {
        page.on("popup", (popup) => void faults.push(`a window opened: ${popup.url()}`));
        page.on("request", (request) => {
          if (request.frame().parentFrame()?.parentFrame()) faults.push(`a request from the card: ${request.url()}`);
        });
        await prepare?.(page);
      },
      // The host reads the server and the sandbox; the client asks for a stream of messages that the server does not have.
      expected: new RegExp(`^request to another host: (?:${mcp}|${sandbox})$|status of 405`),
    },
    async (page) => {
      await page.waitForFunction(() => "show" in window);
      const wanted: Wanted = { mcp, sandbox, tool, input, context, capabilities };
      // As text, because the types of a context are too deep for those of `evaluate`.
      await page.evaluate(([name, text]) => window[name](JSON.parse(text)), [way, JSON.stringify(wanted)] as const);
      const card = page.frames().find((frame) => frame.parentFrame()?.parentFrame());
      if (!card) return ["there is no card"];
      await card.locator("header").waitFor();
      return [...(await look(card, page)), ...faults];
    },
  );
}

/** What the card has, once it has this text. */
async function textWith(card: Frame, text: string): Promise<string> {
  await card.getByText(text).first().waitFor();
  return card
    .locator("header, [part=facts]")
    .allInnerTexts()
    .then((texts) => texts.join("\n"));
}

function missing(text: string, parts: readonly string[]): string[] {
  return parts.filter((part) => !text.includes(part)).map((part) => `not on the card: ${part}; it has: ${text}`);
}

interface Fact extends PlansResponse {
  about: { confirmedAt: string; freshUntil: string };
  latest: { version: string; downloadURL: string };
}

/** The fact in the first text of the result, which is what an agent in a host without cards reads. */
async function factOf(page: Page): Promise<Fact> {
  return JSON.parse(await page.evaluate(() => Object(window.host.result.content[0]).text)) as Fact;
}

/** As of when, and the prices of the plans in their first cycle. */
function wordsOf({ about, currency, cycles, plans }: Fact, cycle = 0): string[] {
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" });
  const prices = plans.map((plan) => plan.prices[cycles[cycle]?.key ?? ""]).filter((price) => price !== undefined);
  return [dayOf(about.confirmedAt), ...prices.map((price) => (price === 0 ? "Free" : money.format(price)))];
}

function dayOf(instant: string, locale = "en-US"): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(instant));
}

export const CARD: Check[] = [
  check(
    "a card shows the facts and their date as the result's text has them",
    "plans and both releases",
    (show, { vendors }) =>
      Promise.all([
        show({ vendor: vendors.demo }, async (card, page) => {
          const fact = await factOf(page);
          const first = await textWith(card, "Lumen Notes");
          await card.getByRole("radio").last().check();
          const last = await textWith(card, "a year");
          return [...missing(first, wordsOf(fact)), ...missing(last, wordsOf(fact, fact.cycles.length - 1))];
        }),
        ...["macos", "windows"].map((platform) =>
          show({ vendor: vendors.demo, tool: "get_latest_version", input: { platform } }, async (card, page) => {
            const { about, latest } = await factOf(page);
            return missing(await textWith(card, "Download"), [`Version ${latest.version}`, dayOf(about.confirmedAt)]);
          }),
        ),
        show({ vendor: vendors.nothing, tool: "get_latest_version", input: { platform: "windows" } }, async (card) =>
          missing(await textWith(card, "No release for"), ["No release for Windows"]),
        ),
      ]),
  ),
  check("a card asks its host to open a link, and opens nothing", "buy and download", (show, { vendors }) =>
    Promise.all([
      show({ vendor: vendors.demo }, async (card, page) => {
        const names = await page.evaluate(() => {
          const { _meta: meta } = window.host.result;
          return Object(meta).names;
        });
        const links = await card.getByRole("link").all();
        for (const link of links) await link.click({ button: "middle" });
        for (const link of links) await link.click({ modifiers: ["Control"] });
        return opened(
          page,
          Object.values<{ buy?: string }>(names).flatMap(({ buy }) => buy ?? []),
        );
      }),
      show({ vendor: vendors.demo, tool: "get_latest_version" }, async (card, page) => {
        await card.getByRole("link").focus();
        await page.keyboard.press("Enter");
        return opened(page, [(await factOf(page)).latest.downloadURL]);
      }),
    ]),
  ),
  check("a card in a host that opens no links shows their addresses as text", "buy and download", (show, { vendors }) =>
    Promise.all(
      TOOLS.map((tool) =>
        show({ vendor: vendors.demo, tool, capabilities: {} }, async (card) => {
          const text = await textWith(card, "https://");
          const controls = await card.locator("a, button").count();
          const wanted = tool === "get_pricing" ? ["Buy", "example.com/buy/pro"] : ["Download for macOS\nhttps:"];
          return [
            ...missing(text, wanted),
            ...(controls > 0 ? [`${controls} controls do nothing`] : []),
            ...(await violations(card)),
          ];
        }),
      ),
    ),
  ),
  check("a card turns grey by itself when its facts are no longer confirmed", "two days later", (show, { vendors }) =>
    Promise.all(
      TOOLS.map((tool) =>
        show({ vendor: vendors.demo, tool, prepare: (page) => page.clock.install() }, async (card, page) => {
          const before = await textWith(card, "As of");
          await page.clock.fastForward(2 * DAY_MS);
          const text = await textWith(card, "No longer confirmed");
          const colours = await card
            .locator("[part=amount], [part=title], [part=about] > *, [part=buy], [part=download]")
            .evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).color))]);
          return [
            ...(before.includes("No longer") ? ["it was grey at once"] : []),
            ...missing(text, [dayOf((await factOf(page)).about.confirmedAt)]),
            ...(colours.join() === "rgb(90, 98, 96)" ? [] : [`its colours are ${colours.join()}`]),
            ...(await violations(card)),
          ];
        }),
      ),
    ),
  ),
  check(
    "a card of a failed call is unavailable, and never has an old price",
    "missing, stale, and after a price",
    (show, { vendors }) =>
      Promise.all([
        ...[vendors.missing, vendors.stale].map((vendor) =>
          show({ vendor }, async (card) => withoutPrice(await textWith(card, "Currently not available"))),
        ),
        show({ vendor: vendors.demo }, async (card, page) => {
          await textWith(card, "$12");
          await page.evaluate(() => window.host.bridge.sendToolResult({ content: [], isError: true }));
          const failed = withoutPrice(await textWith(card, "Currently not available"));
          await page.evaluate(() => window.host.bridge.sendToolResult(window.host.result));
          await textWith(card, "$12");
          await page.evaluate(() => window.host.bridge.sendToolCancelled({ reason: "by the user" }));
          return [...failed, ...withoutPrice(await textWith(card, "Currently not available"))];
        }),
      ]),
  ),
  check("a card shows markup in the facts, and it does nothing", `${MARKUP.length} kinds`, (show, { vendors }) =>
    Promise.all(
      TOOLS.map((tool) =>
        show({ vendor: vendors.hostile, tool }, async (card) => {
          const text = await textWith(card, HOSTILE_API.name);
          const elements = await card
            .locator("img, svg, b b, a:not([part]), script")
            .evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 80)));
          const [own, ...others] = elements;
          return [
            ...missing(text, tool === "get_pricing" ? ["One.of:three", MARKUP[1], MARKUP[4]] : [MARKUP[0], MARKUP[3]]),
            ...(own?.startsWith("<script>") ? [] : ["the card's own script is not the first"]),
            ...others.map((element) => `an element: ${element}`),
          ];
        }),
      ),
    ),
  ),
  check(
    "a card follows its host's theme, colours and language, at first and later",
    "light, dark, German, Arabic",
    async (show, { vendors }) => [
      await show(
        {
          vendor: vendors.demo,
          context: { theme: "dark", locale: "de-DE", timeZone: "UTC", styles: { variables: VARIABLES } },
        },
        async (card, page) => {
          const { about } = await factOf(page);
          const faults = missing(await textWith(card, "Monatlich"), [
            `Stand: ${dayOf(about.confirmedAt, "de-DE")}`,
            "12\u00a0$",
          ]);
          const dark = await lookOf(card);
          await card.getByRole("radio").last().check();
          await page.evaluate(() => window.host.bridge.sendHostContextChange({ theme: "light" }));
          await card.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(250, 240, 230)");
          const focus = await card
            .getByRole("radio")
            .last()
            .evaluate((radio) => radio.matches(":focus"));
          await page.evaluate(() => window.host.bridge.sendHostContextChange({ locale: "ar" }));
          await textWith(card, "محدَّث");
          const arabic = await lookOf(card);
          return [
            ...faults,
            ...(dark === "rgb(20, 10, 0) ltr de" ? [] : [`in a dark host it is ${dark}`]),
            ...(arabic === "rgb(250, 240, 230) rtl ar" ? [] : [`in a light Arabic host it is ${arabic}`]),
            ...(focus ? [] : ["a change of the theme takes the focus away"]),
            ...((await card.getByRole("radio").last().isChecked())
              ? []
              : ["a change of the language resets the cycle"]),
          ];
        },
      ),
    ],
  ),
  check(
    "a card needs no answer to its greeting, and shows a result that comes twice once",
    "after parts of the input",
    async (show, { vendors }) => [
      await show({ vendor: vendors.demo, way: "showUninitialized" }, async (card) => {
        await textWith(card, "$12");
        // Only its host's messages count.
        await card.evaluate(() => {
          const params = { isError: true };
          postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*");
          return new Promise((resolve) => addEventListener("message", resolve, { once: true }));
        });
        const text = await textWith(card, "$12");
        return text.split("$12").length === 2 ? [] : [`$12 is not there once: ${text}`];
      }),
    ],
  ),
  check("a card says how high it is, answers its host, and ends", "two widths", (show, { vendors }) =>
    Promise.all(
      [760, 420].map((width) =>
        show({ vendor: vendors.demo, width }, async (card, page) => {
          await textWith(card, "$12");
          const height = () => card.evaluate(() => document.documentElement.scrollHeight);
          await page.waitForFunction(
            (wanted) => document.querySelector("iframe")?.style.height === `${wanted}px`,
            await height(),
          );
          const scrolls = await card.evaluate(
            () =>
              document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
          );
          const ended = await page.evaluate(() => window.host.bridge.teardownResource({}));
          return [
            ...(scrolls ? [`it scrolls at ${width} pixels`] : []),
            ...(JSON.stringify(ended) === "{}" ? [] : [`its answer to the end: ${JSON.stringify(ended)}`]),
          ];
        }),
      ),
    ),
  ),
  check("axe finds no violation on a card", "plans, a release, in light and dark", (show, { vendors }) =>
    Promise.all(
      TOOLS.flatMap((tool) =>
        (["light", "dark"] as const).map((theme) =>
          show({ vendor: vendors.demo, tool, context: { theme } }, async (card) => {
            await textWith(card, "As of");
            return violations(card);
          }),
        ),
      ),
    ),
  ),
];

const VARIABLES = { "--color-background-primary": "light-dark(#faf0e6, #140a00)" } as NonNullable<
  NonNullable<Wanted["context"]["styles"]>["variables"]
>;

async function opened(page: Page, links: readonly string[]): Promise<string[]> {
  await page.waitForFunction((count) => window.host.opened.length >= count, links.length);
  const asked = await page.evaluate(() => window.host.opened);
  return JSON.stringify(asked) === JSON.stringify(links)
    ? []
    : [`asked for ${asked.join(" ")}, not ${links.join(" ")}`];
}

function withoutPrice(text: string): string[] {
  return /\$|Free|Buy|\d/.test(text) ? [`a fact of an earlier result: ${text}`] : [];
}

/** Ground, direction and language. */
function lookOf(card: Frame): Promise<string> {
  return card.evaluate(() => {
    const { dir, lang } = document.documentElement;
    return `${getComputedStyle(document.body).backgroundColor} ${dir} ${lang}`;
  });
}
