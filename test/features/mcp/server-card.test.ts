// The cards that describe the MCP server: valid for clients and scanners, and equal to the server's own answers. Their
// links are checked in discovery.test.ts.
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { API_VERSION, apiIndex } from "../../../server/api-index.ts";
import { serverSettings } from "../../../server/settings.ts";
import { hostName } from "../../../server/features/mcp/identity.ts";
import { aiCatalog, CATALOG_CHANGED, serverCard } from "../../../server/features/mcp/server-card.ts";
import { sha256 } from "../../../snapshots/snapshot.ts";
import { isIn } from "../../support/program/feature.ts";
import { ArdManifest } from "../../support/serving/ard.ts";
import { call } from "../../support/serving/mcp.ts";
import { freePort } from "../../support/port.ts";
import { startServer, type TestServer } from "../../support/serving/server.ts";

const BASE = "https://api.vendor.example/notes";
const server = await startServer({
  api: { baseUrl: BASE, name: "Notes API", documentation: "https://docs.vendor.example/" },
  port: await freePort(),
  onFinished: afterAll,
});

const CARD = "/mcp/server-card";
const COPIES = ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"];
const CATALOG = "/.well-known/ai-catalog.json";
const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** The published schema of cards, version 1, without additional fields. */
const Card = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1).max(100),
  title: z.string().min(1).max(100),
  websiteUrl: z.url(),
  remotes: z
    .array(
      z.strictObject({
        type: z.literal("streamable-http"),
        url: z.url(),
        supportedProtocolVersions: z.array(z.iso.date()).min(1),
      }),
    )
    .length(1),
});

interface Greeting {
  result: { serverInfo: object; capabilities: object; protocolVersion: string };
}

const read = async (target: string, { get }: TestServer = server) => (await get(target)).json();

async function greet(protocolVersion: string): Promise<Greeting["result"]> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return ((await call(server.port, "initialize", params)) as Greeting).result;
}

describe("the server card (server/features/mcp/server-card.ts)", () => {
  test("has the name, the endpoint and its versions", async () => {
    const card = Card.parse(await read(CARD));
    expect(card).toMatchObject({
      name: "example.vendor.api/notes-api",
      title: "Notes API",
      description: "Plans, prices and desktop releases: public facts, read-only, no key needed.",
      websiteUrl: "https://docs.vendor.example/",
    });
    expect(card.remotes).toEqual([
      { type: "streamable-http", url: `${BASE}/mcp`, supportedProtocolVersions: VERSIONS },
    ]);
  });

  test.for(COPIES)(
    "is copied to %s, where scanners look, with the answers to initialize and tools/list",
    async (target) => {
      const card = Card.parse(await read(CARD));
      const protocolVersion = "2025-06-18";
      const { serverInfo, capabilities } = await greet(protocolVersion);
      const { result } = (await call(server.port, "tools/list")) as { result: { tools: Record<string, unknown>[] } };
      expect(await read(target)).toEqual({
        ...card,
        protocolVersion,
        serverInfo,
        capabilities,
        transport: { type: "streamable-http", endpoint: "/notes/mcp", url: `${BASE}/mcp` },
        authentication: { required: false },
        tools: result.tools.map(({ outputSchema, _meta, ...tool }) => tool),
      });
      expect(serverInfo).toMatchObject({ version: card.version });
      expect(result.tools).toHaveLength(2);
    },
  );
});

describe("the catalogue of agentic resources (server/features/mcp/server-card.ts)", () => {
  const ARD = "/.well-known/ard.json";

  test("has the MCP server and the REST interface, in the vendor's name", async () => {
    const { specVersion, host, entries } = ArdManifest.parse(await read(ARD));
    expect({ specVersion, host }).toEqual({
      specVersion: "1.0",
      host: { displayName: "Notes API", documentationUrl: "https://docs.vendor.example/" },
    });
    const { result } = (await call(server.port, "tools/list")) as { result: { tools: { name: string }[] } };
    expect(entries).toMatchObject([
      {
        identifier: "urn:air:api.vendor.example:mcp:notes-api",
        type: "application/mcp-server-card+json",
        url: `${BASE}${CARD}`,
        capabilities: result.tools.map(({ name }) => name),
      },
      {
        identifier: "urn:air:api.vendor.example:api:notes-api",
        type: "application/vnd.oai.openapi+json;version=3.1",
        url: `${BASE}/openapi.json`,
        capabilities: ["getPlans", "getLatestRelease"],
      },
    ]);
    for (const { displayName, version, representativeQueries } of entries) {
      expect(version).toBe(API_VERSION);
      for (const text of [displayName, ...representativeQueries]) expect(text).toContain("Notes API");
    }
  });

  test("is the same at the address of its predecessor", async () => {
    expect((await server.get(CATALOG)).text).toBe((await server.get(ARD)).text);
  });

  test("is named in the head of the page and in robots.txt", async () => {
    if (isIn("page")) {
      const { text } = await server.get("/");
      const hrefs = Array.from(text.matchAll(/<link rel="(?:ard|ai-catalog)" .*?href="(.*?)"/g), ([, href]) => href);
      expect(hrefs).toEqual([BASE + ARD, BASE + CATALOG]);
    }
    if (isIn("discovery")) expect((await server.get("/robots.txt")).text).toContain(`\nAgentmap: ${BASE}${ARD}\n`);
  });

  test("says when its entries were last changed", () => {
    const { entries } = aiCatalog(apiIndex(serverSettings.api.parse({ name: "Notes" }), "https://facts.example"));
    const hash = sha256(JSON.stringify(entries.map(({ updatedAt: _at, ...entry }) => entry))).slice(0, 12);
    expect([CATALOG_CHANGED, hash], "set CATALOG_CHANGED to today, and the hash here").toEqual([
      "2026-11-27T00:00:00Z",
      "a99db648aa78",
    ]);
  });
});

describe("the name is derived from the host and the vendor's name:", () => {
  const index = (baseUrl: string) => apiIndex(serverSettings.api.parse({ name: "Nötes" }), baseUrl);

  test.for([
    ["https://example.com", "com.example", "example.com"],
    ["https://API.Vendor.example:8443/a/b", "example.vendor.api", "api.vendor.example"],
    ["https://vendor.example.", "example.vendor", "vendor.example"],
    ["https://bücher.example", "example.xn--bcher-kva", "xn--bcher-kva.example"],
    ["http://localhost:3000", "localhost", "localhost"],
    ["http://facts_server:3000", "facts-server", "facts-server"],
    ["http://192.0.2.7:3000", "192.0.2.7", "192.0.2.7"],
    ["http://[2001:db8::1]:3000", "2001-db8--1", "2001-db8--1"],
  ] as const)("that of %s: %s", ([base, namespace, publisher]) => {
    expect(Card.parse(serverCard(index(base))).name).toBe(`${namespace}/notes`);
    expect(aiCatalog(index(base)).entries[0]?.identifier).toBe(`urn:air:${publisher}:mcp:notes`);
  });
});

describe("a long description", () => {
  const described = (description: string) =>
    Card.parse(serverCard(apiIndex(serverSettings.api.parse({ description }), BASE))).description;
  const words = "Plans and prices of Notes, ";

  test("is cut at a word and ends in an ellipsis", () => {
    expect(described(words.repeat(9))).toBe(`${words.repeat(3)}Plans and prices…`);
  });

  test.for([
    ["a sentence ends where it is cut", `${"x".repeat(98)}. More`, `${"x".repeat(98)}…`],
    ["a word ends where it is cut", `${"x".repeat(99)} more`, `${"x".repeat(99)}…`],
    ["there is no word to cut at", "x".repeat(101), `${"x".repeat(99)}…`],
    ["it has characters of two units", "𝒳".repeat(101), `${"𝒳".repeat(99)}…`],
  ] as const)("when %s", ([, text, expected]) => {
    expect(described(text)).toBe(expected);
  });

  test("is one of more than 100 characters", () => {
    expect(described("x ".repeat(50))).toBe("x ".repeat(50));
  });
});

test.for([
  ["Lumen Notes", "lumen-notes"],
  ["  Notes & more!  ", "notes-more"],
  ["Straße Ægir Øst Łódź İz", "strasse-aegir-ost-lodz-iz"],
  ["Ｎｏｔｅｓ", "notes"],
  ["Ωmega 2", "mega-2"],
  ["Заметки", "api-notes-example"],
  ["X", "api-notes-example"],
  ["2048", "api-notes-example"],
] as const)("in hosts, the server of %s is %s", ([name, slug]) => {
  expect(hostName(name, "https://api.notes.example:8443/x")).toBe(slug);
  expect(hostName("Заметки")).toBe("product");
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
