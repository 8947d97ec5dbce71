// Where the snapshots may be: directories and URLs of stores, checked when the settings are read. What is refused, and that nothing of
// it is repeated, is in secret-settings.test.ts.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { configure } from "../../cli/settings/configure.ts";
import { lastCopy } from "../../cli/features/follow/last-copy.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory } from "../support/program/settings.ts";

const SETTINGS = { plans: { from: "file", path: "facts.json" }, releases: { from: "none" } };
const AWS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hush", AWS_REGION: "eu-central-1" };

/** The settings' problems as one text; undefined without any. */
function problemsOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsProblems)) throw error;
    return error.message;
  }
}

describe("the location of the snapshots (cli/settings/configure.ts)", () => {
  test.for<[location: string, shown: string]>([
    ["redis://me:hush@host/0/acme", "redis://host/0/acme"],
    [" redis://:hush@host:6380/1/acme\n", "redis://host:6380/1/acme"],
    ["https://me:hush@host/snapshots/", "https://host/snapshots/"],
    ["https:\\\\me:hush@host\\snapshots\\", "https://host/snapshots/"],
    ["s3://bucket/acme", "s3://bucket/acme"],
    ["file:///srv/data", "/srv/data"],
    ["../data", "DIRECTORY/../data"],
    ["a//b:c/me@host", "DIRECTORY/a/b:c/me@host"],
    ["c:/vitrine/data", "DIRECTORY/c:/vitrine/data"],
  ])("%j is shown as %s", async ([SNAPSHOTS, shown]) => {
    const directory = await settingsDirectory(SETTINGS);
    const { settings, given } = configure({ flags: {}, environment: { ...AWS, SNAPSHOTS }, directory });
    const path = shown.startsWith("DIRECTORY") ? join(directory, shown.slice("DIRECTORY/".length)) : shown;
    expect([settings.snapshots, given.snapshots]).toEqual([path, path]);
  });
});

test.for(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"])("S3 needs %s", async (name) => {
  const directory = await settingsDirectory(SETTINGS);
  const environment = { ...AWS, SNAPSHOTS: "s3://bucket/acme", [name]: "" };
  const problems = problemsOf(() => configure({ flags: {}, environment, directory }));
  expect(problems).toMatch(new RegExp(`snapshots   needs .*${name}.* in the environment`));
});

test("S3 without keys is left to the role of the machine", async () => {
  const directory = await settingsDirectory(SETTINGS);
  const environment = { AWS_REGION: "eu-central-1", SNAPSHOTS: "s3://bucket/acme" };
  expect(problemsOf(() => configure({ flags: {}, environment, directory }))).toBeUndefined();
});

test.for(["check", "start", "serve"])(
  "%s without settings asks for them, not for another location",
  async (command) => {
    const directory = await temporaryDirectory();
    const environment = { SNAPSHOTS: "redis://host/0/acme" };
    await expect(runInProcess([command], directory, environment)).rejects.toThrow(
      /there is no such file in .*--config/,
    );
    await expect(runInProcess([command, "--demo"], directory, environment)).rejects.toThrow("for the demo product");
  },
);

test("problems with the location are listed with all others", async () => {
  const directory = await settingsDirectory({ ...SETTINGS, port: -1, snapshots: "ftp://host/" });
  const problems = problemsOf(() => configure({ flags: {}, environment: {}, directory }));
  expect(problems).toMatch(/port +use a whole number.*; snapshots +must be the path/);
});

test.for<[place: string, from: (directory: string) => Partial<Record<"flag" | "variable" | "file", string>>]>([
  ["flag", () => ({ flag: "kept", variable: "no", file: "no" })],
  ["variable", () => ({ variable: "kept", file: "no" })],
  ["file", () => ({ file: "kept" })],
])("lastCopy is a directory, relative to the working directory or to the file: %s", async ([place, from]) => {
  const settings = await settingsDirectory({});
  const directory = await temporaryDirectory();
  const { flag, variable, file } = from(directory);
  const given = { ...SETTINGS, snapshots: "redis://host", lastCopy: file };
  await writeFile(join(settings, "vitrine.config.json"), JSON.stringify(given));
  const config = join(settings, "vitrine.config.json");
  const environment = variable === undefined ? {} : { LAST_COPY: variable };
  const { settings: read } = configure({ flags: { config, "last-copy": flag }, environment, directory });
  expect(read.lastCopy).toBe(join(place === "file" ? settings : directory, "kept"));
});

test("lastCopy is for remote stores: programs that serve from a directory refuse it, and others ignore it", async () => {
  const directory = await settingsDirectory({ ...SETTINGS, lastCopy: "kept", snapshots: "redis://127.0.0.1:1/0/acme" });
  const problem = /^lastCopy {3}is only for a remote store, .*: leave out lastCopy, LAST_COPY and --last-copy$/;
  for (const words of ["serve", "start", "mcp --config vitrine.config.json", "start --demo"]) {
    const run = runInProcess([...words.split(" "), "--snapshots", "facts"], directory, { LAST_COPY: "kept" });
    await expect(run, words).rejects.toMatchObject({ problems: [expect.stringMatching(problem)] });
  }
  const checked = await runInProcess(["check", "--snapshots", "facts", "--json"], directory);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(problem)]),
  });
  expect((await runInProcess(["status", "--snapshots", "facts"], directory)).code).toBe(3);
});

test("each store has a folder of its own in lastCopy, whatever the credentials", async () => {
  const directory = await settingsDirectory(SETTINGS);
  const minio = (port: number) => ({
    ...AWS,
    SNAPSHOTS: "s3://facts",
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  });
  const stores: Record<string, string>[] = [
    { SNAPSHOTS: "https://host/first/" },
    { SNAPSHOTS: "https://host/second/" },
    { SNAPSHOTS: "redis://host/0/acme" },
    { SNAPSHOTS: "redis://host/1/acme" },
    minio(9000),
    minio(9001),
  ];
  const put = async (environment: Record<string, string>) => {
    const configuration = configure({ flags: {}, environment: { ...environment, LAST_COPY: "kept" }, directory });
    await lastCopy.lastCopyOf?.(configuration)?.put("plans.json", Buffer.from("{}"));
    return (await readdir(join(directory, "kept"))).length;
  };
  for (const [index, store] of stores.entries()) expect(await put(store)).toBe(index + 1);
  expect(await put({ SNAPSHOTS: "redis://me:hush@host/0/acme" })).toBe(stores.length);
  expect(await put({ ...minio(9000), AWS_ACCESS_KEY_ID: "another" })).toBe(stores.length);
});
