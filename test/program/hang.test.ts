// A system that never returns from a file, as on a volume that hangs: the program can be left all the same. A pipe without a
// writer stands for the volume: opening it blocks a thread of the process, and process.exit waits for that thread.
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, type TestContext } from "vitest";
import { temporaryDirectory } from "../support/directory.ts";
import { launch, vitrine } from "../support/program/run.ts";
import { settingsDirectory } from "../support/program/settings.ts";
import { isUnderWay, underWay } from "../../snapshots/system-calls.ts";

/** A vendor whose facts are in a file that the system never returns from. The preloaded module says when it is read. */
async function hangingVendor({ skip, onTestFinished }: TestContext) {
  const source = { from: "file", path: "facts.json" };
  const directory = await settingsDirectory({ plans: source, releases: source }, onTestFinished);
  const pipe = join(directory, "pipe");
  if (spawnSync("mkfifo", [pipe]).status !== 0) skip("mkfifo is not on this system");
  await writeFile(join(directory, "facts.json"), "");
  const text = `import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
const { readFile } = files;
files.readFile = (path, ...options) => {
  if (!String(path).endsWith("facts.json")) return readFile(path, ...options);
  console.log("reading");
  return readFile(${JSON.stringify(pipe)}, ...options);
};
syncBuiltinESMExports();`;
  await writeFile(join(directory, "hang.mjs"), text);
  const NODE_OPTIONS = `--import=${join(directory, "hang.mjs")}`;
  return { directory, environment: { NODE_OPTIONS, HOST: "127.0.0.1", PORT: "0" } };
}

test.concurrent.for(["collect", "start", "collect --watch"])("%s ends when it is asked to", async (words, context) => {
  const vendor = await hangingVendor(context);
  const program = launch("vitrine", words.split(" "), { ...vendor, onFinished: context.onTestFinished });
  await program.printed(/reading/);
  const { code, stdout, stderr } = await program.stop("SIGTERM");
  expect(stdout).toMatch(/plans +failed/);
  expect(stderr).toContain("does not return from a file");
  expect(code).not.toBe(0);
});

test("without such a file nothing is under way", async () => {
  const directory = await temporaryDirectory();
  const ended = await vitrine(["collect", "--demo"], { directory });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const failure = underWay(Promise.reject(new Error("over")));
  expect(isUnderWay()).toBe(true);
  await expect(failure).rejects.toThrow("over");
  expect(isUnderWay()).toBe(false);
});
