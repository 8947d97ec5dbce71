// The documents for discovery from the domain name: their content, and that no link in them is broken.
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { securityTxt } from "../../../server/features/discovery/discovery.ts";
import { freePort } from "../../support/port.ts";
import { isIn } from "../../support/program/feature.ts";
import { call } from "../../support/serving/mcp.ts";
import { ask, startServer, type Reply } from "../../support/serving/server.ts";
import {
  DOCUMENTS,
  FACTS,
  INDEX,
  isServed,
  MCP,
  PAGES,
  PREPARED,
  PROBES,
  TWINS,
} from "../../support/serving/prepared-targets.ts";

const DAY = 24 * 60 * 60_000;
const BASE = "https://facts.example.org/notes";
const contact = "security@vendor.example";
const contentSignal = "search=yes, ai-input=yes, ai-train=no";
/** With a public address other than the one it listens on. */
const server = await startServer({
  api: { baseUrl: `${BASE}/`, contact, contentSignal, name: "Notes & <more>" },
  port: await freePort(),
  onFinished: afterAll,
});
/** With the default settings. */
const plain = await startServer({ onFinished: afterAll });

const CATALOG = "/.well-known/api-catalog";
const SECURITY = "/.well-known/security.txt";

/** The `Link` headers by relation (RFC 8288). */
function linksOf({ headers: { link } }: Reply): Record<string, string> {
  const links = [link ?? []]
    .flat()
    .join(", ")
    .matchAll(/<(?<url>[^>]*)>(?:; type="[^"]*")?; rel="(?<rel>[^"]+)"/g);
  return Object.fromEntries(Array.from(links, ({ groups }) => [groups?.rel ?? "", groups?.url ?? ""]));
}

describe("the API catalog (server/features/discovery/discovery.ts)", () => {
  const Target = z.strictObject({ href: z.url(), type: z.string() });
  const Linkset = z.strictObject({
    linkset: z.array(z.object({ anchor: z.url() }).catchall(z.array(Target))).min(1),
  });

  test("is a linkset of the RFC 9727 profile in which every anchor has a description", async () => {
    const reply = await server.get(CATALOG);
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = Linkset.parse(reply.json());
    expect(linkset).toContainEqual(
      expect.objectContaining({
        anchor: `${BASE}/api/v1`,
        "service-desc": [{ href: `${BASE}/openapi.json`, type: "application/json" }],
        "service-doc": [{ href: `${BASE}/`, type: "text/html" }],
        status: [{ href: `${BASE}/status`, type: "application/json" }],
      }),
    );
    const ofMessages = {
      anchor: `${BASE}/mcp`,
      "service-desc": [{ href: `${BASE}/mcp/server-card`, type: "application/mcp-server-card+json" }],
      "service-doc": [{ href: `${BASE}/`, type: "text/html" }],
    };
    if (isServed("/mcp")) expect(linkset).toContainEqual(ofMessages);
    for (const { anchor: _anchor, ...relations } of linkset) expect(relations).toHaveProperty("service-desc");
  });

  test("has the media type of each link's answer", async () => {
    const { linkset } = Linkset.parse((await server.get(CATALOG)).json());
    for (const { href, type } of linkset.flatMap(({ anchor: _anchor, ...relations }) =>
      Object.values(relations).flat(),
    )) {
      if (!isServed(local(href))) continue;
      expect((await server.get(local(href))).headers["content-type"]?.replace(/;.*/, "")).toBe(type);
    }
  });

  test("links to itself in answer to HEAD", async () => {
    const reply = await ask(server.port, CATALOG, { method: "HEAD" });
    expect(reply).toMatchObject({ status: 200, text: "" });
    expect(linksOf(reply)).toEqual({ "api-catalog": `${BASE}${CATALOG}` });
  });
});

describe("the Link header", () => {
  test.for(["/", "/api/v1"].filter(isServed))(
    "of %s leads to the catalog, the OpenAPI document and the page",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        expect(linksOf(await ask(server.port, path, { method }))).toEqual({
          "api-catalog": `${BASE}${CATALOG}`,
          "service-desc": `${BASE}/openapi.json`,
          "service-doc": `${BASE}/`,
        });
      }
    },
  );

  test.for(FACTS)("of %s leads to its state, fresh or not", async (path) => {
    const [empty, followed] = [await startServer({ snapshots: [] }), linksOf(await server.get(path))];
    expect(followed).toEqual({ status: new URL(`${BASE}/status`).pathname });
    const reply = await empty.get(path);
    expect([reply.status, linksOf(reply)]).toEqual([502, { status: "/status" }]);
  });

  test.for([...INDEX, ...TWINS])("of %s leads search engines to the page", async (path) => {
    const reply = await server.get(path);
    expect(linksOf(reply)).toEqual({ canonical: `${BASE}/` });
    expect(reply.headers["x-robots-tag"]).toBe("noindex");
  });

  const LINKED = new Set<string>(["/", "/api/v1", CATALOG, ...FACTS, ...INDEX, ...TWINS]);
  const OTHERS = PREPARED.filter((target) => !LINKED.has(target));
  test.for([...OTHERS, "/healthz", ...PROBES, ...MCP, "/nothing"])("is not on %s", async (path) => {
    expect((await server.get(path)).headers).not.toHaveProperty("link");
  });

  test("leads to the vendor's own documentation if configured", async () => {
    const documentation = "https://docs.vendor.example/api?a=b,c;d";
    const { get } = await startServer({ api: { documentation } });
    expect(linksOf(await get("/api/v1"))["service-doc"]).toBe(documentation);
  });
});

describe("llms.txt", () => {
  test("has a title, a summary and lists of links, in Markdown", async () => {
    const { text } = await server.get("/llms.txt");
    expect(text).toMatch(/^# Notes & <more>\n\n> \S.*\n\n/);
    expect(text.match(/^# /gm)).toHaveLength(1);
    expect(text.match(/^- \[[^\]]+\]\(\S+\)(: .+)?$/gm)?.length ?? 0).toBeGreaterThanOrEqual(
      isIn("mcp", "page", "twins") ? 4 : 0,
    );
    for (const path of ["/api/v1", "/api/v1/plans", "/openapi.json", ...MCP]) expect(text).toContain(`${BASE}${path}`);
  });

  test("names first what is Markdown: the facts, the page, and the overview and the FAQ as MCP has them", async () => {
    const { text } = await server.get("/llms.txt");
    const paths = [...TWINS, ...INDEX, ...["/overview.md", "/faq.md"].filter(isServed)];
    const links = Array.from(text.matchAll(/^- \[.+?\]\((\S+)\)/gm), ([, link]) => link);
    expect(links.slice(0, paths.length)).toEqual(paths.map((path) => BASE + path));
    for (const name of isServed("/mcp") ? ["overview", "faq"] : []) {
      expect(text).toContain(`](${BASE}/${name}.md):`);
      const answer = await call(server.port, "resources/read", { uri: `product://${name}` });
      const reply = await server.get(`/${name}.md`);
      expect(reply.headers["content-type"]).toBe("text/markdown; charset=utf-8");
      expect(answer).toMatchObject({ result: { contents: [{ text: reply.text }] } });
    }
  });
});

describe("robots.txt", () => {
  const agentmap = (base: string) => (isServed("/mcp") ? `Agentmap: ${base}/.well-known/ard.json\n` : "");

  test("allows all crawlers and names the sitemap and the catalogue of agentic resources", async () => {
    const base = `http://localhost:${plain.port}`;
    expect((await plain.get("/robots.txt")).text).toBe(
      `User-agent: *\nAllow: /\n\nSitemap: ${base}/sitemap.xml\n${agentmap(base)}`,
    );
  });

  test("includes the configured content signal", async () => {
    expect((await server.get("/robots.txt")).text).toBe(
      `User-agent: *\nContent-Signal: ${contentSignal}\nAllow: /\n\nSitemap: ${BASE}/sitemap.xml\n${agentmap(BASE)}`,
    );
  });
});

test("the sitemap is well-formed and lists the page, also for an address with special characters", async () => {
  const { get } = await startServer({ api: { baseUrl: "https://facts.example.org/a&b" }, port: await freePort() });
  expect((await get("/sitemap.xml")).text).toContain("<loc>https://facts.example.org/a&amp;b/</loc>");
  const { text } = await server.get("/sitemap.xml");
  expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\s*<url><loc>[^<>&"]+<\/loc>/);
  expect(text.match(/<loc>.*?<\/loc>/g)).toEqual([`<loc>${BASE}/</loc>`]);
});

test("addresses from the settings are normalised, so that headers can contain them", async () => {
  const server = await startServer({
    api: { baseUrl: "https://Bücher.example/ä/", documentation: 'https://docs.example/<x>"\u4e0d\u0a0dx:y' },
    port: await freePort(),
  });
  const { headers } = await server.get("/api/v1");
  expect(headers.link).toContain("<https://xn--bcher-kva.example/%C3%A4/openapi.json>");
  expect(headers.link).toMatch(/^[!-~ ]+$/);
  expect(headers).not.toHaveProperty("x");
});

describe("security.txt", () => {
  const fieldsOf = (text: string) =>
    Object.fromEntries(text.split("\n").map((line) => [line.replace(/:.*/, ""), line.replace(/^[^:]*: ?/, "")]));

  /** Milliseconds from `now` until the text expires. */
  const validFor = (text: string, now: number) => Date.parse(fieldsOf(text).Expires ?? "") - now;

  test.for([
    ["security@vendor.example", "mailto:security@vendor.example"],
    ["https://vendor.example/security", "https://vendor.example/security"],
    ["https://vendor.example/@security", "https://vendor.example/@security"],
  ] as const)("leads to the contact: %s", async ([contact, address]) => {
    const { get, port } = await startServer({ api: { contact } });
    const { status, text } = await get(SECURITY);
    expect(status).toBe(200);
    expect(fieldsOf(text)).toMatchObject({
      Contact: address,
      Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      Canonical: `http://localhost:${port}${SECURITY}`,
    });
    expect(text.endsWith("\n")).toBe(true);
  });

  test("does not exist without a contact, and no document links to it", async () => {
    expect((await plain.get(SECURITY)).status).toBe(404);
    for (const path of [...PAGES, ...DOCUMENTS]) expect((await plain.get(path)).text).not.toContain("security.txt");
  });

  test("is renewed while the server runs, to the text of a server started later", async () => {
    const { get, clock } = await startServer({ api: { contact } });
    clock.pass(200 * DAY);
    const { text } = await get(SECURITY);
    expect(fieldsOf(text).Expires).toBe(fieldsOf(securityTxt(contact, BASE, clock.wall())).Expires);
  });

  // Days of a leap year, of the one after it, and of 2100, which is none.
  const TURNS = [2028, 2029, 2100].flatMap((year) => [Date.UTC(year, 0), Date.UTC(year, 1, 29), Date.UTC(year, 6)]);
  const DATES = TURNS.flatMap((turn) => [turn - DAY, turn - 1, turn, turn + 1, turn + DAY]);

  test("expires in 30 days to a year, on whatever day the server starts", () => {
    for (const now of DATES) {
      const date = new Date(now);
      const inAYear = Date.UTC(date.getUTCFullYear() + 1, date.getUTCMonth(), date.getUTCDate()) + (now % DAY) - now;
      const validity = validFor(securityTxt(contact, BASE, now), now);
      expect(validity, date.toISOString()).toBeGreaterThan(30 * DAY);
      expect(validity, date.toISOString()).toBeLessThan(inAYear);
    }
  });
});

describe("every link", () => {
  /** Identifiers that are not meant to be fetched. */
  const NAMES = new Set([
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.w3.org/2005/Atom",
    "http://www.w3.org/2000/svg",
    "https://jsonfeed.org/version/1.1",
    "https://www.rfc-editor.org/info/rfc9727",
    "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "https://schema.org",
    // In the facts of the page.
    "https://downloads.example.com/notes-macos.zip",
    "https://downloads.example.com/notes-windows.zip",
    // In an example of the OpenAPI document.
    "https://downloads.example.com/app-4.2.1.dmg",
  ]);
  // Without the facts, whose links belong to the vendor.
  const LINKING = [...PAGES, ...INDEX, ...TWINS, ...DOCUMENTS, "/healthz", ...PROBES, "/nothing", ...MCP];

  /** Every absolute URL in the headers and the body of an answer. */
  function addresses({ headers, text }: Reply): string[] {
    const all = `${Object.values(headers).join("\n")}\n${text}`
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replaceAll("&amp;", "&");
    const found = Array.from(
      all.matchAll(/\b[a-z][a-z+.-]*:\/\/[^\s"'<>()`]*[^\s"'<>()`.,;]/gi),
      ([address]) => address,
    );
    return found.filter((address) => !NAMES.has(address) && !address.startsWith("cursor://"));
  }

  test.for(LINKING)("in %s starts with the configured base URL and works", async (path) => {
    const links = addresses(await server.get(path, { host: "evil.example", "x-forwarded-host": "evil.example" }));
    for (const link of links) {
      expect(`${link}/`.startsWith(`${BASE}/`), link).toBe(true);
      const { status, headers } = await server.get(local(link));
      // The index names all addresses of the interface, those of features that are not there included.
      if (!isServed(local(link))) expect([link, status]).toEqual([link, 404]);
      else if (local(link) === "/mcp") expect([status, headers.allow]).toEqual([405, "POST, OPTIONS"]);
      else expect([link, status]).toEqual([link, 200]);
    }
  });

  test("leads to everything that is not found at its address by convention", async () => {
    const found = new Set<string>();
    for (const path of LINKING) for (const link of addresses(await server.get(path))) found.add(local(link));
    const others = [...DOCUMENTS, ...FACTS, "/", "/status", "/mcp"].filter((target) => !found.has(target));
    const byConvention =
      /^\/(\.well-known\/(ai-catalog|mcp\/server-card|mcp)|server)\.json$|^\/(robots\.txt|favicon\.ico)$/;
    // The page leads to it.
    if (!isServed("/")) others.splice(others.indexOf("/llms.txt"), 1);
    expect(others.filter((target) => !byConvention.test(target))).toEqual([]);
  });

  test("that is relative works too", async () => {
    const { text } = await server.get("/");
    for (const [, link = ""] of text.matchAll(
      /\b(?:href|src)=["']?(?!https?:|data:|mailto:|cursor:|vscode:)([^"'\s<>]+)/g,
    )) {
      if (link.startsWith("#")) expect(text).toContain(` id="${link.slice(1)}"`);
      else expect((await server.get(link)).status, link).toBe(200);
    }
  });
});

/** The target on the test server for a public address. */
function local(address: string): string {
  return address.slice(BASE.length) || "/";
}

test("no internal error was reported", () => {
  expect([...server.warnings, ...plain.warnings]).toEqual([]);
});
