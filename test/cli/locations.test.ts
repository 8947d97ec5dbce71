// Where the snapshots may be: directories and URLs of stores, checked when the settings are read. What is refused, and that nothing of
// it is repeated, is in test/features/check/secret-settings.test.ts.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { configure } from "../../cli/settings/configure.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { hasStore, isIn } from "../support/program/feature.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";
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
  const shown: [location: string, shown: string][] = [
    ["redis://me:hush@host/0/acme", "redis://host/0/acme"],
    [" redis://:hush@host:6380/1/acme\n", "redis://host:6380/1/acme"],
    ["https://me:hush@host/snapshots/", "https://host/snapshots/"],
    ["https:\\\\me:hush@host\\snapshots\\", "https://host/snapshots/"],
    ["s3://bucket/acme", "s3://bucket/acme"],
    ["file:///srv/data", "/srv/data"],
    ["../data", "DIRECTORY/../data"],
    ["a//b:c/me@host", "DIRECTORY/a/b:c/me@host"],
    ["c:/vitrine/data", "DIRECTORY/c:/vitrine/data"],
  ];
  test.for(shown.filter(([location]) => hasStore(location.trim())))("%j is shown as %s", async ([SNAPSHOTS, shown]) => {
    const directory = await settingsDirectory(SETTINGS);
    const { settings, given } = configure({ flags: {}, environment: { ...AWS, SNAPSHOTS }, directory });
    const path = shown.startsWith("DIRECTORY") ? join(directory, shown.slice("DIRECTORY/".length)) : shown;
    expect([settings.snapshots, given.snapshots]).toEqual([path, path]);
  });
});

test.runIf(isIn("s3")).for(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"])(
  "S3 needs %s",
  async (name) => {
    const directory = await settingsDirectory(SETTINGS);
    const environment = { ...AWS, SNAPSHOTS: "s3://bucket/acme", [name]: "" };
    const problems = problemsOf(() => configure({ flags: {}, environment, directory }));
    expect(problems).toMatch(new RegExp(`snapshots   needs .*${name}.* in the environment`));
  },
);

test.runIf(isIn("s3"))("S3 without keys is left to the role of the machine", async () => {
  const directory = await settingsDirectory(SETTINGS);
  const environment = { AWS_REGION: "eu-central-1", SNAPSHOTS: "s3://bucket/acme" };
  expect(problemsOf(() => configure({ flags: {}, environment, directory }))).toBeUndefined();
});

test.runIf(isIn("redis")).for(["check", "start", "serve"].filter(isOffered))(
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
