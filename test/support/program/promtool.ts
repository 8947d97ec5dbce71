// Runs promtool, if installed (Debian package prometheus; `.ci/debian` installs it).
import { execFile, spawnSync } from "node:child_process";

/** The reason why promtool cannot be used, or undefined. */
export const NO_PROMTOOL =
  spawnSync("promtool", ["--version"]).status === 0
    ? undefined
    : "promtool is not installed (Debian package prometheus)";

/** Runs promtool to its end. `complaints`: its output on stderr. */
export function promtool(words: readonly string[], input = ""): Promise<{ code: unknown; complaints: string }> {
  return new Promise((resolve) => {
    const child = execFile("promtool", [...words], (error, _, complaints) => {
      resolve({ code: error ? error.code : 0, complaints });
    });
    child.stdin?.end(input);
  });
}
