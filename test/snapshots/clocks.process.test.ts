// A store's own clock, by which a wrong one of this computer is found; and what a wrong one costs.
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader, openStore } from "../../snapshots/stores/open-store.ts";
import { body, startUpstream } from "../support/collecting/upstream.ts";
import { typeInProcess } from "../support/program/in-process.ts";
import { startVendor } from "../support/program/settings.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { startS3Double } from "../support/s3-double.ts";

const MINUTE = 60_000;

test.for([0, 10 * MINUTE, -10 * MINUTE])("S3 that is %i ms ahead says so with each answer", async (ahead) => {
  const s3 = await startS3Double();
  s3.ahead = ahead;
  const store = s3.open();
  expect(await store.ahead?.()).toBeUndefined();
  await store.get("plans.json");
  expect(Math.abs(((await store.ahead?.()) ?? Number.NaN) + ahead)).toBeLessThan(5_000);
});

test("a followed server says so, but not an old copy of its answer from a cache", async () => {
  const upstream = await startUpstream();
  const date = new Date(Date.now() - 10 * MINUTE).toUTCString();
  const reader = openReader(upstream.url("/snapshots/"), {});
  onTestFinished(() => reader.close());
  upstream.set("/snapshots/plans.json", body("{}", { date, age: "600" }));
  await reader.get("plans.json");
  expect(await reader.ahead?.()).toBeUndefined();
  upstream.set("/snapshots/plans.json", body("{}", { date }));
  await reader.get("plans.json");
  expect(Math.abs(((await reader.ahead?.()) ?? Number.NaN) - 10 * MINUTE)).toBeLessThan(5_000);
});

describe.skipIf(NO_REDIS !== undefined)("Redis", () => {
  test("says so if it permits the question, and a directory has no clock of its own", async () => {
    const redis = await startRedis(onTestFinished);
    const store = openStore(redis.location());
    onTestFinished(() => store.close());
    expect(Math.abs((await store.ahead?.()) ?? Number.NaN)).toBeLessThan(5_000);
    await redis.command("ACL", "SETUSER", "default", "-time");
    await expect(store.ahead?.()).rejects.toThrow("NOPERM");
    expect(openStore("data").ahead).toBeUndefined();
  });
});

test("check refuses a clock that differs from the store's, and collect warns of it", async () => {
  const s3 = await startS3Double();
  const { directory } = await startVendor();
  const environment = { ...s3.environment, SNAPSHOTS: "s3://facts/acme" };
  expect((await typeInProcess(["check"], { directory, environment })).code).toBe(0);
  s3.ahead = -10 * MINUTE;
  const warning = "the clock of this computer is 10 min ahead of that of the store: set it by NTP";
  const check = await typeInProcess(["check"], { directory, environment });
  expect(check.code).toBe(2);
  expect(check.stderr).toContain(`snapshots   ${warning}`);
  const collect = await typeInProcess(["collect"], { directory, environment });
  expect(collect.code).toBe(0);
  expect(collect.stderr).toContain(`! ${warning}`);
});
