// The card of MCP Apps over MCP: named by both tools, read by its address, and nothing else changes. How it looks and behaves is
// checked in a browser (test/external/browser/checks/card.ts).
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { cardOf } from "../../../server/features/mcp/sdk-server.ts";
import { call } from "../../support/serving/mcp.ts";
import { startServer } from "../../support/serving/server.ts";

const server = await startServer({ api: { name: "Acme" }, onFinished: afterAll });

test("both tools name the card, which is read by its address", async () => {
  const uri = expect.stringMatching(/^ui:\/\/vitrine\/card-[0-9a-f]{16}$/);
  const tool = { _meta: { ui: { resourceUri: uri } } };
  expect(await call(server.port, "tools/list")).toMatchObject({ result: { tools: [tool, tool] } });
  const card = cardOf({ title: "Acme" });
  expect(await call(server.port, "resources/read", { uri: card.uri })).toMatchObject({
    result: {
      contents: [
        {
          uri: card.uri,
          mimeType: "text/html;profile=mcp-app",
          text: expect.stringMatching(/^<!doctype html><html lang="en">.*<title>Acme<\/title>/),
          // Without `csp`, hosts allow no connection.
          _meta: { ui: { prefersBorder: true } },
        },
      ],
    },
  });
});

test("a host that remembers the address of another version's card gets this one", async () => {
  const { text } = cardOf({ title: "Acme" });
  const uri = "ui://vitrine/card-0123456789abcdef";
  expect(await call(server.port, "resources/read", { uri })).toMatchObject({ result: { contents: [{ uri, text }] } });
});

test.for(["ui://vitrine/card", "ui://vitrine/card-0123456789abcdef0", "ui://acme/card-0123456789abcdef"])(
  "%s is unknown, and the error is that of every unknown resource",
  async (uri) => {
    const message = "Resource not found. Use one of: product://overview, product://faq.";
    expect(await call(server.port, "resources/read", { uri })).toMatchObject({ error: { code: -32002, message } });
  },
);

describe("the card (server/features/mcp/resources.ts)", () => {
  const { text } = cardOf({ title: 'Acme <b>"&amp;"</b></title><script>alert(1)</script>' });

  test("has at most 12 kB when compressed", () => {
    expect(gzipSync(text).byteLength).toBeLessThanOrEqual(12_000);
  });

  test("has one script and one title, whatever the vendor's name is", () => {
    expect(text.match(/<\/?(?:script\b|title\b|b>)/g)).toEqual(["<title", "</title", "<script", "</script"]);
  });

  test("has nothing that reaches a network, opens a window or reads markup", () => {
    expect(text).not.toMatch(/\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import|eval|innerHTML)\b/);
    expect(text).not.toMatch(/window\.open|location|insertAdjacentHTML|document\.write|localStorage|cookie/);
    expect(text).not.toMatch(/\bsrc=|url\(|@import/);
  });

  test("has another address for another vendor, and for another card", () => {
    expect(cardOf({ title: "Acme" }).uri).toBe(cardOf({ title: "Acme" }).uri);
    expect(cardOf({ title: "Acme" }).uri).not.toBe(cardOf({ title: "Acne" }).uri);
  });
});

test("no bug was reported", () => {
  expect(server.warnings).toEqual([]);
});
