// The handler on Node.js, Bun, Deno and workerd, compared with the server, and with every fault of its origin. The runtimes are for
// Linux on x64.
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { afterTests } from "../../support/clean-up.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled } from "../../support/install.ts";
import { bundleInto } from "./bundle.ts";
import { compare } from "./differential.ts";
import { expectFaultsSurvived } from "./faults.ts";
import { RUNTIMES, start, type Running, type RuntimeName } from "./runtimes.ts";

ensureInstalled();
const onFinished = afterTests();
const runtimes = {} as Record<RuntimeName, Running>;

beforeAll(async () => {
  const folder = await temporaryDirectory(onFinished);
  await bundleInto(folder);
  for (const name of RUNTIMES) runtimes[name] = await start(name, join(folder, "worker.mjs"), onFinished);
});

test("every runtime answers as the server does", async () => {
  const { requests, unlisted } = await compare(Object.values(runtimes), onTestFinished);
  expect(unlisted.slice(0, 40)).toEqual([]);
  expect(requests).toBeGreaterThan(1_000);
});

// At the same time, because they mostly wait.
describe.concurrent("a fault of the origin is answered with 502 in time, and is over when the origin is well again", () => {
  test.for(RUNTIMES)("on %s", (name, context) => expectFaultsSurvived(runtimes[name], context));
});
