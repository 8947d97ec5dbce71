// The OpenAPI document: Redocly at its strictest finds nothing in it, and a small program, compiled in strict mode against types
// that are generated from it, runs against the demo. The example for Electron compiles, too.
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled, runTool } from "../../support/install.ts";
import { freePort } from "../../support/port.ts";
import { startDemo } from "../../support/program/demo.ts";
import { startInProcess } from "../../support/program/in-process.ts";
import { FILE_SOURCES, settingsDirectory } from "../../support/program/settings.ts";
import { ask } from "../../support/serving/server.ts";

ensureInstalled();
const HERE = import.meta.dirname;
/** Generated in each run, not committed. */
const GENERATED = join(HERE, "generated");

/** Settings of two vendors: only the required one, and all that the document includes. */
const VENDORS = {
  nothing: { baseUrl: "https://api.acme.example" },
  everything: {
    name: "Acme Notes",
    description: "Facts about Acme Notes.",
    baseUrl: "https://www.acme.example/facts",
    documentation: "https://www.acme.example/developers",
    contact: "api@acme.example",
    license: "CC-BY-4.0",
  },
};

test.for(Object.entries(VENDORS))("the linter finds nothing, not even a hint, with %s set", async ([, api]) => {
  const directory = await settingsDirectory({ api, ...FILE_SOURCES });
  // The printed address would be the public one.
  const port = await freePort();
  await startInProcess(["serve"], { directory, environment: { PORT: String(port) } });
  await writeFile(join(directory, "openapi.json"), (await ask(port, "/openapi.json")).text);
  // It needs no network and must send no telemetry.
  const offline = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  const env = { PATH: process.env.PATH, HOME: await temporaryDirectory(), ...offline };
  const words = ["lint", `--config=${join(HERE, "lint-api.yaml")}`, "openapi.json"];
  runTool("redocly", words, { cwd: directory, env });
});

test("a program compiles against the generated types and runs, and the example for Electron compiles", async () => {
  await rm(GENERATED, { recursive: true, force: true });
  const { base } = await startDemo(onTestFinished);
  runTool("openapi-typescript", [`${base}/openapi.json`, "--output", join(GENERATED, "api.ts")]);
  runTool("tsc", [], { cwd: HERE });
  const page = await readFile(join(HERE, "../../../docs/electron.md"), "utf8");
  await writeFile(join(GENERATED, "electron.mjs"), /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? "");
  runTool("tsc", ["--project", "electron.json"], { cwd: HERE });
  await promisify(execFile)(process.execPath, ["--import", "tsx", "program/main.ts", base], { cwd: HERE });
});
