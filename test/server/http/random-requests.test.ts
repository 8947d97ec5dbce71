// Random requests over kept connections: every answer is complete and of a known kind.
// Repeat a run: ANY_SEED=… npx vitest run test/server/http/random-requests.test.ts; longer: ANY_RUNS=50000.
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRequest, bytesOf } from "../../support/serving/random-requests/random-requests.ts";
import { openKeepAlive } from "../../support/serving/keep-alive.ts";
import { expectValidAnswer, STATUSES } from "../../support/serving/answer-rules.ts";
import { allSnapshots, startServer } from "../../support/serving/server.ts";

const RUNS = Number(process.env.ANY_RUNS ?? 2_000);
const SEED = Number(process.env.ANY_SEED ?? randomInt(2 ** 31));

test("any request gets an answer of a known kind", { timeout: 20_000 + RUNS * 20 }, async () => {
  // The release for Windows is missing, for 502.
  const [plans, macos] = allSnapshots();
  const server = await startServer({ snapshots: [plans!, macos!], api: { contact: "https://vendor.example/" } });
  const line = openKeepAlive(server.port);
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(randomRequest, async (request) => {
      const { status, headers, body } = await line.ask(bytesOf(request));
      seen.set(status, 1 + (seen.get(status) ?? 0));
      const { method } = request;
      const answer = { status, headers, body: body.toString("latin1") };
      expectValidAnswer(answer, { mayBeMessage: method === "POST", isBare: method === "HEAD" });
      expect(server.warnings).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  await line.end();
  expect((await server.get("/healthz")).text).toBe('{"status":"ok"}');
  // Otherwise the requests were too odd or too plain to test much. None is slow; few send Origin or Accept to /mcp.
  for (const status of STATUSES.filter((status) => ![403, 406, 408].includes(status))) {
    expect(seen.get(status), `${status}, seed ${SEED}`).toBeGreaterThan(0);
  }
});
