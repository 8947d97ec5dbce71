// The script with the elements for a vendor's own site, as other origins get it. What it shows is checked in a browser
// (`npm run external -- browser`).
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import { EMBED } from "../../../server/features/widgets/built.ts";
import { plansInWords, type Wording } from "../../../server/features/words/offers.ts";
import type { BillingCycle } from "../../../snapshots/schema.ts";
import { ROOT } from "../../support/imports.ts";
import { freePort } from "../../support/port.ts";
import { isIn } from "../../support/program/feature.ts";
import { DOCUMENTS, isServed } from "../../support/serving/prepared-targets.ts";
import { ask, startServer } from "../../support/serving/server.ts";
import { planOf, plansSnapshot } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const BASE = "https://facts.example.org/notes";
const MAX_BYTES = 6_000;

const server = await startServer({ api: { baseUrl: BASE }, port: await freePort(), onFinished: afterAll });
const digest = createHash("sha256").update(EMBED).digest();
const pinned = `/embed.${digest.toString("hex").slice(0, 16)}.js`;
const integrity = `sha256-${digest.toString("base64")}`;

describe("the script (server/features/widgets/embed-view.ts)", () => {
  test("is the same at both addresses, and another hash is not found", async () => {
    const [latest, same] = [await server.get("/embed.js"), await server.get(pinned)];
    expect([latest.text, same.text]).toEqual([EMBED, EMBED]);
    expect(latest.headers["cache-control"]).toBe(
      (await server.get(DOCUMENTS[0] ?? "/embed.json")).headers["cache-control"],
    );
    expect(same.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    for (const path of ["/embed.0123456789abcdef.js", pinned.slice(0, -4), pinned.toUpperCase()]) {
      const { status, headers } = await server.get(path);
      expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
    }
  });

  test("can be loaded by another origin that is isolated, without `crossorigin`, too", async () => {
    for (const path of ["/embed.js", pinned]) {
      const { headers } = await server.get(path, { origin: "https://acme.com" });
      expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
    }
  });

  test("has `crossorigin` in every example", async () => {
    const { text } = await server.get("/", { accept: "text/markdown" });
    const document = await readFile(join(ROOT, "docs/embed.md"), "utf8");
    const lines = [text, document].map((shown) => shown.match(/<script [^>]*embed[^>]*>/g) ?? []);
    expect(lines.map(({ length }) => length)).toEqual([2, 2]);
    for (const line of lines.flat()) expect(line).toContain(" crossorigin defer>");
    if (!isIn("discovery")) return;
    expect((await server.get("/llms.txt")).text).toContain(`integrity="${integrity}" crossorigin`);
  });

  test("can be loaded by another origin with `integrity` and `crossorigin`", async () => {
    for (const path of ["/embed.js", pinned, "/embed.json"]) {
      const { status, headers } = await server.get(path, { origin: "https://acme.com" });
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
      const head = await ask(server.port, path, { method: "HEAD" });
      expect([head.status, head.headers["content-length"]]).toEqual([200, headers["content-length"]]);
    }
  });

  test(`has at most ${MAX_BYTES} bytes, compressed`, () => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    expect(brotliCompressSync(EMBED, { params }).byteLength).toBeLessThanOrEqual(MAX_BYTES);
  });

  test("has neither markup nor styles that a strict policy forbids, nor anything that stays with the visitor", () => {
    expect(EMBED).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|setAttribute\("style/,
    );
    expect(EMBED.match(/\bfetch\(.*?\)/g)?.map((call) => call.includes('credentials:"omit"'))).toEqual([true]);
    expect(EMBED).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB|sendBeacon|XMLHttpRequest/);
  });

  test("is shown with its pinned address and its hash on the page and in llms.txt", async () => {
    const { text: markdown } = await server.get("/", { accept: "text/markdown" });
    expect(markdown).toContain(`<script src="${BASE}${pinned}" integrity="${integrity}" crossorigin defer></script>`);
    for (const path of ["/", "/llms.txt"].filter(isServed)) {
      const { text } = await server.get(path);
      for (const shown of [`${BASE}${pinned}`, integrity]) expect(text).toContain(shown);
    }
  });

  test("has the same bytes and addresses at the edge", async () => {
    const handler = createHandler({ store: { get: async () => null }, base: BASE });
    for (const path of ["/embed.js", pinned]) {
      const answer = await handler(new Request(BASE + path));
      expect([answer.status, await answer.text()]).toEqual([200, EMBED]);
    }
    const beside = await handler(new Request(`${BASE}/embed.json`));
    expect([beside.status, await beside.text()]).toEqual([200, '{"names":null}']);
  });
});

describe("what stands beside the facts", () => {
  const names = { "plan-0": { title: "Pro", line: "For teams of five", buy: "https://acme.com/buy/pro" } };

  test("is the names as the settings state them, for as long as the plans", async () => {
    const own = await startServer({ snapshots: [{ ...plansSnapshot(), names }] });
    expect((await own.get("/embed.json")).json()).toEqual({ names });
    for (const left of [DAY, 30_000]) {
      own.clock.pass(left === DAY ? 0 : DAY - left);
      const [beside, plans] = [await own.get("/embed.json"), await own.get("/api/v1/plans")];
      expect(beside.headers["cache-control"]).toBe(plans.headers["cache-control"]);
    }
  });

  test("is empty where none are stated, and null while the plans are unavailable: a 200 in no cache", async () => {
    const own = await startServer();
    expect((await own.get("/embed.json")).text).toBe('{"names":{}}');
    own.clock.pass(DAY);
    const { status, headers, text } = await own.get("/embed.json");
    expect([status, headers["cache-control"], text]).toEqual([200, "no-store", '{"names":null}']);
  });

  test("is no part of the contract", async () => {
    for (const path of ["/openapi.json", "/api/v1"]) expect((await server.get(path)).text).not.toContain("embed");
  });
});

describe("a price that the vendor does not state", () => {
  const year = { key: "yearly", durationMonths: 12, labelKey: "year", savingBadge: "-17%" };
  const priced = (cycles: BillingCycle[]) => {
    const plans = [planOf("pro", { yearly: 120 }, { monthlyPrice: 10, annualPrice: 120 })];
    return { currency: "USD", cycles, plans };
  };

  const WORDING: Wording = {
    say: (word) => word,
    money: (amount) => String(amount),
    period: (months) => `${months} months`,
    rhythm: () => undefined,
    credits: String,
  };

  test("is said to be computed, in every language of the script", () => {
    const words = (computed: "year" | "month") => plansInWords(priced([]), WORDING, { pro: { computed } }).plans[0];
    expect(words("year")?.offers[0]?.map(([, period]) => period)).toEqual(["1 months", "at-monthly-price"]);
    expect(words("month")?.offers[0]?.map(([, period]) => period)).toEqual(["billed-yearly", "12 months"]);
    for (const word of ["at-monthly-price", "billed-yearly"]) {
      const [, said = ""] = new RegExp(`"${word}":"([^"]+)"`).exec(EMBED) ?? [];
      expect(new Set(said.split("|")).size).toBe(8);
    }
  });

  test("has no badge of a saving, whatever else stands beside the names", () => {
    const words = (names: unknown) => plansInWords(priced([year]), WORDING, Object(names));
    expect(words({ pro: { computed: "year" } }).cycles[0]?.savingBadge).toBeNull();
    for (const names of [{}, { pro: null }, null, { constructor: "pro" }, "pro"])
      expect(words(names).cycles[0]?.savingBadge).toBe("-17%");
  });
});

describe("its document", () => {
  test("names every attribute, part and custom property, and no other", async () => {
    const [document, embed, parts] = await Promise.all(
      ["docs/embed.md", "server/features/widgets/embed.ts", "server/features/widgets/parts.ts"].map((path) =>
        readFile(join(ROOT, path), "utf8"),
      ),
    );
    const [, attributes = ""] = /observedAttributes = \[(.*?)\]/.exec(embed ?? "") ?? [];
    const [, words = ""] = /const WORDS = \{\n(.*?)\n\};/s.exec(parts ?? "") ?? [];
    const known = [
      ...[...attributes.matchAll(/"([a-z-]+)"/g)].map(([, name]) => name),
      ...[...words.matchAll(/^ {2}"?([a-z-]+)"?:/gm)].map(([, name]) => name),
      ...new Set([...(parts ?? "").matchAll(/--vitrine-[a-z-]+/g)].map(([name]) => name)),
    ];
    expect(known.length).toBeGreaterThan(20);
    const named = [...(document ?? "").matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(known.toSorted());
  });
});
