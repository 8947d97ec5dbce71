// Skips the tests that are left out, and lets the servers of the others find the runtime.
import { basename } from "node:path";
import { beforeEach, expect, inject } from "vitest";
import type { RuntimeName } from "../runtimes.ts";
import { leftOutOn } from "./left-out.ts";

const leftOut = leftOutOn(process.env.VITRINE_EDGE_RUNTIME as RuntimeName);
process.env.VITRINE_EDGE_PORT = String(inject("port"));

beforeEach(({ skip }) => {
  const { currentTestName, testPath = "" } = expect.getState();
  const name = `${basename(testPath, ".test.ts")} > ${currentTestName}`;
  const reason = leftOut.find(({ pattern }) => pattern.test(name))?.reason;
  if (reason !== undefined) skip(reason);
});
