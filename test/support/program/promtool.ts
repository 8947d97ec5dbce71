// Prometheus' own judgement, where promtool is installed (Debian's package prometheus; `.ci/debian` brings it).
import { execFile, spawnSync } from "node:child_process";

/** Why nothing can be asked, or undefined. */
export const NO_PROMTOOL =
  spawnSync("promtool", ["--version"]).status === 0
    ? undefined
    : "promtool (Debian's package prometheus) is not installed";

/** Runs it to its end; `complaints` are whatever it prints to stderr. */
export function promtool(words: readonly string[], input = ""): Promise<{ code: unknown; complaints: string }> {
  return new Promise((resolve) => {
    const child = execFile("promtool", [...words], (error, _, complaints) => {
      resolve({ code: error ? error.code : 0, complaints });
    });
    child.stdin?.end(input);
  });
}
