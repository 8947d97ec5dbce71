// A vendor's facts stay text: the page shows markup in them unchanged and inert.
import { test } from "vitest";
import { vendors } from "../scene.ts";
import { MARKUP } from "../payloads.ts";
import { openAll, visit } from "../visit.ts";

test.for(["hostile", "stale", "long"] as const)(
  "markup in the facts is shown and does nothing, %s",
  async (vendor, { expect }) => {
    await visit({ address: vendors[vendor] }, async (page) => {
      await openAll(page);
      const shown = await page.locator("body").innerText();
      for (const text of vendor === "hostile" ? MARKUP : []) expect(shown).toContain(text);
      expect(await page.evaluate(intruders)).toEqual([]);
    });
  },
);

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
