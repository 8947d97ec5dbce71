// A store that is no directory, as the commands show it: its kind, what this user may do there, and one line when it is away.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { isIn } from "../support/program/feature.ts";
import { runInProcess } from "../support/program/in-process.ts";
import { isOffered } from "../support/program/offered.ts";
import { startVendor } from "../support/program/settings.ts";
import { startS3Double } from "../support/s3-double.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";

/** An engine that accepts connections and is silent. */
async function startSilent(): Promise<string> {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0/acme`;
}

describe.skipIf(NO_REDIS !== undefined || !isIn("redis"))("a store in Redis (cli/features/check/store.ts)", () => {
  test.runIf(isIn("check"))("check opens it, says what the user may do there, and leaves nothing", async () => {
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

  test.runIf(isIn("status"))("status names its kind", async () => {
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

test.runIf(isIn("check", "s3"))(
  "check finds out that a service ignores the conditions of writes, before a collector does",
  async () => {
    const s3 = await startS3Double({ ignored: ["if-none-match"] });
    const { directory } = await startVendor();
    const { code, stdout } = await runInProcess(["check"], directory, {
      ...s3.environment,
      SNAPSHOTS: "s3://facts/acme",
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/but not written, as the collector must: S3 ignores the conditions of writes/);
  },
);

test.runIf(isIn("redis"))(
  "a silent store ends every command in time, with one line and exit code 1, or 2 from check",
  async () => {
    const SNAPSHOTS = await startSilent();
    const { directory } = await startVendor();
    const failures = ["check", "status", "status --json", "history", "diff", "collect"]
      .filter(isOffered)
      .map(async (words) => {
        const run = runInProcess(words.split(" "), directory, { SNAPSHOTS });
        // The program prints the message of an error, and ends with exit code 1.
        const { code, stderr } = await run.catch((error: unknown) => ({ code: 1, stderr: String(error) }));
        expect([words, code]).toEqual([words, words === "check" ? 2 : 1]);
        expect(stderr.match(/Redis does not answer \(ETIMEDOUT\): start it, or correct its address/g)).toHaveLength(1);
        expect(stderr.trimEnd().split("\n").length).toBe(words === "check" ? 2 : 1);
      });
    await Promise.all(failures);
  },
);
