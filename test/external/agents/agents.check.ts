// What agents and the scanners of their makers find of the demo when they know only its address: each check of afdocs, and the
// catalogue of Agentic Resource Discovery by all its ways. Only what refused.ts lists is not as they want it, and all of that is not.
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { startDemo } from "../../support/program/demo.ts";
import { ARD_TYPES, ArdManifest } from "../../support/serving/ard.ts";
import { REFUSED } from "./refused.ts";

/** As far as it is used. The types of the package are there only where it is installed. */
interface Afdocs {
  runChecks(
    base: string,
    options: { requestDelay: number; samplingStrategy: string },
  ): Promise<{ results: { id: string; status: string; message: string }[] }>;
}

ensureInstalled();
const { base, get } = await startDemo(afterAll);
const refused = new Set<string>();

/** Asks no other host, whatever a document links to. */
async function scan() {
  const { runChecks } = (await import(join(PACKAGES, "afdocs/dist/index.js"))) as Afdocs;
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    return host === new URL(base).host ? fetch(input, init) : Promise.reject(new Error(`${host} is another host`));
  };
  try {
    return (await runChecks(base, { requestDelay: 0, samplingStrategy: "deterministic" })).results;
  } finally {
    globalThis.fetch = fetch;
  }
}

describe("of afdocs", async () => {
  const results = await scan();

  test.for(results.map(({ id, status, message }) => [id, status, message]))("%s: %s: %s", ([id = "", status]) => {
    if (status !== "pass") refused.add(id);
    if (!Object.hasOwn(REFUSED, id)) expect(status).toBe("pass");
  });

  test("all checks were made", () => {
    expect(results.length).toBeGreaterThan(25);
  });
});

describe("of Agentic Resource Discovery", () => {
  const CATALOG = "/.well-known/ard.json";

  test("the catalogue has the form that its schemas ask for, and links to what it names", async () => {
    const { entries } = ArdManifest.parse((await get(CATALOG)).json());
    for (const { type, url } of entries) {
      const entry = `ard type ${type}`;
      if (!ARD_TYPES.has(type)) refused.add(entry);
      expect(ARD_TYPES.has(type) || Object.hasOwn(REFUSED, entry), entry).toBe(true);
      expect((await get(url.replace(base, ""))).status, url).toBe(200);
    }
  });

  test("is found at its address, that of its predecessor, and by robots.txt and the page", async () => {
    const [, agentmap = ""] = /^Agentmap: (\S+)$/m.exec((await get("/robots.txt")).text) ?? [];
    const links = (await get("/")).text.matchAll(/<link rel="(?:ard|ai-catalog)" [^>]*href="([^"]+)"/g);
    const found = [agentmap, ...Array.from(links, ([, href = ""]) => href)].map((url) => url.replace(base, ""));
    expect(found).toEqual([CATALOG, CATALOG, "/.well-known/ai-catalog.json"]);
    const texts = await Promise.all(found.map(async (path) => (await get(path)).text));
    expect(new Set(texts).size).toBe(1);
  });
});

test("an agent that knows only the address has price, version, vendor and time in two requests", async () => {
  const [, first = ""] = /\]\((\S+\/pricing\.md)\)/.exec((await get("/llms.txt")).text) ?? [];
  const { text } = await get(first.replace(base, ""));
  for (const words of ["# Lumen Notes", "Checked at the source on", "$12", "published by its vendor"])
    expect(text).toContain(words);
  const [, whole = ""] = /<(\S+\/index\.md)>/.exec(text) ?? [];
  expect((await get(whole.replace(base, ""))).text).toMatch(/\*\*4\.2\.1\*\*[^]*\$12/);
});

test("all that is refused is still reported", () => {
  expect(Object.keys(REFUSED).filter((name) => !refused.has(name))).toEqual([]);
});
