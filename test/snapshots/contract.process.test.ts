// The contract of a store, held by each kind of store.
import { afterAll, describe, onTestFinished } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import type { Store } from "../../snapshots/store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { NO_REDIS, startRedis } from "../support/redis.ts";
import { startS3Double } from "../support/s3-double.ts";
import { promisesOfAStore } from "../support/store-contract.ts";

/** Opens the same store again and again, until the test is over. */
function opener(open: () => Store) {
  return () => {
    const store = open();
    onTestFinished(() => store.close());
    return store;
  };
}

describe("files", () => {
  promisesOfAStore(async () => {
    const directory = await temporaryDirectory();
    const another = opener(() => openStore(directory));
    return { store: another(), another };
  });
});

const redis = NO_REDIS === undefined ? await startRedis(afterAll) : undefined;
describe.skipIf(!redis)("Redis", () => {
  promisesOfAStore(async () => {
    const location = redis?.location() ?? "";
    const another = opener(() => openStore(location));
    return { store: another(), another };
  });
});

describe.for([
  ["S3", false],
  ["S3 as R2 offers it", true],
] as const)("%s", ([, isQuoted]) => {
  promisesOfAStore(async () => {
    const s3 = await startS3Double({ pageSize: 10, isQuoted });
    const another = opener(() => s3.open());
    return { store: another(), another, hasHints: false };
  });
});
