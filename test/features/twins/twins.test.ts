// The plans alone and the releases alone as Markdown, for agents that know only the domain.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createHandler } from "../../../server/features/edge/handler.ts";
import type { Snapshot } from "../../../snapshots/snapshot.ts";
import { isIn } from "../../support/program/feature.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, noRelease, startServer } from "../../support/serving/server.ts";
import { newSigning, signedBy } from "../../support/signing.ts";
import { cycleOf, NOW, planOf, plansSnapshot, releaseSnapshot, resealed } from "../../support/snapshot.ts";

const DAY = 24 * 60 * 60_000;
const TWINS = ["/pricing.md", "/download.md"] as const;
const [PLANS, MACOS, WINDOWS] = allSnapshots() as [Snapshot, Snapshot, Snapshot];

describe("the plans alone (server/features/twins/twins.ts)", () => {
  test("are a table with whose they are, as of when, until when, and how to read and check them", async () => {
    const plans = resealed(PLANS, {
      currency: "USD",
      cycles: [cycleOf("m", 1), cycleOf("y", 12, { savingBadge: "-17%" })],
      plans: [
        planOf("free", { m: 0, y: 0 }),
        planOf("plus", { m: 12, y: 119.5 }, { popular: true, creditsMonthly: 9 }),
      ],
    });
    const names = { plus: { title: "Plus", line: "For every day", buy: "https://acme.example/buy" } };
    const { get, base } = await startServer({
      snapshots: [{ ...plans, names }, MACOS, WINDOWS],
      api: { name: "Lumen Notes", home: "https://acme.example" },
    });
    const { status, text } = await get("/pricing.md");
    expect(status).toBe(200);
    for (const words of [
      `For AI agents: ${isIn("discovery") ? `<${base}/llms.txt> ` : ""}<${base}/pricing.md> <${base}/download.md> <${base}/index.md>\n\n# Lumen Notes\n`,
      "\nHome: <https://acme.example/>\n",
      "\nChecked at the source on 1 Mar 2026, 12:00 UTC. Read it again after 2 Mar 2026, 12:00 UTC;",
      "| Plan | Monthly | Yearly -17% | Credits | Buy |\n",
      "| free | $0 | $0 | not listed |  |\n",
      "| Plus: For every day (recommended) | $12 | $119.50 | 9 credits a month | <https://acme.example/buy> |\n",
      "\nFresh until 2 Mar 2026, 12:00 UTC.\n",
      "public facts about Lumen Notes, published by its vendor",
      "in USD, for all of the time that heads its column",
      `\n- Plans, as JSON: <${base}/api/v1/plans>\n`,
      `\n- MCP, tool \`get_pricing\`: <${base}/mcp>\n`,
      `\n- Page for people: <${base}/#plans>\n`,
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/1\.0\.1|signed| $/m);
  });

  test("are said to be none by a vendor without any", async () => {
    const plans = resealed(PLANS, { currency: "EUR", cycles: [], plans: [] });
    const { get, base } = await startServer({ snapshots: [plans, MACOS, WINDOWS] });
    const { text, status } = await get("/pricing.md");
    expect([status, text]).toEqual([200, expect.stringContaining("\nNo plans and no prices are published.\n")]);
    expect(text).toContain(`\n- Page for people: <${base}/>\n`);
  });

  test("name the proof if they are signed", async () => {
    const { get, base } = await startServer({ snapshots: [signedBy(newSigning(), PLANS), MACOS, WINDOWS] });
    const [, proof = ""] = /\n- Plans, signed: <(.+?)>\n/.exec((await get("/pricing.md")).text) ?? [];
    expect(proof).toMatch(/\/proofs\/plans\.jwt\?sha256=[0-9a-f]{64}$/);
    expect((await get(proof.replace(base, ""))).status).toBe(200);
  });
});

describe("the releases alone", () => {
  test("are both, with their downloads and notes", async () => {
    const windows = releaseSnapshot("windows", {}, { version: "2.0", changelog: "- Slower." });
    const { get, base } = await startServer({ snapshots: [PLANS, MACOS, windows] });
    const { text } = await get("/download.md");
    for (const words of [
      "\n### macOS\n\n**1.0.1** · 28 Feb 2026 · 73.4 MB\n",
      "Download notes-windows.zip: <https://downloads.example.com/notes-windows.zip>\n",
      "### macOS 1.0.1\n\n```text\n- Faster.\n- Übersetzt.\n```",
      "### Windows 2.0\n\n```text\n- Slower.\n```",
      `\n- Release for Windows, as JSON: <${base}/api/v1/releases/latest?platform=windows>\n`,
      `\n- MCP, tool \`get_latest_version\`: <${base}/mcp>\n`,
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("€");
  });

  test("tell a release that is not published from one that nobody can confirm", async () => {
    const ended = { ...WINDOWS, freshUntil: new Date(NOW).toISOString() };
    const { get } = await startServer({ snapshots: [PLANS, noRelease("macos"), ended] });
    const { status, text, headers } = await get("/download.md");
    expect(status).toBe(200);
    expect(text).toContain("Currently unavailable: Release for Windows.");
    expect(text).toMatch(/### macOS\n\nNo release is published\.\n/);
    expect(text).toMatch(/### Windows\n\nNot confirmed since 1 Mar 2026, 12:00 UTC: not shown until/);
    expect(text).not.toContain("1.0.1");
    // The other one may be back in a minute.
    expect(headers["cache-control"]).toBe("public, max-age=58, stale-while-revalidate=0, stale-if-error=0");
  });
});

describe("a fact that cannot be confirmed", () => {
  test("is a 502 with no price and no version in it, as in the API, and returns with the next confirmation", async () => {
    const { get, clock, publish, refresh, warnings } = await startServer();
    const asked = (paths: readonly string[]) => Promise.all(paths.map((path) => get(path)));
    const before = await asked(TWINS);
    clock.pass(DAY);
    const facts = await asked(["/api/v1/plans", "/api/v1/releases/latest"]);
    for (const [index, { status, headers, text }] of (await asked(TWINS)).entries()) {
      expect([status, text]).toEqual([502, facts[index]?.text]);
      expect(headers).toMatchObject({ "cache-control": "no-store", "retry-after": "60" });
    }
    await publish(plansSnapshot({ revision: 2, confirmedAt: clock.wall() }));
    await refresh();
    const after = await asked(TWINS);
    expect(after.map(({ status }) => status)).toEqual([200, 502]);
    expect(after[0]?.text).toContain("| plan-0 | €2 |");
    expect(after[0]?.headers.etag).not.toBe(before[0]?.headers.etag);
    expect(warnings).toEqual([]);
  });

  test("is one in an empty store", async () => {
    const { get } = await startServer({ snapshots: [] });
    for (const path of TWINS) expect((await get(path)).status).toBe(502);
  });

  test("is the same at the edge", async () => {
    const { get, base, clock, directory } = await startServer();
    const read = (key: string) => readFile(join(directory, key)).catch(() => undefined);
    const edge = createHandler({ store: { get: read }, base }, clock);
    for (const left of [DAY, 0]) {
      clock.set(NOW + DAY - left);
      for (const path of TWINS) {
        const [here, there] = [await get(path), await edge(new Request(base + path))];
        expect([there.status, await there.text()]).toEqual([here.status, here.text]);
        for (const name of ["link", "x-robots-tag", "cache-control", "etag", "vary"])
          expect(there.headers.get(name) ?? undefined, name).toBe(here.headers[name]);
      }
    }
  });
});

test("markup in the facts is text in the Markdown", async () => {
  const EVIL = "# x |</td> <script>`**[x](javascript:1)";
  const plans = resealed(PLANS, {
    currency: EVIL,
    cycles: [cycleOf("m", 1, { savingBadge: EVIL })],
    plans: [planOf("a", { m: 1 })],
  });
  const names = { a: { title: EVIL, line: EVIL } };
  const macos = releaseSnapshot("macos", {}, { version: EVIL, date: EVIL, changelog: `${EVIL}\n\`\`\`\n${EVIL}` });
  const api = { name: EVIL, description: EVIL };
  const { get } = await startServer({ snapshots: [{ ...plans, names }, macos, WINDOWS], api });
  for (const path of TWINS) {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    // Without code blocks, in which markup has no meaning.
    const prose = text.replace(/^(`{3,}).*\n[^]*?\n\1$/gm, "");
    expect(prose).toContain("javascript:1");
    expect(prose).not.toMatch(/(?<!\\)<(?:script|\/td)|(?<!\\)\]\(|(?<!\\)\*\*\\?\[|^# x/m);
    const rows = prose.split("\n").filter((line) => line.startsWith("| "));
    expect(new Set(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).size).toBeLessThan(2);
  }
});

test("the page names them in its head, first in its text and first in its Markdown, and the address of that", async () => {
  const { get, base } = await startServer();
  const { text } = await get("/");
  const paths = [...TWINS, "/index.md"];
  const alternates = text.matchAll(/<link rel="alternate" type="text\/markdown" title="[^"]+" href="([^"]+)"/g);
  expect([...alternates].map(([, href]) => href)).toEqual(paths.map((path) => base + path));
  const addresses = ["/llms.txt", ...paths].filter(isServed).map((path) => base + path);
  // Visually hidden, behind the link that skips to the facts, and with none that the keyboard reaches.
  const links = addresses.map((href) => `<a href="${href}" tabindex="-1">${href}</a> `).join("");
  expect(text).toMatch(/<body>\n<a class="skip" [^>]*>[^<]*<\/a> <p class="away" aria-hidden="true">For AI agents: /);
  expect(text).toContain(`>For AI agents: ${links}</p>`);
  const markdown = await get("/", { accept: "text/markdown" });
  expect(markdown.text.split("\n")[0]).toBe(`For AI agents: ${addresses.map((href) => `<${href}>`).join(" ")}`);
  expect((await get("/index.md")).text).toBe(markdown.text);
});
