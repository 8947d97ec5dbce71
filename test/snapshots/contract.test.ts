// The contract of a store, held by each kind of store.
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { openStore } from "../../snapshots/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { NO_REDIS, startRedis, type RedisServer } from "../support/redis.ts";
import { promisesOfAStore } from "../support/store-contract.ts";

/** Opens the same store again and again, until the test is over. */
function opener(location: string) {
  return () => {
    const store = openStore(location);
    onTestFinished(() => store.close());
    return store;
  };
}

describe("files", () => {
  promisesOfAStore(async () => {
    const another = opener(await temporaryDirectory());
    return { store: another(), another };
  });
});

describe.skipIf(NO_REDIS !== undefined)("Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis(afterAll);
  });

  promisesOfAStore(async () => {
    const another = opener(redis.location());
    return { store: another(), another };
  });
});
