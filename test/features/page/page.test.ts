// The page as it is served: its content, its two forms, how long it may be cached, and the facts it must not show.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Platform } from "../../../snapshots/schema.ts";
import { appendHistory } from "../../../snapshots/features/history/history.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { timeline } from "../../../server/features/page/charts.ts";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { writeReport } from "../../../snapshots/records.ts";
import { renderPage, cspHashOf, visibleText } from "../../support/serving/page.ts";
import { ask, allSnapshots, noRelease, startServer, pollUntil } from "../../support/serving/server.ts";
import { factsIn, cycleOf, NOW, planOf, plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SECTIONS = ["downloads", "plans", "news", "history", "use", "agents", "status"];
const RELEASES = ["macos", "windows"].map((platform) => `/api/v1/releases/latest?platform=${platform}`);
const [PLANS, MACOS, WINDOWS] = allSnapshots() as [Snapshot, Snapshot, Snapshot];

describe("the page shows (server/features/page/page.ts)", () => {
  test("the plans, the releases, how fresh they are, and links to the rest", async () => {
    const { get, base } = await startServer({ api: { name: "Lumen Notes" } });
    const { status, headers, text } = await get("/");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect([...text.matchAll(/<section id="(.+?)"/g)].map(([, id]) => id)).toEqual(SECTIONS);
    for (const words of [
      "Lumen Notes",
      "plan-0 €1 a month",
      "macOS 1.0.1 28 Feb 2026",
      "73.4 MB from downloads.example.com",
      "What is new macOS 1.0.1 and Windows 1.0.1 Faster. Übersetzt.",
      "Checked 1 Mar 2026, 12:00 UTC , shown until 2 Mar 2026, 12:00 UTC",
      `${base}/api/v1 `,
      `${base}/openapi.json`,
      "Changes as an Atom feed or a JSON Feed .",
      `claude mcp add --transport http lumen-notes ${base}/mcp`,
    ]) {
      expect(visibleText(text)).toContain(words);
    }
    expect(text).toContain(`data-fresh-until="2026-03-02T12:00:00.000Z"`);
    expect(text).toContain("A price in <code>prices</code> is for the whole billing cycle");
  });

  test("the checksum of an installer, and the installers for other processors", () => {
    const sum = { sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", sha512: "0".repeat(128) };
    const [own, other] = ["macos.zip", "x64.zip"].map((name) => `https://downloads.example.com/notes-${name}`) as [
      string,
      string,
    ];
    const { html, markdown } = renderPage({
      files: [
        { url: own, ...sum },
        { url: other, arch: "x64" },
        { url: "javascript:alert(1)", arch: "arm64" },
      ],
    });
    expect(visibleText(html)).toContain(`from downloads.example.com SHA-256 ${sum.sha256} Download for Intel `);
    expect(html).toContain(`<a href="${other}">Download for Intel</a>`);
    expect(markdown).toContain(
      `Download notes-macos.zip: <${own}>\n\nSHA-256: ${sum.sha256}\n\nDownload for Intel: <${other}>\n\nFresh until`,
    );
    expect(html + markdown).not.toMatch(/javascript:alert|SHA-512/);
    expect(visibleText(renderPage({ files: [{ url: own, sha512: sum.sha512 }] }).html)).toContain(
      `SHA-512 ${sum.sha512}`,
    );
    const plain = renderPage();
    expect(plain.markdown).toContain(`Download notes-macos.zip: <${own}>\n\nFresh until`);
    expect(plain.html + plain.markdown).not.toMatch(/SHA-|Download for/);
  });

  test("Markdown to clients that ask for it, and HTML to all others", async () => {
    const { get, base } = await startServer({ api: { name: "Lumen_Notes" } });
    const forms: [string, string | undefined][] = [
      ["html", undefined],
      ["html", "*/*"],
      ["html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
      ["html", "text/html, text/markdown;q=0.9"],
      ["html", "text/markdown;q=0"],
      ["html", "application/json"],
      ["markdown", "text/markdown"],
      ["markdown", "TEXT/Markdown; charset=utf-8"],
      ["markdown", "text/markdown, text/html, */*"],
      ["markdown", "text/html;q=0.5, text/markdown;q=0.6"],
      ["markdown", "text/markdown;q=0.2, */*;q=0.1"],
    ];
    for (const [form, accept] of forms) {
      const { headers } = await get("/", accept === undefined ? {} : { accept });
      expect(headers["content-type"], accept).toBe(`text/${form}; charset=utf-8`);
      expect(headers.vary).toBe("Accept, Accept-Encoding");
    }
    const { text, headers } = await get("/", { accept: "text/markdown" });
    expect(text).not.toMatch(/ $/m);
    expect(headers).not.toHaveProperty("content-security-policy");
    for (const words of [
      "# Lumen_Notes\n",
      "| plan-0 | €1 |\n",
      "**1.0.1** · 28 Feb 2026 · 73.4 MB",
      "Download notes-windows.zip: <https://downloads.example.com/notes-windows.zip>",
      "```text\n- Faster.\n- Übersetzt.\n```",
      `- MCP: <${base}/mcp>`,
      "| Plans | fresh | 1 Mar 2026, 12:00 UTC | 2 Mar 2026, 12:00 UTC |",
    ]) {
      expect(text).toContain(words);
    }
  });

  test("that no release is published, and that there are no plans", async () => {
    const none = { currency: "EUR", cycles: [], plans: [] };
    const plans = resealed(PLANS, none);
    const { get } = await startServer({ snapshots: [plans, noRelease("macos"), WINDOWS] });
    const text = visibleText((await get("/")).text);
    expect(text).not.toContain("a month");
    // What is published comes first.
    expect(text).toMatch(/Downloads Windows 1\.0\.1 .* macOS No release is published\./);
    expect(text).toMatch(/curl '[^']*platform=windows'/);
  });

  test("changes and the results of recent collections as soon as they are in the store", async () => {
    const { get, directory, refresh, warnings } = await startServer();
    const store = openStore(directory);
    const before = await get("/");
    expect(before.text).not.toContain('role="img"');
    await appendHistory(factsIn(store), MACOS);
    await refresh();
    const watched = visibleText((await get("/")).text);
    expect(watched).toContain("Watched since 1 Mar 2026; no change yet.");
    await appendHistory(factsIn(store), plansSnapshot({ confirmedAt: NOW - 2 * DAY }));
    await appendHistory(factsIn(store), plansSnapshot({ revision: 2, confirmedAt: NOW - DAY }));
    await appendHistory(factsIn(store), releaseSnapshot("windows", { revision: 4, confirmedAt: NOW - DAY }));
    await appendHistory(factsIn(store), releaseSnapshot("windows", { revision: 5, confirmedAt: NOW }));
    const failure = "answered 503 to https://secret.example";
    await writeReport(factsIn(store), [{ name: "plans", result: "confirmed", milliseconds: 1 }]);
    await writeReport(factsIn(store), [{ name: "plans", result: "failed", reason: failure, milliseconds: 1 }]);
    await refresh();
    const { text, headers } = await get("/");
    expect(headers.etag).not.toBe(before.headers.etag);
    expect(text).toContain(`aria-label="Monthly price of plan-0: €1 from 27 Feb 2026, €2 from 28 Feb 2026"`);
    expect(text).toContain(`aria-label="Releases for Windows: 1.0.4 on 28 Feb 2026, 1.0.5 on 1 Mar 2026"`);
    expect(text).not.toContain("Releases for macOS");
    expect(visibleText(text)).toContain("28 Feb 2026 plan-0, monthly €2 28 Feb 2026 Windows 1.0.4");
    expect(text).toContain(`aria-label="Last 2 collections of Plans: 1 confirmed, 1 failed"`);
    expect(text).not.toContain("secret");
    expect((await get("/", { accept: "text/markdown" })).text).toContain("| 27 Feb 2026 | plan-0, monthly | €1 |");
    expect(warnings).toEqual([]);
  });
});

describe("a chart's labels (server/features/page/charts.ts)", () => {
  const LETTER = 2.4; // percent of a chart 280 px wide
  const span = { from: 0, to: 100 };
  const labels = (points: { at: number; label: string }[]) =>
    [...timeline("Releases", points, span).text.matchAll(/<text x="(.+?)%" .*?anchor="(.+?)">(.+?)<\/text>/g)]
      .map(([, x, anchor, text]) => {
        const width = [...text!].length * LETTER;
        const from = Number(x) - { start: 0, middle: width / 2, end: width }[anchor!]!;
        return { from, to: from + width, text };
      })
      .toSorted((a, b) => a.from - b.from);

  test.for([1, 7, 12, 60])("do not overlap or leave the chart: %d letters", (length) => {
    const found = labels(Array.from({ length: 41 }, (_, index) => ({ at: index * 2.5, label: "4".repeat(length) })));
    expect(found.length).toBeGreaterThan(1);
    for (const [index, { from, to }] of found.entries()) {
      expect(from).toBeGreaterThanOrEqual(found[index - 1]?.to ?? 0);
      expect(to).toBeLessThanOrEqual(100);
    }
  });

  test("always include the latest", () => {
    expect(labels(["1.0", "2.0", "3.0"].map((label) => ({ at: 50, label }))).map(({ text }) => text)).toEqual(["3.0"]);
  });
});

describe("a fact that cannot be confirmed", () => {
  test.for([
    ["stale", { ...MACOS, freshUntil: new Date(NOW).toISOString() }, "Not confirmed since 1 Mar 2026, 12:00 UTC"],
    ["missing", undefined, "Not collected yet, so nothing"],
  ] as const)("is not shown when it is %s, and the page says so", async ([, macos, words]) => {
    const snapshots = [PLANS, ...(macos ? [macos] : []), releaseSnapshot("windows", { revision: 3 })];
    const { get, directory, refresh } = await startServer({ snapshots });
    await appendHistory(factsIn(openStore(directory)), MACOS);
    await refresh();
    for (const accept of ["text/html", "text/markdown"]) {
      const { status, headers, text } = await get("/", { accept });
      expect(status).toBe(200);
      expect(text).toContain(words);
      expect(text).toContain("Currently unavailable: Release for macOS.");
      expect(text).not.toContain("notes-macos.zip");
      expect(text).not.toContain("1.0.1");
      // Short, because the fact may be back any minute.
      expect(headers["cache-control"]).toBe("public, max-age=58, stale-while-revalidate=0, stale-if-error=0");
    }
  });

  test("disappears at its end without a new publication, and returns with the next confirmation", async () => {
    const server = await startServer();
    expect((await server.get("/")).text).toContain("notes-macos.zip");
    server.clock.pass(DAY);
    const over = await server.get("/");
    expect(over.status).toBe(200);
    expect(visibleText(over.text)).toContain(
      "Currently unavailable: Plans, Release for macOS and Release for Windows.",
    );
    for (const fact of ["notes-macos.zip", "plan-0", "1.0.1"]) expect(over.text).not.toContain(fact);
    expect(over.text).not.toContain("data-fresh-until=");
    await server.publish(releaseSnapshot("macos", { revision: 2, confirmedAt: NOW + DAY }));
    await server.refresh();
    expect((await server.get("/")).text).toContain("notes-macos.zip");
  });

  test("is not shown in an outdated page either, however soon after the next publication it is requested", async () => {
    const { get, clock, publish } = await startServer();
    expect(visibleText((await get("/")).text)).toContain("€1 a month");
    clock.pass(DAY);
    const later = { revision: 2, confirmedAt: NOW + DAY };
    for (const platform of ["macos", "windows"] as const) await publish(releaseSnapshot(platform, later));
    await publish(plansSnapshot(later));
    const isBack = ({ status }: { status: number }) => status === 200;
    for (const fact of ["/api/v1/plans", ...RELEASES]) await pollUntil(() => get(fact), isBack);
    const { text, headers } = await get("/");
    expect(visibleText(text)).toContain("€2 a month");
    expect(text).not.toContain("1.0.1");
    expect(text).not.toContain('data-fresh-until="2026-03-02T12:00:00.000Z"');
    expect(headers["cache-control"]).toContain("max-age=60");
  });

  test("is not cached past its end: the lifetime of the page never exceeds that of its first fact to end", async () => {
    const soon = { ...WINDOWS, freshUntil: new Date(NOW + 90_000).toISOString() };
    const { get, clock } = await startServer({ snapshots: [PLANS, MACOS, soon] });
    const promised = async () => (await get("/")).headers["cache-control"];
    expect(await promised()).toBe("public, max-age=60, stale-while-revalidate=28, stale-if-error=28");
    clock.pass(60_000);
    expect(await promised()).toBe("public, max-age=28, stale-while-revalidate=0, stale-if-error=0");
    clock.pass(29_500);
    expect(await promised()).toBe("public, max-age=0, stale-while-revalidate=0, stale-if-error=0");
    expect((await get("/")).text).toContain("notes-windows.zip");
    clock.pass(500);
    expect((await get("/")).text).not.toContain("notes-windows.zip");
    const whole = await startServer();
    expect((await whole.get("/")).headers["cache-control"]).toBe(
      "public, max-age=60, stale-while-revalidate=30, stale-if-error=3538",
    );
  });
});

describe("a browser", () => {
  test("may run and load only the page's own style, script and images", async () => {
    const { get } = await startServer();
    const { text, headers } = await get("/");
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      `style-src ${cspHashOf(text, "style")}`,
      `script-src ${cspHashOf(text, "script")}`,
      "img-src data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/ style=| on[a-z]+=/);
    expect(text.match(/<(?:script|style)\b/g)).toEqual(["<style", "<script", "<script"]);
  });

  test("gets radio buttons and prices of every cycle, and buttons that stay hidden until the script runs", () => {
    const cycles = [cycleOf("m1", 1), cycleOf("m12", 12)];
    const plan = planOf("pro", { m1: 9.5 }, { popular: true, creditsMonthly: 1 });
    const { html } = renderPage({ payloads: { plans: { currency: "USD", cycles, plans: [plan] } } });
    expect(html).toMatch(/<input type="radio" name="cycle" value="m1"\s+checked/);
    expect(html).toContain(`#plans:has([value="m12"]:checked) [data-cycle="m12"]{display:block}`);
    expect(visibleText(html)).toContain("pro Recommended 1 credit a month $9.50 a month – not listed");
    const buttons = html.match(/<button[^>]*>/g) ?? [];
    expect(buttons.length).toBeGreaterThan(5);
    for (const button of buttons) expect(button).toMatch(/ hidden( |>)/);
    for (const [, id] of html.matchAll(/data-copy="([^"]*)"/g)) expect(html).toContain(` id="${id}"`);
  });

  test("shows the prices of the only cycle without a choice that would hide them", () => {
    const plans = { currency: "USD", cycles: [cycleOf("m1", 1)], plans: [planOf("pro", { m1: 9.5 })] };
    const { html } = renderPage({ payloads: { plans } });
    expect(visibleText(html)).toContain("pro $9.50 a month");
    expect(html).not.toContain("[data-cycle]{display:none}");
  });

  test("gets a preview of the link without a picture, and an icon in the accent colour", async () => {
    const { get, base } = await startServer({ api: { name: "Lumen <Notes>", color: "#a1187f" } });
    const { text } = await get("/");
    for (const [property, content] of [
      ["og:title", "Lumen &#60;Notes&#62;"],
      ["og:url", `${base}/`],
    ]) {
      expect(text).toContain(`<meta property="${property}" content="${content}" />`);
    }
    expect(text).not.toMatch(/og:image|twitter:/);
    expect((await get("/og.png")).status).toBe(404);
    const icon = await get("/favicon.ico");
    expect(icon.headers).toMatchObject({
      "content-type": "image/svg+xml",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(icon.text).toMatch(/^<svg .*stroke="#a1187f"/);
  });

  test("gets the demo's page in less than 12 KiB", async () => {
    const demo = join(import.meta.dirname, "../../../cli/demo");
    const [plans, releases] = await Promise.all(
      ["plans.json", "releases.json"].map(async (name) => JSON.parse(await readFile(join(demo, name), "utf8"))),
    );
    const answer = (platform: Platform) => {
      return { hasUpdate: true, forceUpdate: false, latest: { platform, ...releases[platform] } } as const;
    };
    const sealed = [resealed(MACOS, answer("macos")), resealed(WINDOWS, answer("windows"))];
    const snapshots = [resealed(PLANS, plans), ...sealed];
    const { port } = await startServer({ snapshots });
    const { bytes, headers } = await pollUntil(
      () => ask(port, "/", { headers: { "accept-encoding": "br" } }),
      ({ headers }) => headers["content-encoding"] === "br",
    );
    expect(headers["content-encoding"]).toBe("br");
    expect(bytes.byteLength).toBeLessThan(12 * 1024);
    const page = brotliDecompressSync(bytes).toString();
    expect(visibleText(page)).toContain("studio $60 a month");
    // On paper, a link that shows no address leads nowhere.
    expect(page).toMatch(/@media print\{[^]*#downloads a::after\{content:[^}]*attr\(href\)/);
  });
});
