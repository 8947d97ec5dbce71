// The contract of a store, held by Redis, and its clock.
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../snapshots/stores/open-store.ts";
import { NO_REDIS, startRedis } from "../../support/redis.ts";
import { opener, promisesOfAStore } from "../../support/store-contract.ts";

const redis = NO_REDIS === undefined ? await startRedis(afterAll) : undefined;

describe.skipIf(!redis)("the store in Redis (snapshots/features/redis/redis-store.ts)", () => {
  promisesOfAStore(async () => {
    const location = redis?.location() ?? "";
    const another = opener(() => openStore(location));
    return { store: another(), another };
  });

  test("tells its clock if it permits the question", async () => {
    const redis = await startRedis(onTestFinished);
    const store = openStore(redis.location());
    onTestFinished(() => store.close());
    expect(Math.abs((await store.ahead?.()) ?? Number.NaN)).toBeLessThan(5_000);
    await redis.command("ACL", "SETUSER", "default", "-time");
    await expect(store.ahead?.()).rejects.toThrow("NOPERM");
  });
});
