// Runs the tests, and counts them for each runtime.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { leftOutOn } from "./left-out.ts";
import type { RuntimeName } from "../runtimes.ts";

const ROOT = join(import.meta.dirname, "../../../..");

export interface Counts {
  passed: number;
  leftOut: number;
  /** One line for each failed test, and for each pattern of a test to leave out without one. */
  problems: string[];
  /** Of the run. */
  seconds: number;
}

/** The parts of vitest's report that are read. */
interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Runs the tests on a runtime. `folder`: for the report. */
export async function runTests(name: RuntimeName, folder: string): Promise<Counts> {
  const outputFile = join(folder, `${name}.json`);
  const config = join(import.meta.dirname, "../vitest.config.ts");
  const words = [
    "vitest",
    "run",
    "--config",
    config,
    "--project",
    name,
    "--reporter",
    "json",
    "--outputFile",
    outputFile,
  ];
  const startedAt = performance.now();
  const failed = await promisify(execFile)("npx", words, { cwd: ROOT, timeout: 300_000 }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { testResults } = JSON.parse(await readFile(outputFile, "utf8")) as Report;
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, name: `${basename(file, ".test.ts")} > ${result.fullName}` })),
  );
  const withStatus = (status: string) => tests.filter((test) => test.status === status);
  const skipped = withStatus("skipped");
  const problems = withStatus("failed").map(
    ({ name: test, failureMessages }) => `${name}: ${test}: ${failureMessages[0]?.split("\n")[0]}`,
  );
  for (const { pattern } of leftOutOn(name)) {
    if (!skipped.some(({ name }) => pattern.test(name))) problems.push(`${name}: no test is left out by ${pattern}`);
  }
  if (failed !== undefined && problems.length === 0) problems.push(`${name}: vitest failed: ${String(failed)}`);
  return {
    passed: withStatus("passed").length,
    leftOut: skipped.length,
    problems,
    seconds: (performance.now() - startedAt) / 1_000,
  };
}
