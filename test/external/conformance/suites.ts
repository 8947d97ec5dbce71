// Runs a conformance suite in a process of its own and reads what it found.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Revision } from "./expected-failures.ts";

export interface Suite {
  /** Its package, under the name that ours gives it. */
  packageName: string;
  revision: Revision;
}

export interface SuiteCheck {
  /** "scenario/check", or "scenario" where both have one name. */
  name: string;
  /** A warning counts as a failure. */
  outcome: "passed" | "failed" | "skipped";
  message: string;
}

/** As the suites write them. */
interface WrittenCheck {
  id: string;
  status: string;
  errorMessage?: string;
}

/** For a whole suite, milliseconds; each takes a second or two. */
const TIME_LIMIT_MS = 120_000;

/** All scenarios of a suite that are about servers of the revision. `directory`: an empty one. @throws Error when the suite
 * ends without having checked anything. */
export async function runSuite(suite: Suite, node: string, url: string, directory: string): Promise<SuiteCheck[]> {
  const program = join(import.meta.dirname, "node_modules", suite.packageName, "dist/index.js");
  const words = ["server", "--url", url, "--spec-version", suite.revision, "--suite", "all", "-o", directory];
  const child = spawn(node, [program, ...words], { stdio: ["ignore", "pipe", "pipe"], timeout: TIME_LIMIT_MS });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  // Its exit code says no more than that something failed, which something always does.
  await once(child, "close");
  const checks = await readChecks(directory).catch(() => []);
  if (checks.length === 0) throw new Error(`${suite.packageName} checked nothing at ${suite.revision}:\n${output}`);
  return checks;
}

/** The suite writes a folder for each scenario: its name between "server-" and the time. */
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

/** Some quote whole answers. */
function inBrief(message: string): string {
  const line = message.replaceAll(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
