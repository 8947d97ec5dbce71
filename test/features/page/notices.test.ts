// People who open the address of a program in a browser get a page; programs get the same answer as ever.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { writeReport } from "../../../snapshots/records.ts";
import { isIn } from "../../support/program/feature.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { cspHashOf, visibleText } from "../../support/serving/page.ts";
import { isServed } from "../../support/serving/prepared-targets.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";
import { factsIn } from "../../support/snapshot.ts";

const BROWSERS = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "text/html",
];
/** curl, an MCP client, axios, Java, and clients that rank or refuse. */
const PROGRAMS = [
  undefined,
  "*/*",
  "text/event-stream",
  "application/json, text/event-stream",
  "application/json, text/plain, */*",
  "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
  "text/html, application/json",
  "text/html;q=0.5, */*",
  "text/html;q=0, */*;q=0.1",
];

const ADDRESSES = [
  ["/nowhere?<b>marker", 404, "There is nothing at this address."],
  ["/mcp", 405, "This is the address of an MCP server."],
  ["/download/windows", 502, "The release data is temporarily unavailable."],
  ["/status", 200, "Unavailable: Release for Windows."],
] as const;

const [plans, macos] = allSnapshots();
const server = await startServer({ api: { name: "Lumen <Notes>" }, snapshots: [plans!, macos!], onFinished: afterAll });

describe.for(ADDRESSES.filter(([target]) => isServed(target)))(
  "GET %s (server/features/page/notices.ts)",
  ([target, status, words]) => {
    test.for(BROWSERS)("is a page for a browser: %s", async (accept) => {
      const { headers, text, ...answer } = await server.get(target, { accept });
      expect(answer.status).toBe(status);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
        vary: "Accept",
      });
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[^ ]+'; img-src data:;/,
      );
      expect(headers["content-security-policy"]).toContain(cspHashOf(text, "style"));
      expect(visibleText(text)).toContain(words);
      expect(visibleText(text)).toContain("Lumen <Notes> : plans and downloads");
      expect(text).not.toMatch(/<script| style=|marker/);
    });

    test.for(PROGRAMS)("is JSON for a program: %s", async (accept) => {
      const { headers, text, ...answer } = await server.get(target, accept === undefined ? {} : { accept });
      expect(answer.status).toBe(status);
      expect(headers).toMatchObject({ "content-type": "application/json", vary: "Accept" });
      expect(headers).not.toHaveProperty("content-security-policy");
      expect(JSON.parse(text)).toHaveProperty(status === 200 ? "snapshots" : "error");
    });
  },
);

test.runIf(isIn("api-files"))("has the vendor's logo as its icon, as every page", async () => {
  const logo = join(await temporaryDirectory(), "logo.svg");
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { get } = await startServer({ api: { logo } });
  const [page, notice] = await Promise.all(["/", "/nowhere"].map((path) => get(path, { accept: "text/html" })));
  const [icon] = /<link rel="icon" href="data:image\/svg\+xml;base64,[^"]+"/.exec(page!.text) ?? [];
  expect(notice!.text).toContain(icon ?? "an icon");
});

test.runIf(isIn("mcp"))("405 names the methods, whichever form it has", async () => {
  for (const accept of ["*/*", "text/html"]) {
    expect((await server.get("/mcp", { accept })).headers.allow).toBe("POST, OPTIONS");
    expect((await server.get("/mcp/", { accept })).status).toBe(405);
  }
});

test.runIf(isIn("probes"))("the status page shows the last collection, and the reasons of no failure", async () => {
  const store = openStore(server.directory);
  await writeReport(factsIn(store), [
    { name: "plans", result: "failed", reason: "https://secret.example", milliseconds: 1 },
  ]);
  await server.refresh();
  const { text } = await server.get("/status", { accept: "text/html" });
  expect(visibleText(text)).toMatch(/Plans fresh 1 Mar 2026, 12:00 UTC 2 Mar 2026, 12:00 UTC failed, \d+ \w+ 20\d\d/);
  expect(visibleText(text)).toContain("Release for Windows missing – – –");
  expect(text).not.toContain("secret");
});
