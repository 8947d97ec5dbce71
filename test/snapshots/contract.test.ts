// The contract of a store, held by each kind of store.
import { afterAll, describe, onTestFinished } from "vitest";
import { openStore } from "../../snapshots/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
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

const redis = NO_REDIS === undefined ? await startRedis(afterAll) : undefined;
describe.skipIf(!redis)("Redis", () => {
  promisesOfAStore(async () => {
    const another = opener(redis?.location() ?? "");
    return { store: another(), another };
  });
});
