// The card of the tools' results, shown by a host of MCP Apps: the extension's own app-bridge, in a page of ours.
import { beforeAll, expect, test } from "vitest";
import type { Frame, Page } from "playwright-core";
import { noteOn } from "../../../../server/features/mcp/results.ts";
import type { PlansResponse } from "../../../../snapshots/schema.ts";
import { plansSnapshot } from "../../../support/snapshot.ts";
import type { Wanted } from "../card-host.ts";
import { HOSTILE_API, MARKUP } from "../payloads.ts";
import { vendors } from "../scene.ts";
import { serveHost } from "../serve-card-host.ts";
import { visit } from "../visit.ts";
import { violations } from "./accessible.ts";

const DAY_MS = 86_400_000;
const TOOLS = ["get_pricing", "get_latest_version"] as const;

let addresses: Awaited<ReturnType<typeof serveHost>>;
beforeAll(async () => {
  addresses = await serveHost();
});

interface Shown {
  /** Address of the vendor's page, by default the demo's. */
  vendor?: string;
  tool?: (typeof TOOLS)[number];
  input?: Wanted["input"];
  passed?: Wanted["passed"];
  context?: Wanted["context"];
  capabilities?: Wanted["capabilities"];
  way?: "show" | "showUninitialized";
  width?: number;
  prepare?: (page: Page) => Promise<unknown>;
}

/** Shows a card. @throws Error if the card sends a request, or a window opens. */
async function show(shown: Shown, look: (card: Frame, page: Page) => Promise<void>): Promise<void> {
  const { vendor = vendors.demo, tool = "get_pricing", input = {}, context = {}, way = "show", width = 760 } = shown;
  const { passed, capabilities = { openLinks: {} } } = shown;
  const { host, sandbox } = addresses;
  const mcp = new URL("mcp", vendor).href;
  const faults: string[] = [];
  const prepare = async (page: Page) => {
    page.on("popup", (popup) => void faults.push(`a window opened: ${popup.url()}`));
    page.on("request", (request) => {
      if (request.frame().parentFrame()?.parentFrame()) faults.push(`a request from the card: ${request.url()}`);
    });
    await shown.prepare?.(page);
  };
  // The host reads the server and the sandbox; the client asks for a stream of messages that the server does not have.
  const expected = new RegExp(`^request to another host: (?:${mcp}|${sandbox})$|status of 405`);
  const ownContext = { locale: "en-US", timezoneId: "UTC" };
  await visit({ address: host, width, context: ownContext, prepare, expected }, async (page) => {
    await page.waitForFunction(() => "show" in window);
    const wanted: Wanted = { mcp, sandbox, tool, input, ...(passed && { passed }), context, capabilities };
    // As text, because the types of a context are too deep for those of `evaluate`.
    await page.evaluate(([name, text]) => window[name](JSON.parse(text)), [way, JSON.stringify(wanted)] as const);
    const card = page.frames().find((frame) => frame.parentFrame()?.parentFrame());
    if (!card) throw new Error("there is no card");
    await card.locator("header").waitFor();
    await look(card, page);
    expect(faults).toEqual([]);
  });
}

/** What the card has, once it has this text. */
async function textWith(card: Frame, text: string): Promise<string> {
  await card.getByText(text).first().waitFor();
  const texts = await card.locator("header, [part=facts]").allInnerTexts();
  return texts.join("\n");
}

function expectParts(text: string, parts: readonly string[]): void {
  for (const part of parts) expect(text).toContain(part);
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

test("a card shows the plans and their date as the result's text has them", async () => {
  await show({}, async (card, page) => {
    const fact = await factOf(page);
    expectParts(await textWith(card, "Lumen Notes"), wordsOf(fact));
    await card.getByRole("radio").last().check();
    expectParts(await textWith(card, "a year"), wordsOf(fact, fact.cycles.length - 1));
  });
});

test.for(["macos", "windows"])("a card shows the release for %s as the result's text has it", async (platform) => {
  await show({ tool: "get_latest_version", input: { platform } }, async (card, page) => {
    const { about, latest } = await factOf(page);
    expectParts(await textWith(card, "Download"), [`Version ${latest.version}`, dayOf(about.confirmedAt)]);
  });
});

test("a card says that there is no release", async () => {
  const { nothing: vendor } = vendors;
  await show({ vendor, tool: "get_latest_version", input: { platform: "windows" } }, async (card) => {
    expectParts(await textWith(card, "No release for"), ["No release for Windows"]);
  });
});

test("a card asks its host to open a link to buy, and opens nothing", async () => {
  await show({}, async (card, page) => {
    const names = await page.evaluate(() => {
      const { _meta: meta } = window.host.result;
      return Object(meta).names;
    });
    const links = await card.getByRole("link").all();
    for (const link of links) await link.click({ button: "middle" });
    for (const link of links) await link.click({ modifiers: ["Control"] });
    const wanted = Object.values<{ buy?: string }>(names).flatMap(({ buy }) => buy ?? []);
    await expectOpened(page, wanted);
  });
});

test("a card asks its host to open a download, and opens nothing", async () => {
  await show({ tool: "get_latest_version" }, async (card, page) => {
    await card.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expectOpened(page, [(await factOf(page)).latest.downloadURL]);
  });
});

test.for(TOOLS)("a card in a host that opens no links shows their addresses as text, %s", async (tool, { expect }) => {
  await show({ tool, capabilities: {} }, async (card) => {
    const wanted = tool === "get_pricing" ? ["Buy", "example.com/buy/pro"] : ["Download for macOS\nhttps:"];
    expectParts(await textWith(card, "https://"), wanted);
    expect(await card.locator("a, button").count(), "controls that do nothing").toBe(0);
    expect(await violations(card)).toEqual([]);
  });
});

test.for(TOOLS)("a card turns grey by itself when its facts are no longer confirmed, %s", async (tool, { expect }) => {
  await show({ tool, prepare: (page) => page.clock.install() }, async (card, page) => {
    expect(await textWith(card, "As of")).not.toContain("No longer");
    await page.clock.fastForward(2 * DAY_MS);
    const text = await textWith(card, "No longer confirmed");
    expectParts(text, [dayOf((await factOf(page)).about.confirmedAt)]);
    const colours = await card
      .locator("[part=amount], [part=title], [part=about] > *, [part=buy], [part=download]")
      .evaluateAll((all) => [...new Set(all.map((each) => getComputedStyle(each).color))]);
    expect(colours).toEqual(["rgb(90, 98, 96)"]);
    expect(await violations(card)).toEqual([]);
  });
});

/** Whether the clock of the browser is wrong from the start, and by how much it is set later, in ms. */
const CLOCKS: [clock: string, wrong: number, change: number][] = [
  ["is set back while it is open", 0, -2 * DAY_MS],
  ["is two days behind", -2 * DAY_MS, 0],
];

test.for(TOOLS.flatMap((tool) => CLOCKS.map((clock) => [tool, ...clock] as const)))(
  "a card (%s) on a clock that %s turns grey when its facts end",
  async ([tool, , wrong, change]) => {
    const prepare = (page: Page) => page.clock.install({ time: Date.now() + wrong });
    await show({ tool, prepare }, async (card, page) => {
      expect(await textWith(card, "As of")).not.toContain("No longer");
      if (change !== 0) await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + change);
      await page.clock.fastForward(1.5 * DAY_MS);
      await textWith(card, "No longer confirmed");
    });
  },
);

test("a card on a clock that is ahead shows no fact as current", async () => {
  const prepare = (page: Page) => page.clock.install({ time: Date.now() + 2 * DAY_MS });
  await show({ prepare }, async (card) => void (await textWith(card, "No longer confirmed")));
});

/** What some hosts pass on of a result: Claude Desktop (ext-apps#696), and goose of an error (ext-apps#694). */
const TEXTS = { passed: ["content", "isError"] } satisfies Shown;
const TEXTS_ALONE = { passed: ["content"] } satisfies Shown;

test.for([TEXTS, TEXTS_ALONE])("a card in a host with %j shows the plans and their date", async (host) => {
  await show(host, async (card, page) => {
    expectParts(await textWith(card, "Lumen Notes"), wordsOf(await factOf(page)));
  });
});

test("a card in a host that passes on texts says which prices the vendor does not state", async () => {
  await show(TEXTS, async (card, page) => {
    const fact = await factOf(page);
    const remark = "Of pro, `monthlyPrice` is a twelfth of the yearly price, billed yearly";
    const snapshot = { ...plansSnapshot(), names: { pro: { computed: "month" as const } } };
    const identity = { title: "Lumen Notes", base: undefined, websiteUrl: undefined };
    const note = noteOn("plans", { state: "fresh", snapshot }, { identity, other: undefined });
    const text = JSON.stringify({ ...fact, about: { ...fact.about, note } });
    await page.evaluate((sent) => window.host.bridge.sendToolResult({ content: [{ type: "text", text: sent }] }), text);
    expectParts(await textWith(card, remark), wordsOf(fact));
    expect(await violations(card)).toEqual([]);
  });
});

test.for(["macos", "windows"])("a card in a host that passes on texts shows the release for %s", async (platform) => {
  await show({ tool: "get_latest_version", input: { platform }, ...TEXTS }, async (card, page) => {
    const { about, latest } = await factOf(page);
    expectParts(await textWith(card, "Download"), [`Version ${latest.version}`, dayOf(about.confirmedAt)]);
  });
});

test.for([{}, TEXTS, TEXTS_ALONE])(
  "a card of a call that the tool refuses has the tool's words, and not that anything is unavailable: %j",
  async (host, { expect }) => {
    for (const input of [{ platform: "linux" }, { os: "windows" }]) {
      await show({ tool: "get_latest_version", input, ...host }, async (card, page) => {
        const words = (await page.evaluate(() => Object(window.host.result.content[0]).text)) as string;
        expect(words).toMatch(/says nothing about linux|no release was looked up/);
        expect(await textWith(card, words)).toBe(`Lumen Notes\n${words}`);
        expect(await violations(card)).toEqual([]);
      });
    }
  },
);

test.for(["missing", "stale"] as const)("a card of a %s fact has the tool's words and no price", async (vendor) => {
  for (const host of [{}, TEXTS_ALONE])
    await show({ vendor: vendors[vendor], ...host }, async (card) => {
      expect(await textWith(card, "temporarily unavailable")).not.toMatch(/\$|Free|Buy/);
    });
});

test("a card without facts and without words has neither an old price nor a guess", async () => {
  await show({}, async (card, page) => {
    const showAgain = async () => {
      await page.evaluate(() => window.host.bridge.sendToolResult(window.host.result));
      await textWith(card, "$12");
    };
    await textWith(card, "$12");
    await page.evaluate(() => window.host.bridge.sendToolResult({ content: [], isError: true }));
    await expectNothing(card);
    await showAgain();
    await page.evaluate(() => window.host.bridge.sendToolResult({ ...window.host.result, isError: true }));
    await expectNothing(card);
    await showAgain();
    await page.evaluate(() => window.host.bridge.sendToolResult({ content: [{ type: "text", text: '{"about":{' }] }));
    await expectNothing(card);
    await showAgain();
    await page.evaluate(() => window.host.bridge.sendToolCancelled({ reason: "by the user" }));
    await expectNothing(card);
  });
});

test.for(TOOLS)("a card shows markup in the facts, and it does nothing, %s", async (tool, { expect }) => {
  await show({ vendor: vendors.hostile, tool }, async (card) => {
    const text = await textWith(card, HOSTILE_API.name);
    expectParts(text, tool === "get_pricing" ? ["One.of:three", MARKUP[1], MARKUP[4]] : [MARKUP[0], MARKUP[3]]);
    const elements = await card
      .locator("img, svg, b b, a:not([part]), script")
      .evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 80)));
    // The card's own script is the only one.
    expect(elements).toEqual([expect.stringMatching(/^<script>/)]);
  });
});

const VARIABLES = { "--color-background-primary": "light-dark(#faf0e6, #140a00)" } as NonNullable<
  NonNullable<Wanted["context"]["styles"]>["variables"]
>;

test("a card follows its host's theme, colours and language, at first and later", async ({ expect }) => {
  const context: Shown["context"] = {
    theme: "dark",
    locale: "de-DE",
    timeZone: "UTC",
    styles: { variables: VARIABLES },
  };
  await show({ context }, async (card, page) => {
    const { about } = await factOf(page);
    const german = [`Stand: ${dayOf(about.confirmedAt, "de-DE")}`, "12\u00a0$"];
    expectParts(await textWith(card, "Monatlich"), german);
    expect(await lookOf(card)).toBe("rgb(20, 10, 0) ltr de");
    const radio = card.getByRole("radio").last();
    await radio.check();
    await page.evaluate(() => window.host.bridge.sendHostContextChange({ theme: "light" }));
    await card.waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(250, 240, 230)");
    expect(await radio.evaluate((one) => one.matches(":focus")), "a change of the theme leaves the focus").toBe(true);
    await page.evaluate(() => window.host.bridge.sendHostContextChange({ locale: "ar" }));
    await textWith(card, "محدَّث");
    expect(await lookOf(card)).toBe("rgb(250, 240, 230) rtl ar");
    expect(await radio.isChecked(), "a change of the language leaves the cycle").toBe(true);
  });
});

test("a card needs no answer to its greeting, and shows a result that comes twice once", async ({ expect }) => {
  await show({ way: "showUninitialized" }, async (card) => {
    await textWith(card, "$12");
    // Only its host's messages count.
    await card.evaluate(() => {
      const params = { isError: true };
      postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*");
      return new Promise((resolve) => addEventListener("message", resolve, { once: true }));
    });
    expect((await textWith(card, "$12")).split("$12")).toHaveLength(2);
  });
});

test.for([760, 420])("a card says how high it is, answers its host, and ends, %s", async (width, { expect }) => {
  await show({ width }, async (card, page) => {
    await textWith(card, "$12");
    const height = await card.evaluate(() => document.documentElement.scrollHeight);
    await page.waitForFunction((wanted) => document.querySelector("iframe")?.style.height === `${wanted}px`, height);
    const scrolls = await card.evaluate(() => {
      const { scrollHeight, scrollWidth } = document.documentElement;
      return scrollHeight > innerHeight || scrollWidth > innerWidth;
    });
    expect(scrolls).toBe(false);
    expect(await page.evaluate(() => window.host.bridge.teardownResource({}))).toEqual({});
  });
});

test.for(TOOLS.flatMap((tool) => (["light", "dark"] as const).map((theme) => [tool, theme] as const)))(
  "axe finds no violation on a card, %s, %s",
  async ([tool, theme], { expect }) => {
    await show({ tool, context: { theme } }, async (card) => {
      await textWith(card, "As of");
      expect(await violations(card)).toEqual([]);
    });
  },
);

async function expectOpened(page: Page, links: readonly string[]): Promise<void> {
  await page.waitForFunction((count) => window.host.opened.length >= count, links.length);
  expect(await page.evaluate(() => window.host.opened)).toEqual(links);
}

/** It has the vendor's name alone. */
async function expectNothing(card: Frame): Promise<void> {
  await card.waitForFunction(() => document.body.shadowRoot?.querySelector("[part=facts]")?.textContent === "");
  expect((await textWith(card, "Lumen Notes")).trim()).toBe("Lumen Notes");
}

/** Ground, direction and language. */
function lookOf(card: Frame): Promise<string> {
  return card.evaluate(() => {
    const { dir, lang } = document.documentElement;
    return `${getComputedStyle(document.body).backgroundColor} ${dir} ${lang}`;
  });
}
