#!/usr/bin/env node
// The entry, which an old Node can load, too: it ends here with one line instead of a stack in a file that imports something it
// lacks. The program is run.ts.
import { nodeRefusal } from "./node-version.ts";
import { ENGINES } from "./package-files.ts";

const refusal = nodeRefusal(process.versions.node, ENGINES);
if (refusal === undefined) {
  await import("./run.ts");
} else {
  process.stderr.write(`✖ ${refusal}\n`);
  process.exitCode = 1;
}
