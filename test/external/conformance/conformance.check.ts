// The MCP conformance suites against the demo product, at each revision that they cover: only what expected-failures.ts lists
// fails, and all of that does.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { newerNode } from "../../support/find-node.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { startDemo } from "../../support/program/demo.ts";
import { EXPECTED_FAILURES, type Revision } from "./expected-failures.ts";

interface Suite {
  /** Its package, by its name in our package.json. */
  packageName: string;
  revision: Revision;
}

interface SuiteCheck {
  /** "scenario/check", or "scenario" if both names are equal. */
  name: string;
  /** A warning counts as a failure. */
  outcome: "passed" | "failed" | "skipped";
  message: string;
}

/** A check as the suites write it. */
interface WrittenCheck {
  id: string;
  status: string;
  errorMessage?: string;
}

const SUITES: Suite[] = [
  { packageName: "conformance-0.1", revision: "2025-06-18" },
  { packageName: "conformance-0.1", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2025-06-18" },
  { packageName: "conformance-0.2", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2026-07-28" },
];

ensureInstalled();
const node = newerNode();

describe.skipIf(node === undefined)("of the suites", async () => {
  const { base } = await startDemo(afterAll);
  const seen = new Set<string>();

  test.for(SUITES)("$packageName passes at $revision, with the expected failures", async (suite) => {
    const { checks, output } = await runSuite(suite, `${base}/mcp`, await temporaryDirectory());
    expect(checks.length, output).toBeGreaterThan(0);
    for (const { name } of checks) seen.add(name);
    expect(differences(checks, suite.revision)).toEqual([]);
  });

  test("every expected failure is in one", () => {
    expect(EXPECTED_FAILURES.flatMap(({ checks }) => checks).filter((name) => !seen.has(name))).toEqual([]);
  });
});

/** Runs all server scenarios of a suite. `directory`: an empty one for the results. */
async function runSuite({ packageName, revision }: Suite, url: string, directory: string) {
  const program = join(PACKAGES, packageName, "dist/index.js");
  const words = ["server", "--url", url, "--spec-version", revision, "--suite", "all", "-o", directory];
  // Its exit code only reports that some check failed, which is always so.
  const output = await new Promise<string>((resolve) => {
    execFile(node ?? "", [program, ...words], (_, stdout, stderr) => resolve(stdout + stderr));
  });
  return { checks: await readChecks(directory), output };
}

/** Reads the suite's folders, one per scenario, named "server-", scenario and time. */
async function readChecks(directory: string): Promise<SuiteCheck[]> {
  const checks: SuiteCheck[] = [];
  for (const folder of (await readdir(directory)).toSorted()) {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, "");
    const written = JSON.parse(await readFile(join(directory, folder, "checks.json"), "utf8")) as WrittenCheck[];
    for (const { id, status, errorMessage = "" } of written) {
      const name = id === scenario ? scenario : `${scenario}/${id}`;
      checks.push({ name, outcome: outcomeOf(status), message: inBrief(errorMessage) });
    }
  }
  return checks;
}

function outcomeOf(status: string): SuiteCheck["outcome"] {
  if (status === "FAILURE" || status === "WARNING") return "failed";
  return status === "SUCCESS" ? "passed" : "skipped";
}

/** Shortens a message: some quote whole answers. */
function inBrief(message: string): string {
  const line = message.replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** The unexpected results. A check that runs several times in a scenario fails if one run fails. */
function differences(checks: readonly SuiteCheck[], revision: Revision): string[] {
  const expected = new Map(
    EXPECTED_FAILURES.filter(({ at }) => at?.includes(revision) ?? true).flatMap(({ why, checks }) =>
      checks.map((name) => [name, why] as const),
    ),
  );
  const failed = new Map(checks.filter(({ outcome }) => outcome === "failed").map((check) => [check.name, check]));
  const unexpected = [...failed.values()].filter(({ name }) => !expected.has(name));
  const passing = new Set(checks.map(({ name }) => name).filter((name) => expected.has(name) && !failed.has(name)));
  return [
    ...unexpected.map(({ name, message }) => `${name} fails: ${message || "no message"}`),
    ...[...passing].map((name) => `${name} passes, although it "${expected.get(name)}"`),
  ];
}
