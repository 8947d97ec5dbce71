// server.json against the rules of the MCP registry: the published schema of 2025-12-11, and what the registry refuses
// beyond it.
import { expect, test } from "vitest";
import * as z from "zod";
import { apiIndex } from "../../../server/api-index.ts";
import { registryEntry } from "../../../server/documents/discovery.ts";
import { serverSettings } from "../../../server/settings.ts";
import { freePort } from "../../support/port.ts";
import { startServer } from "../../support/serving/server.ts";

const PART = "[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])";
const Entry = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .max(200)
    .regex(new RegExp(`^${PART.replace("_", "")}/${PART}$`)),
  title: z.string().max(100).regex(/\S/),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url({ protocol: /^https$/ }).optional(),
  remotes: z.tuple([z.strictObject({ type: z.literal("streamable-http"), url: z.string().regex(/^https:\/\/\S+$/) })]),
});

const entryOf = (api: object) => {
  const { baseUrl = "", ...settings } = serverSettings.api.parse(api);
  return registryEntry(apiIndex(settings, baseUrl));
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

test("documentation over http is left out, because the registry would refuse the entry", () => {
  const entry = entryOf({ baseUrl: "https://acme.example", documentation: "http://docs.acme.example/" });
  expect(entry).not.toHaveProperty("websiteUrl");
  expect(() => Entry.parse(entry)).not.toThrow();
});
