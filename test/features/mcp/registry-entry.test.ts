// server.json against the rules of the MCP registry: the published schema of 2025-12-11, and what the registry refuses
// beyond it.
import { spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { apiIndex } from "../../../server/api-index.ts";
import { registryEntry } from "../../../server/features/mcp/documents.ts";
import { serverSettings } from "../../../server/settings.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { freePort } from "../../support/port.ts";
import { call } from "../../support/serving/mcp.ts";
import { startServer } from "../../support/serving/server.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/registry.md");
const PART = "[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])";
const Entry = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .max(200)
    .regex(new RegExp(`^${PART.replace("_", "")}/${PART}$`)),
  title: z.string().max(100).regex(/\S/),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^1\.0\.0\+[0-9a-f]{12}$/),
  websiteUrl: z.url({ protocol: /^https$/ }).optional(),
  icons: z
    .tuple([
      z.strictObject({
        src: z.url({ protocol: /^https$/ }),
        mimeType: z.enum(["image/png", "image/svg+xml"]),
        sizes: z.tuple([z.literal("any")]).optional(),
      }),
    ])
    .optional(),
  remotes: z.tuple([z.strictObject({ type: z.literal("streamable-http"), url: z.string().regex(/^https:\/\/\S+$/) })]),
});

const LOGO = "data:image/svg+xml;base64,PHN2Zy8+";
const entryOf = (api: object, logo?: string) => {
  const { baseUrl = "", ...settings } = serverSettings.api.parse(api);
  return registryEntry(apiIndex(settings, baseUrl), baseUrl, logo);
};

test("the entry of a configured server is served, and valid", async () => {
  const api = { name: "Acme Notes", baseUrl: "https://facts.acme.example/notes" };
  const { get } = await startServer({ api, port: await freePort() });
  const entry = Entry.parse((await get("/server.json")).json());
  expect(entry).toMatchObject({
    name: expect.stringMatching(/^example\.acme\.facts\//),
    title: "Acme Notes",
    websiteUrl: "https://facts.acme.example/notes/",
    remotes: [{ url: "https://facts.acme.example/notes/mcp" }],
  });
});

test.for<[string, object]>([
  ["long texts", { name: "n".repeat(100), description: "Facts, ".repeat(100) }],
  ["a name without Latin letters", { name: "メモ" }],
  ["an emoji at the end of a long description", { description: `${"d".repeat(99)}🎉🎉` }],
])("%s: the entry is valid", ([, api]) => {
  expect(() => Entry.parse(entryOf({ baseUrl: "https://acme.example", ...api }))).not.toThrow();
});

test("clients see the version in front of the entry's hash, and the document names it", async () => {
  const { port, get } = await startServer({});
  const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const { result } = (await call(port, "initialize", greeting)) as { result: { serverInfo: { version: string } } };
  const { version } = result.serverInfo;
  expect((await get("/mcp/server-card")).json()).toMatchObject({ version });
  expect((await get("/server.json")).json()).toMatchObject({ version: expect.stringMatching(/^[^+]+\+[0-9a-f]{12}$/) });
  expect(Entry.parse(entryOf({ baseUrl: "https://acme.example" })).version.split("+")[0]).toBe(version);
  expect(await readFile(DOCUMENT, "utf8")).toContain(`say \`${version}\`, the version of\nthe interface`);
});

test("documentation over http is left out, because the registry would refuse the entry", () => {
  const entry = entryOf({ baseUrl: "https://acme.example", documentation: "http://docs.acme.example/" });
  expect(entry).not.toHaveProperty("websiteUrl");
  expect(() => Entry.parse(entry)).not.toThrow();
});

test("the version changes with the content, and with nothing else", () => {
  const [entry, ...others] = [
    entryOf({ baseUrl: "https://acme.example" }),
    entryOf({ baseUrl: "https://acme.example", description: "Prices." }),
    entryOf({ baseUrl: "https://acme.example/notes" }),
    entryOf({ baseUrl: "https://acme.example" }, LOGO),
  ];
  expect(entryOf({ baseUrl: "https://acme.example", color: "#123456" })).toEqual(entry);
  expect(new Set([entry, ...others].map(({ version }) => version)).size).toBe(4);
});

test("a logo is the icon, unless its address would be refused", () => {
  const { icons } = Entry.parse(entryOf({ baseUrl: "https://acme.example/notes" }, LOGO));
  expect(icons?.[0].src).toBe("https://acme.example/notes/favicon.ico");
  expect(entryOf({ baseUrl: "http://acme.example" }, LOGO)).not.toHaveProperty("icons");
});

describe.skipIf(spawnSync("openssl", ["version"]).status !== 0)("the commands of docs/registry.md", async () => {
  const text = await readFile(DOCUMENT, "utf8");
  const lines = [...text.matchAll(/^ +((?:openssl|PRIVATE_KEY=).*)$/gm)].map(([, line]) => line);

  test("make a key that the settings take, the registry reads, and the login has the other half of", async () => {
    const directory = await temporaryDirectory();
    const script = [...lines, 'printf %s "$PRIVATE_KEY"'].join("\n");
    const { stdout } = spawnSync("sh", ["-e", "-c", script], { cwd: directory, encoding: "utf8" });
    const [registryKey = "", privateHalf = ""] = stdout.split("\n");
    const { get } = await startServer({ api: { registryKey } });
    const { headers, text } = await get("/.well-known/mcp-registry-auth");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    const [, shown = ""] = /^v=MCPv1; k=ed25519; p=(.{44})\n$/.exec(text) ?? [];
    const x = Buffer.from(shown, "base64").toString("base64url");
    const d = Buffer.from(privateHalf, "hex").toString("base64url");
    const key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
    expect(createPublicKey(key).export({ format: "jwk" }).x).toBe(x);
  });
});

test("without a key there is nothing for the registry to read", async () => {
  const { get } = await startServer({});
  expect((await get("/.well-known/mcp-registry-auth")).status).toBe(404);
});

test.for([
  "not a key",
  "A".repeat(44),
  `${"A".repeat(43)}=\n`,
  Buffer.alloc(64, 1).toString("base64"),
  `${"-".repeat(43)}=`,
])("any other key is refused: %j", (registryKey) => {
  expect(serverSettings.api.safeParse({ registryKey }).success).toBe(false);
});
