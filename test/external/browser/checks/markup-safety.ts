// A vendor's facts stay text: the page shows markup in them unchanged and inert.
import type { Check } from "../check.ts";
import { MARKUP } from "../payloads.ts";
import { openAll, visit } from "../visit.ts";

export const MARKUP_SAFETY: Check[] = (["hostile", "stale", "long"] as const).map((vendor) => ({
  name: `markup in the facts is shown and does nothing, ${vendor}`,
  async run({ browser, vendors }) {
    const faults = await visit(browser, { address: vendors[vendor] }, async (page) => {
      await openAll(page);
      const shown = await page.locator("body").innerText();
      const unread = vendor !== "hostile" ? [] : MARKUP.filter((text) => !shown.includes(text));
      return [...unread.map((text) => `not shown on the page: ${text}`), ...(await page.evaluate(intruders))];
    });
    return { checked: vendor === "hostile" ? `${MARKUP.length} kinds of markup` : "nothing but text", faults };
  },
}));

/** Runs in the page. Returns elements, attributes and addresses that can only come from markup in a fact. */
function intruders(): string[] {
  const faults: string[] = [];
  for (const element of document.querySelectorAll("*")) {
    const { localName } = element;
    const start = element.outerHTML.slice(0, 160);
    if (/^(img|iframe|object|embed|form|base|video|audio)$/.test(localName)) faults.push(`an element: ${start}`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) faults.push(`a handler: ${start}`);
      if (/^(href|src|xlink:href)$/.test(name) && !/^($|https?:|#|\/|data:image\/|mailto:|cursor:|vscode:)/.test(value))
        faults.push(`an address, ${name}="${value.slice(0, 160)}": ${start}`);
    }
  }
  const scripts = document.querySelectorAll("script:not([type='application/ld+json'])");
  if (scripts.length > 1) faults.push(`${scripts.length} scripts`);
  for (const { textContent } of document.querySelectorAll("script[type='application/ld+json']")) {
    try {
      JSON.parse(textContent ?? "");
    } catch {
      faults.push(`invalid JSON-LD: ${textContent?.slice(0, 160)}`);
    }
  }
  return faults;
}
