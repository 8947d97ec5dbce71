// Where the snapshots may be: directories and URLs of stores, checked when the settings are read. What is refused, and that nothing of
// it is repeated, is in secret-settings.test.ts. A store that is no directory is shown with its kind and what this user may do there.
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test, describe, onTestFinished } from "vitest";
import { SettingsProblems } from "../../collector/settings-problems.ts";
import { configure } from "../../cli/settings/configure.ts";
import { openLastCopy } from "../../cli/with-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { settingsDirectory, startVendor } from "../support/program/settings.ts";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { startS3Double } from "../support/s3-double.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";

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
    await openLastCopy(configuration)?.put("plans.json", Buffer.from("{}"));
    return (await readdir(join(directory, "kept"))).length;
  };
  for (const [index, store] of stores.entries()) expect(await put(store)).toBe(index + 1);
  expect(await put({ SNAPSHOTS: "redis://me:hush@host/0/acme" })).toBe(stores.length);
  expect(await put({ ...minio(9000), AWS_ACCESS_KEY_ID: "another" })).toBe(stores.length);
});

/** An engine that accepts connections and is silent. */
async function startSilent(): Promise<string> {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0/acme`;
}

describe.skipIf(NO_REDIS !== undefined)("a store in Redis", () => {
  test("check opens it, says what the user may do there, and leaves nothing", async () => {
    const redis = await startRedis(onTestFinished);
    const reader = ["on", "nopass", "~*", "&*", "+hget", "+hmget", "+hkeys", "+ping", "+auth"];
    expect(await redis.command("ACL", "SETUSER", "reader", ...reader)).toBe("+OK");
    expect(await redis.command("ACL", "SETUSER", "nobody", "on", "nopass", "+ping")).toBe("+OK");
    const { directory } = await startVendor();
    const SNAPSHOTS = redis.location("acme");
    const check = (REDIS_USERNAME: string, ...words: string[]) =>
      runInProcess(["check", ...words], directory, { SNAPSHOTS, REDIS_USERNAME, REDIS_PASSWORD: "any" });
    const access = async (user: string) => JSON.parse((await check(user, "--json")).stdout).store as unknown;

    const writer = await runInProcess(["check"], directory, { SNAPSHOTS });
    expect(writer).toMatchObject({ code: 0, stderr: "" });
    expect(writer.stdout).toMatch(/^ {2}snapshots: may be read and written$[^]*✔ ready: npm start$/m);
    const keys = await openStore(SNAPSHOTS).list("history");
    expect([keys, await redis.command("HLEN", "acme")]).toEqual([[], ":0"]);

    const read = await check("reader");
    expect(read).toMatchObject({ code: 0, stderr: "" });
    expect(read.stdout).toMatch(/may be read, as the server must, but not written, .* \(NOPERM\)/);
    expect(read.stdout).toMatch(/✔ ready: npm run serve$/m);
    expect(await access("reader")).toEqual({ kind: "redis", access: "read" });

    const claimless = [...reader, "+hset", "+hdel", "+eval", "+publish", "resetkeys", "~acme"];
    expect(await redis.command("ACL", "SETUSER", "claimless", ...claimless)).toBe("+OK");
    expect(await access("claimless")).toEqual({ kind: "redis", access: "read" });

    const refused = await check("nobody");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^ {2}snapshots {3}Redis .* \(NOPERM\): /m),
    });
    expect(await access("nobody")).toEqual({ kind: "redis", access: "none" });
  });

  test("status names its kind", async () => {
    const redis = await startRedis(onTestFinished);
    const { directory } = await startVendor();
    const environment = { SNAPSHOTS: redis.location("acme").replace("//", "//default:any@") };
    expect(await runInProcess(["collect"], directory, environment)).toMatchObject({ code: 0 });
    const text = await runInProcess(["status"], directory, environment);
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout.trimEnd().split("\n").at(-1)).toBe(`    in ${redis.location("acme")}`);
    const json = await runInProcess(["status", "--json"], directory, environment);
    expect(JSON.parse(json.stdout)).toMatchObject({ store: { kind: "redis", location: redis.location("acme") } });
  });
});

test("check finds out that a service ignores the conditions of writes, before a collector does", async () => {
  const s3 = await startS3Double({ ignored: ["if-none-match"] });
  const { directory } = await startVendor();
  const { code, stdout } = await runInProcess(["check"], directory, {
    ...s3.environment,
    SNAPSHOTS: "s3://facts/acme",
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/but not written, as the collector must: S3 ignores the conditions of writes/);
});

test("a silent store ends every command in time, with one line and exit code 1, or 2 from check", async () => {
  const SNAPSHOTS = await startSilent();
  const { directory } = await startVendor();
  const failures = ["check", "status", "status --json", "history", "diff", "collect"].map(async (words) => {
    const run = runInProcess(words.split(" "), directory, { SNAPSHOTS });
    // The program prints the message of an error, and ends with exit code 1.
    const { code, stderr } = await run.catch((error: unknown) => ({ code: 1, stderr: String(error) }));
    expect([words, code]).toEqual([words, words === "check" ? 2 : 1]);
    expect(stderr.match(/Redis does not answer \(ETIMEDOUT\): start it, or correct its address/g)).toHaveLength(1);
    expect(stderr.trimEnd().split("\n").length).toBe(words === "check" ? 2 : 1);
  });
  await Promise.all(failures);
});
