// A catalogue as large as it may be: the same answers, the same care.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { currentKey } from "../../../snapshots/snapshot.ts";
import { startServer, pollUntil } from "../../support/serving/server.ts";
import { plansSnapshot } from "../../support/snapshot.ts";

const PLANS = "/api/v1/plans";
const large = (revision: number) => plansSnapshot({ revision, plans: 1_000 });

test("a catalogue of a thousand plans is served whole, under the same tag after a restart", async () => {
  const { get, publish, warnings } = await startServer({ snapshots: [plansSnapshot()] });
  await publish(large(2));
  const { headers } = await pollUntil(
    () => get(PLANS),
    ({ text }) => text === large(2).text,
  );
  expect((await get(PLANS, { "if-none-match": headers.etag ?? "" })).status).toBe(304);
  const again = await startServer({ snapshots: [large(2)] });
  expect((await again.get(PLANS)).headers.etag).toBe(headers.etag);
  expect(warnings).toEqual([]);
});

test("a damaged one is reported, and the last good one is still served", async () => {
  const { get, directory, warnings } = await startServer({ snapshots: [large(1)] });
  await appendFile(join(directory, currentKey("plans")), "}");
  await pollUntil(
    async () => warnings,
    ({ length }) => length > 0,
  );
  expect(warnings).toEqual([expect.stringContaining("snapshot plans is damaged: not JSON in UTF-8")]);
  expect((await get(PLANS)).text).toBe(large(1).text);
});

test("agents get it, too", async () => {
  const { port } = await startServer({ snapshots: [large(1)] });
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_pricing" } };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message),
  });
  expect(await response.json()).toMatchObject({ result: { structuredContent: large(1).payload } });
});
