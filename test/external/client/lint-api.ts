// `npm run lint:api`: checks the served OpenAPI document with Redocly at its strictest. Any finding, even a hint, is a failure.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCheck, type OnFinished } from "../../support/check.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { ensureInstalled, PACKAGES } from "../../support/install.ts";
import { startProgram } from "../../support/program/program.ts";
import { freePort } from "../../support/port.ts";
import { ask } from "../../support/serving/server.ts";

/** Settings of two vendors: only the required one, and all that the document includes. */
const VENDORS = {
  "set-nothing": { baseUrl: "https://api.acme.example" },
  "set-everything": {
    name: "Acme Notes",
    description: "Facts about Acme Notes.",
    baseUrl: "https://www.acme.example/facts",
    documentation: "https://www.acme.example/developers",
    contact: "api@acme.example",
    license: "CC-BY-4.0",
  },
};

/** Required in the settings, but never read by `serve`. */
const SOURCES = { plans: { from: "file", path: "plans.json" }, releases: { from: "file", path: "releases.json" } };

/** The linter needs no network and must send no telemetry. */
const OFFLINE = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

/** The text of /openapi.json with these settings. `directory`: an empty one. */
async function served(api: object, directory: string, onFinished: OnFinished): Promise<string> {
  const port = await freePort();
  await writeFile(join(directory, "vitrine.config.json"), JSON.stringify({ api, ...SOURCES }));
  await startProgram(["serve"], { directory, environment: { PORT: String(port) }, onFinished });
  return (await ask(port, "/openapi.json")).text;
}

/** Returns whether the linter has no findings. Prints them otherwise. */
function isSilent(files: string[], directory: string): boolean {
  const words = ["lint", `--config=${join(import.meta.dirname, "lint-api.yaml")}`, ...files];
  const { status, error, stdout, stderr } = spawnSync(join(PACKAGES, ".bin/redocly"), words, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, ...OFFLINE },
    encoding: "utf8",
  });
  if (error) throw error;
  process.stdout.write(status === 0 ? "no findings\n" : stdout + stderr);
  return status === 0;
}

async function main(onFinished: OnFinished): Promise<void> {
  ensureInstalled();
  const scratch = await temporaryDirectory(onFinished);
  for (const [name, api] of Object.entries(VENDORS)) {
    await mkdir(join(scratch, name));
    await writeFile(join(scratch, `${name}.json`), await served(api, join(scratch, name), onFinished));
  }
  const files = Object.keys(VENDORS).map((name) => `${name}.json`);
  if (!isSilent(files, scratch)) process.exitCode = 1;
}

await runCheck(main);
