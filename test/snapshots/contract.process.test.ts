// The contract of a store, held by a directory. Each engine holds it in its feature's tests.
import { describe } from "vitest";
import { openStore } from "../../snapshots/stores/open-store.ts";
import { temporaryDirectory } from "../support/directory.ts";
import { opener, promisesOfAStore } from "../support/store-contract.ts";

describe("the store in a directory (snapshots/stores/files/file-store.ts)", () => {
  promisesOfAStore(async () => {
    const directory = await temporaryDirectory();
    const another = opener(() => openStore(directory));
    return { store: another(), another };
  });
});
