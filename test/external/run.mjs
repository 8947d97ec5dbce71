// `npm run external -- NAME [ARGUMENTS]`: runs one external check, or a program beside them. README.md describes each. The arguments
// go to vitest, such as `-t WORD` for the checks with that word in their names, or to the program.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Folders of checks, with their own options of vitest. */
const CHECKS = {
  agents: [],
  browser: ["--maxConcurrency=3"],
  caches: [],
  client: [],
  clients: [],
  clocks: [],
  conformance: [],
  container: [],
  edge: ["--no-file-parallelism"],
  load: [],
  package: [],
  pages: [],
  replay: [],
  replicas: [],
  s3: [],
  upgrade: [],
};
const PROGRAMS = { bench: "bench/bench.ts", pictures: "browser/pictures.ts", siege: "siege/siege.ts" };

/** Node's arguments; undefined for an unknown name. */
function commandOf(name, words) {
  if (Object.hasOwn(PROGRAMS, name)) return ["--import", "tsx", join(import.meta.dirname, PROGRAMS[name]), ...words];
  if (!Object.hasOwn(CHECKS, name)) return undefined;
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
  const own = ["--config", join(import.meta.dirname, "vitest.config.ts"), "--dir", join(import.meta.dirname, name)];
  return [vitest, "run", "--reporter=verbose", ...own, ...CHECKS[name], ...words];
}

const [name = "", ...words] = process.argv.slice(2);
const command = commandOf(name, words);
if (command === undefined) {
  const names = [...Object.keys(CHECKS), ...Object.keys(PROGRAMS)].toSorted().join(", ");
  process.stderr.write(`usage: npm run external -- NAME, one of: ${names} (test/external/README.md)\n`);
  process.exitCode = 1;
} else {
  const { status } = spawnSync(process.execPath, command, { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
