// Bodies: valid MCP messages, invalid ones, and other bytes.
import fc from "fast-check";
import { bytes, one, weighed, word } from "./parts.ts";

export interface RandomBody {
  text: string;
  type: string;
  isChunked: boolean;
}

const METHOD = word("ping initialize tools/list resources/list marker __proto__ notifications/marker");

const PARAMS = fc.constantFrom<unknown>(
  undefined,
  null,
  {},
  [],
  "marker",
  7,
  { name: "marker" },
  { name: "get_plans", arguments: { marker: 1 } },
  { uri: "product://overview" },
);

const MESSAGE = fc
  .record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0", 2, null),
      id: fc.constantFrom<unknown>(1, "a", 0, -1.5, null, {}, [], 1e300),
      method: fc.oneof<fc.Arbitrary<unknown>[]>(METHOD, fc.constantFrom("tools/call", "resources/read", 7, null)),
      params: PARAMS,
      result: fc.constant({}),
      marker: fc.constant("marker"),
    },
    { requiredKeys: ["jsonrpc"] },
  )
  .map((message) => JSON.stringify(message));

const TEXT = weighed(
  [4, MESSAGE],
  [4, METHOD.map((method) => JSON.stringify({ jsonrpc: "2.0", id: 1, method }))],
  [2, METHOD.map((method) => JSON.stringify({ jsonrpc: "2.0", method }))],
  [1, MESSAGE.map((message) => `[${message}]`)],
  [1, one("", "{", "null", '"marker"', "marker=1", '{"__proto__":"marker"}', '"m\xff"', "[".repeat(5_000))],
  [1, one(`"${"marker".repeat(11_000)}"`)],
  [1, bytes],
);

const TYPE = weighed(
  [6, fc.constant("application/json")],
  [1, one("Application/JSON; charset=utf-8", "text/plain", "application/jsonp", "marker", "")],
  [1, fc.constant("multipart/form-data; boundary=marker")],
);

export const randomBody: fc.Arbitrary<RandomBody> = fc.record({ text: TEXT, type: TYPE, isChunked: fc.boolean() });
