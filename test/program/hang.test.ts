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

/** A vendor whose module reads a pipe without a writer. Its time is enough to begin, on a busy computer, too. */
async function hangingVendor({ skip, onTestFinished }: TestContext): Promise<string> {
  const source = { from: "module", path: "source.mjs", timeout: "4s" };
  const directory = await settingsDirectory({ plans: source, releases: source }, onTestFinished);
  const pipe = join(directory, "pipe");
  if (spawnSync("mkfifo", [pipe]).status !== 0) skip("mkfifo is not on this system");
  const text = `import { readFile } from "node:fs/promises";
export default async ({ log }) => {
  log("reading");
  return JSON.parse(await readFile(${JSON.stringify(pipe)}, "utf8"));
};`;
  await writeFile(join(directory, "source.mjs"), text);
  return directory;
}

test.concurrent("a collection that has ended ends its process", async (context) => {
  const { onTestFinished: onFinished } = context;
  const { code, stdout, stderr } = await vitrine(["collect"], { directory: await hangingVendor(context), onFinished });
  expect(stdout).toMatch(/plans +failed/);
  expect(stderr).toContain("does not return from a file");
  expect(code).not.toBe(0);
});

test.concurrent.for(["start", "collect --watch"])("%s ends when it is asked to", async (words, context) => {
  const directory = await hangingVendor(context);
  const environment = { HOST: "127.0.0.1", PORT: "0" };
  const program = launch("vitrine", words.split(" "), { directory, environment, onFinished: context.onTestFinished });
  await program.printed(/plans +failed/);
  expect((await program.stop("SIGTERM")).stderr).toContain("ended by force");
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
