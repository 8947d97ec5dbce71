#!/usr/bin/env node
// The entry, which an old Node can load, too: it ends here with one line instead of a stack in a file that imports something it
// lacks. The program is run.ts.
import { readFileSync } from "node:fs";
import { nodeRefusal } from "./node-version.ts";

// Not by package-files.ts: with it the built entry would wait for another file before it can ask for run.
const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const refusal = nodeRefusal(process.versions.node, engines.node);
if (refusal === undefined) {
  await import("./run.ts");
} else {
  process.stderr.write(`✖ ${refusal}\n`);
  process.exitCode = 1;
}
