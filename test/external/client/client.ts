// `npm run client`: tests the OpenAPI document with a generated client. Generates types from the served document, compiles a
// small program against them in strict mode, and runs it against the demo product. Also compiles the example for Electron.
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCheck } from "../../support/check.ts";
import { withDemo } from "../../support/program/demo.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";

const HERE = import.meta.dirname;
/** Generated in each run, not committed. */
const GENERATED = join(HERE, "generated");
const TOOLS = join(PACKAGES, ".bin");

/** Runs a command and prints its result. @throws Error with its output if it fails. */
function step(name: string, command: string, ...args: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: HERE, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${name}: failed\n${stdout}${stderr}`);
  process.stdout.write(`${name}: good\n`);
}

/** As the document shows it. */
async function electronExample(): Promise<string> {
  const page = await readFile(join(HERE, "../../../docs/electron.md"), "utf8");
  return /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
}

async function main(): Promise<void> {
  ensureInstalled();
  await rm(GENERATED, { recursive: true, force: true });
  await withDemo(async (base) => {
    step("types", join(TOOLS, "openapi-typescript"), `${base}/openapi.json`, "--output", join(GENERATED, "api.ts"));
    step("compiles", join(TOOLS, "tsc"));
    await writeFile(join(GENERATED, "electron.mjs"), await electronExample());
    step("the example for Electron compiles", join(TOOLS, "tsc"), "--project", "electron.json");
    step("runs", process.execPath, "--import", "tsx", "program/main.ts", base);
  });
}

await runCheck(main);
