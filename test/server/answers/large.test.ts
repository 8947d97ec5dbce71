// A catalogue as large as it may be: the same answers, the same care.
import { expect, test } from "vitest";
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
