// Where `lastCopy` is: a directory of this computer, relative to what names it, with a folder for each store.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lastCopy } from "../../../cli/features/follow/last-copy.ts";
import { configure } from "../../../cli/settings/configure.ts";
import { temporaryDirectory } from "../../support/directory.ts";
import { hasStore, isIn } from "../../support/program/feature.ts";
import { runInProcess } from "../../support/program/in-process.ts";
import { isOffered } from "../../support/program/offered.ts";
import { settingsDirectory } from "../../support/program/settings.ts";

const SETTINGS = { plans: { from: "file", path: "facts.json" }, releases: { from: "none" } };
const AWS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hush", AWS_REGION: "eu-central-1" };

describe("the place (cli/features/follow/last-copy.ts)", () => {
  test.for<[place: string, from: (directory: string) => Partial<Record<"flag" | "variable" | "file", string>>]>([
    ["flag", () => ({ flag: "kept", variable: "no", file: "no" })],
    ["variable", () => ({ variable: "kept", file: "no" })],
    ["file", () => ({ file: "kept" })],
  ])("lastCopy is a directory, relative to the working directory or to the file: %s", async ([place, from]) => {
    const settings = await settingsDirectory({});
    const directory = await temporaryDirectory();
    const { flag, variable, file } = from(directory);
    const given = { ...SETTINGS, snapshots: "https://host/snapshots/", lastCopy: file };
    await writeFile(join(settings, "vitrine.config.json"), JSON.stringify(given));
    const config = join(settings, "vitrine.config.json");
    const environment = variable === undefined ? {} : { LAST_COPY: variable };
    const { settings: read } = configure({ flags: { config, "last-copy": flag }, environment, directory });
    expect(read.lastCopy).toBe(join(place === "file" ? settings : directory, "kept"));
  });
});

test("lastCopy is for remote stores: programs that serve from a directory refuse it, and others ignore it", async () => {
  const directory = await settingsDirectory({
    ...SETTINGS,
    lastCopy: "kept",
    snapshots: "https://127.0.0.1:1/snapshots/",
  });
  const problem = /^lastCopy {3}is only for a remote store, .*: leave out lastCopy, LAST_COPY and --last-copy$/;
  for (const words of ["serve", "start", "mcp --config vitrine.config.json", "start --demo"].filter(isOffered)) {
    const run = runInProcess([...words.split(" "), "--snapshots", "facts"], directory, { LAST_COPY: "kept" });
    await expect(run, words).rejects.toMatchObject({ problems: [expect.stringMatching(problem)] });
  }
  if (isIn("status")) expect((await runInProcess(["status", "--snapshots", "facts"], directory)).code).toBe(3);
  if (!isIn("check")) return;
  const checked = await runInProcess(["check", "--snapshots", "facts", "--json"], directory);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(problem)]),
  });
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
  const known = stores.filter(({ SNAPSHOTS = "" }) => hasStore(SNAPSHOTS));
  for (const [index, store] of known.entries()) expect(await put(store)).toBe(index + 1);
  const same = [{ SNAPSHOTS: "redis://me:hush@host/0/acme" }, { ...minio(9000), AWS_ACCESS_KEY_ID: "another" }];
  for (const store of same.filter(({ SNAPSHOTS }) => hasStore(SNAPSHOTS))) expect(await put(store)).toBe(known.length);
});
