// Runs the examples with the platforms' own tools.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** One line if any of them failed; its report is printed. */
export function runExamples(): string[] {
  const config = join(import.meta.dirname, "examples.config.ts");
  const { status } = spawnSync("npx", ["vitest", "run", "--config", config], { stdio: "inherit", timeout: 600_000 });
  return status === 0 ? [] : ["examples: see the report of vitest above"];
}
