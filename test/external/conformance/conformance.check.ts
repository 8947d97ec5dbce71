// The MCP conformance suites against the demo product, at each revision that they cover: only what expected-failures.ts lists
// fails, and all of that does.
import { afterAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { nodeFor } from "../../support/find-node.ts";
import { ensureInstalled } from "../../support/install.ts";
import { startDemo } from "../../support/program/demo.ts";
import { EXPECTED_FAILURES, type Revision } from "./expected-failures.ts";
import { runSuite, type Suite, type SuiteCheck } from "./suites.ts";

const NEEDED = ">=22";
const SUITES: Suite[] = [
  { packageName: "conformance-0.1", revision: "2025-06-18" },
  { packageName: "conformance-0.1", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2025-06-18" },
  { packageName: "conformance-0.2", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2026-07-28" },
];

ensureInstalled();
const node = nodeFor(NEEDED) ?? "";
if (node === "") process.stdout.write(`skipped: no Node ${NEEDED}; this is ${process.version}\n`);

describe.skipIf(node === "")("of the suites", async () => {
  const { base } = await startDemo(afterAll);
  const seen = new Set<string>();

  test.for(SUITES)("$packageName passes at $revision, with the expected failures", async (suite) => {
    const checks = await runSuite(suite, node, `${base}/mcp`, await temporaryDirectory());
    for (const { name } of checks) seen.add(name);
    expect(differences(checks, suite.revision)).toEqual([]);
  });

  test("every expected failure is in one", () => {
    expect(EXPECTED_FAILURES.flatMap(({ checks }) => checks).filter((name) => !seen.has(name))).toEqual([]);
  });
});

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
