// Runs a conformance suite in a separate process and reads its results.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGES } from "../../support/install.ts";
import type { Revision } from "./expected-failures.ts";

export interface Suite {
  /** Its package, by its name in our package.json. */
  packageName: string;
  revision: Revision;
}

export interface SuiteCheck {
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

/** For a whole suite; each takes one or two seconds. */
const TIME_LIMIT_MS = 120_000;

/** Runs all server scenarios of a suite. `directory`: an empty one for the results. @throws Error if the suite ends without
 * any checks. */
export async function runSuite(suite: Suite, node: string, url: string, directory: string): Promise<SuiteCheck[]> {
  const program = join(PACKAGES, suite.packageName, "dist/index.js");
  const words = ["server", "--url", url, "--spec-version", suite.revision, "--suite", "all", "-o", directory];
  const child = spawn(node, [program, ...words], { stdio: ["ignore", "pipe", "pipe"], timeout: TIME_LIMIT_MS });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  // Its exit code only reports that some check failed, which is always so.
  await once(child, "close");
  const checks = await readChecks(directory).catch(() => []);
  if (checks.length === 0) throw new Error(`${suite.packageName} checked nothing at ${suite.revision}:\n${output}`);
  return checks;
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
